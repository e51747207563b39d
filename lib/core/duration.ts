/**
 * Durations: a number of ms, or a number with a unit. A string without a unit is refused, since nobody can tell
 * seconds from milliseconds in `'30'`.
 */

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const FORM = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/** ms, or `undefined` for anything that is no duration (negatives and NaN among them). @internal */
export function parseDuration(value: unknown): number | undefined {
  if (typeof value === 'number') return value >= 0 ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const parts = FORM.exec(value);
  const ms = parts === null ? Infinity : Number(parts[1]) * UNITS[parts[2]!]!;
  return ms === Infinity ? undefined : ms;
}
