/**
 * Durations: a number of ms, or a number with a unit. A string without a unit is refused, since nobody can tell
 * seconds from milliseconds in `'30'`.
 */

/** Factor and power of ten, apart: a point that is moved in the text is exact, and 1.1 * 3 600 000 is not 3 960 000. */
const UNITS: Readonly<Record<string, readonly [factor: number, power: number]>> = {
  ms: [1, 0],
  s: [1, 3],
  m: [6, 4],
  h: [36, 5],
  d: [864, 5],
};
const FORM = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/** ms, or `undefined` for anything that is no duration (negatives and NaN among them). @internal */
export function parseDuration(value: unknown): number | undefined {
  if (typeof value === 'number') return value >= 0 ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const parts = FORM.exec(value);
  if (parts === null) return undefined;
  const [factor, power] = UNITS[parts[2]!]!;
  const ms = factor * Number(`${parts[1]}e${power}`);
  return ms === Infinity ? undefined : ms;
}
