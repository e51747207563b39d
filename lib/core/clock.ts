import { shared } from './shared.js';
import type { Clock } from './types.js';

/** The longest delay that `setTimeout` keeps; anything over it would fire after 1 ms. */
const LONGEST_DELAY = 2 ** 31 - 1;

// In Node the global `performance` is a getter that takes longer than the clock behind it, so it is kept. Whoever puts
// another clock in its place, such as fake timers, replaces `setTimeout` or `Date` too; to compare those costs nothing.
const [machine, realTimeout, realDate] = [performance, setTimeout, Date];

/**
 * The machine's clock. Fake timers that are installed later are obeyed: whatever they replace is looked up when it is called.
 * A timer may fire early when its delay is beyond what `setTimeout` keeps; whoever set it looks at the time again.
 * One for all copies of the package, since timers are shared by those who have the same clock; frozen, since test runners
 * clear what stands on `globalThis` when a test file ends, and a timer may fire a moment later.
 * @internal
 */
export const systemClock: Clock = shared('system-clock', () =>
  Object.freeze<Clock>({
    now: () => (setTimeout === realTimeout && Date === realDate ? machine : performance).now(),
    wall: () => Date.now(),
    setTimer(fn, delay) {
      const handle = setTimeout(fn, Math.min(Math.ceil(delay), LONGEST_DELAY));
      return {
        clear: () => clearTimeout(handle),
        ref: () => void handle.ref(),
        unref: () => void handle.unref(),
      };
    },
  }),
);
