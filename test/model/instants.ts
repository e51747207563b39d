/**
 * Instants. Where two timers of an application are due at the very same instant, either may come first, and a model
 * would have to accept both. So in the programs that are compared no two are due together: they speak of whole ms, and
 * each thing that can happen adds a fraction of its own, exact in binary. Calls that start on a boundary can break this;
 * the model says so (`Tie`), and the program proves nothing. Without fractions things happen together all the time:
 * that is for what must hold in any order.
 */

/** How long things take. */
export interface Times {
  /** until a candidate of this place answers; 0 is at once */
  answer(place: number, ms: number): number;
  deadline(ms: number): number;
  streamDeadline(ms: number): number;
  substitute(ms: number): number;
}

const GRAIN = 1 / 4096;

export const DISTINCT: Times = {
  answer: (place, ms) => (ms === 0 ? 0 : ms + 2 ** place * GRAIN),
  deadline: (ms) => ms + 16 * GRAIN,
  streamDeadline: (ms) => ms + 24 * GRAIN,
  substitute: (ms) => (ms === 0 ? 0 : ms + 32 * GRAIN),
};

export const TOGETHER: Times = {
  answer: (_place, ms) => ms,
  deadline: (ms) => ms,
  streamDeadline: (ms) => ms,
  substitute: (ms) => ms,
};

/** An instant that no other call shares: calls have 64 slots in each ms. */
export const slotOf = (now: number, call: number): number => Math.ceil(now) + (call % 64) / 64;

/** The last instant before this one. */
export const justBefore = (instant: number): number => instant - GRAIN;

export const BIRTH = { monotonic: 1_000, wall: 1_000_000_000 };
