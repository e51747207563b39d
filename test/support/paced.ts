/** What tests of pacing and of permits look at: when each candidate was called, and how many calls it had at once. */
import { open } from './ladder.js';
import { gives } from './plays.js';
import type { Step } from './plays.js';
import { settle } from './test-clock.js';
import type { TestClock } from './test-clock.js';

/** Where the test clock starts. */
const BORN = 1_000;

/** The calls of one candidate. */
export class Log {
  /** when it was called, ms after the test began */
  readonly times: number[] = [];
  inFlight = 0;
  most = 0;

  /** A step that is written down. */
  of(step: Step): Step {
    return (ctx, clock, args) => {
      this.times.push(clock.now() - BORN);
      this.most = Math.max(this.most, ++this.inFlight);
      const given = this.play(() => step(ctx, clock, args));
      void Promise.resolve(given).then(this.end, this.end);
      return given;
    };
  }

  private play(step: () => unknown): unknown {
    try {
      return step();
    } catch (error) {
      this.inFlight--;
      throw error;
    }
  }

  private readonly end = (): void => {
    this.inFlight--;
  };
}

/** Answers after virtual ms, or rejects with the reason of its signal: no longer in flight when it is cut. */
export const heeds =
  (value: unknown, after: number): Step =>
  (ctx, clock: TestClock) =>
    new Promise((resolve, reject) => {
      const timer = clock.setTimer(() => resolve(value), after);
      ctx.signal.addEventListener('abort', () => {
        timer.clear();
        reject(ctx.signal.reason as Error);
      });
    });

/** a is paced, b stands behind it. */
export async function paced(options: object = {}, a: object = {}, step = gives('a')) {
  const [logA, logB] = [new Log(), new Log()];
  const ladder = await open({
    rungs: [
      { name: 'a', minInterval: 1_000, ...a, plays: logA.of(step) },
      { name: 'b', plays: logB.of(gives('b')) },
    ],
    options,
  });
  const begin = (count: number) => Array.from({ length: count }, () => ladder.begin());
  return { ladder, begin, a: logA, b: logB };
}

/** a takes two at once, b any number. */
export async function bounded(step: Step | readonly Step[], a: object = {}, options: object = {}) {
  const log = new Log();
  const steps = Array.isArray(step) ? step.map((each: Step) => log.of(each)) : log.of(step as Step);
  const ladder = await open({
    rungs: [
      { name: 'a', maxConcurrent: 2, ...a, plays: steps },
      { name: 'b', plays: gives('b') },
    ],
    options: { breaker: { threshold: Infinity }, ...options },
  });
  const begin = async (count: number, signal?: AbortSignal) => {
    const calls = Array.from({ length: count }, () => ladder.begin(undefined, signal));
    await settle();
    return calls;
  };
  return { ladder, begin, log };
}
