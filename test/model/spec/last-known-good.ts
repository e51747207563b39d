/** Contract, section 7: when a last known good is written and when it is served. */

export interface Stored {
  readonly value: string;
  /** our own stamp, on the wall clock */
  readonly storedAt: number;
  /** monotonic */
  readonly writtenAt: number;
}

const SKEW = 5_000;
const REFRESH_AFTER = 1_000;

/** At most one write per key and `refreshAfter`. */
export function isWriteDue(stored: Stored | undefined, now: number, refreshAfter = REFRESH_AFTER): boolean {
  return stored === undefined || now - stored.writtenAt >= refreshAfter;
}

/** `maxAge` is a hard bound (inclusive); a stamp more than 5 s in the future is a miss. */
export function ageOf(stored: Stored | undefined, wall: number, maxAge: number): number | null {
  if (stored === undefined) return null;
  const age = wall - stored.storedAt;
  return age < -SKEW || age > maxAge ? null : Math.max(0, age);
}
