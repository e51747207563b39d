/** A stream that failed before its commit and is tried again: each try is let go of, and the last has a live signal. */
import { expect, it } from '@jest/globals';
import { fallbackStream } from '../../lib/core/index.js';
import type { AttemptContext } from '../../lib/core/index.js';

it('gives each try a signal of its own, and closes the source of each', async () => {
  const signals: AbortSignal[] = [];
  const closed: number[] = [];
  const source = (ctx: AttemptContext): AsyncIterable<string> => {
    const number = signals.push(ctx.signal);
    expect(ctx.signal.aborted).toBe(false);
    return {
      [Symbol.asyncIterator]: () => ({
        next: () => (number === 1 ? Promise.reject(new Error('down')) : Promise.resolve({ value: 'one', done: false })),
        return: async () => {
          closed.push(number);
          return { value: undefined, done: true };
        },
      }),
    };
  };
  const stream = fallbackStream([source], { retries: 1 });
  expect(await stream.next()).toEqual({ value: 'one', done: false });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  await stream.return(undefined);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  expect(closed).toContain(2);
});
