/** Numbers as they may stand in headers: plain decimals, nothing that `Number` would also let through. */

/** @internal */
export function decimal(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
}

/** Whole ms, however many were asked for; undefined for what is no duration. @internal */
export function wholeMs(ms: unknown): number | undefined {
  if (typeof ms !== 'number' || !(ms >= 0)) return undefined;
  return ms > 0 ? Math.min(Math.round(ms), Number.MAX_SAFE_INTEGER) : 0;
}
