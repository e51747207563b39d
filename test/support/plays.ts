import type { AttemptContext } from '../../lib/index.js';
import type { TestClock } from './test-clock.js';

/** What a scripted candidate does in one call. */
export type Step = (ctx: AttemptContext, clock: TestClock, args: readonly unknown[]) => unknown;

/** A candidate's script: one step for every call, or one per call, the last repeated. */
export type Play = Step | readonly Step[];

/** Answers, at once or after virtual ms. */
export const gives =
  (value: unknown, after = 0): Step =>
  (_ctx, clock) =>
    after === 0 ? Promise.resolve(value) : clock.sleep(after).then(() => value);

/** Rejects, at once or after virtual ms. */
export const fails =
  (error: unknown, after = 0): Step =>
  async (_ctx, clock) => {
    if (after > 0) await clock.sleep(after);
    throw error;
  };

/** Throws before there is any promise. */
export const throws =
  (error: unknown): Step =>
  () => {
    throw error;
  };

/** Never settles and never looks at its signal. */
export const hangs: Step = () => new Promise(() => {});

export function stepOf(play: Play, call: number): Step {
  if (typeof play === 'function') return play;
  return play[Math.min(call, play.length - 1)]!;
}
