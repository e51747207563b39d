/** Options: checked against their rules, and laid over each other. */
import type { ConfigurationFault } from './errors.js';
import { show } from './option-rules.js';
import type { Rule, Rules } from './option-rules.js';

/** Something else in the place of options. @internal */
export function faultsOfShape(options: unknown, where: string, path = ''): ConfigurationFault[] {
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) return [];
  return [{ where, ...(path && { option: path }), message: `give an object with options; got ${show(options)}` }];
}

/**
 * Everything that is wrong with `options`. An option that does not exist is a fault too: a misspelt `timeout` would
 * otherwise protect nobody.
 * @internal
 */
export function faultsOf<T extends object>(
  options: unknown,
  rules: Rules<T>,
  where: string,
  path = '',
): ConfigurationFault[] {
  const faults = faultsOfShape(options, where, path);
  if (faults.length > 0) return faults;
  return Object.entries(options as object).flatMap(([name, value]): ConfigurationFault[] => {
    const option = path === '' ? name : `${path}.${name}`;
    if (!Object.hasOwn(rules, name)) return [{ where, option, message: unknownOption(name, Object.keys(rules)) }];
    if (value === undefined) return [];
    const known = (rules as Record<string, Rule | Rules<object>>)[name]!;
    if (typeof known !== 'function') return faultsOf(value, known, where, option);
    const message = known(value);
    return message === undefined ? [] : [{ where, option, message }];
  });
}

function unknownOption(name: string, known: readonly string[]): string {
  const meant = known.find((word) => word.toLowerCase() === name.toLowerCase() || distance(word, name) <= 2);
  return `there is no such option${meant === undefined ? `; there are ${known.join(', ')}` : `; did you mean '${meant}'?`}`;
}

/** Levenshtein's, for spelling. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(above[j]! + 1, row[j - 1]! + 1, swap));
    }
  }
  return row[b.length]!;
}

const MERGED = new Set(['breaker', 'primary']);

/** Lays options over each other, the later the stronger; groups of options are merged, values replaced. @internal */
export function layer<T extends object>(...layers: readonly (T | undefined)[]): T {
  const merged: Record<string, unknown> = {};
  for (const [name, value] of layers.flatMap((options): [string, unknown][] => Object.entries(options ?? {}))) {
    if (value === undefined) continue;
    merged[name] = MERGED.has(name) ? layer(merged[name] as object | undefined, value as object) : value;
  }
  return merged as T;
}
