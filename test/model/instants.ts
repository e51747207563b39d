/**
 * Instants. Where two timers of an application are due at the very same instant, either may come first, and a model
 * would have to accept both. So no two are due together: programs speak of whole ms, and each thing that can happen
 * adds its own fraction, exact in binary. Calls that start on a boundary can break this; the model says so (`Tie`), and
 * the program proves nothing.
 */

const GRAIN = 1 / 4096;

/** An instant that no other call shares: calls have 64 slots in each ms. */
export const slotOf = (now: number, call: number): number => Math.ceil(now) + (call % 64) / 64;

/** How long a candidate of this place takes; 0 is at once. */
export const answerTime = (place: number, ms: number): number => (ms === 0 ? 0 : ms + 2 ** place * GRAIN);

export const deadlineTime = (ms: number): number => ms + 16 * GRAIN;

export const substituteTime = (ms: number): number => (ms === 0 ? 0 : ms + 32 * GRAIN);

/** The last instant before this one. */
export const justBefore = (instant: number): number => instant - GRAIN;

export const BIRTH = { monotonic: 1_000, wall: 1_000_000_000 };
