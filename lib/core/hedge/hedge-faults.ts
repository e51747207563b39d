/** What is wrong with hedging: what it may not do, whichever layer of options asks for it. */
import { candidateOptionsOf, chainOptionsOf } from '../chain-spec.js';
import type { ChainSpec, Layers } from '../chain-spec.js';
import { parseDuration } from '../duration.js';
import type { ConfigurationFault } from '../errors.js';
import { object } from '../option-rules.js';

/** Several candidates are called for one answer, so none of them may cost anything. @internal */
export function faultsOfHedge(spec: ChainSpec, layers: Layers): ConfigurationFault[] {
  const { hedge } = chainOptionsOf(spec, layers);
  if (hedge === undefined || object(hedge) !== undefined) return [];
  if (hedge.after === undefined) {
    const message = "say when the next candidate starts; give hedge.after, for example '50ms'";
    return [{ where: spec.where, option: 'hedge.after', message }];
  }
  const others = spec.candidates.filter((_, index) => candidateOptionsOf(spec, layers, index).cost !== 0);
  if (others.length === 0 || spec.candidates.length < 2 || isOff(hedge.after)) return [];
  const names = others.map(({ name }) => name).join(', ');
  const message = `hedging calls several candidates for one answer, so each must be free; say cost: 0 of ${names} if that is so, or leave hedge out`;
  return [{ where: spec.where, option: 'hedge', message }];
}

/** What a stream has begun to say cannot be taken back, so only one may begin. @internal */
export function faultsOfStreamHedge(spec: ChainSpec, layers: Layers): ConfigurationFault[] {
  const { hedge } = chainOptionsOf(spec, layers);
  if (hedge === undefined || isOff(hedge.after)) return [];
  const message = 'hedging is for chains that give promises, and this one gives a stream; leave hedge out';
  return [{ where: spec.where, option: 'hedge', message }];
}

function isOff(after: unknown): boolean {
  return parseDuration(after) === Infinity;
}
