/** A duration with a decimal point is the very number of ms that one reads in it. */
import { describe, expect, it } from '@jest/globals';
import { AttemptTimeoutError, createFallbackChain } from '../../lib/core/index.js';
import type { Duration, FallbackExhaustedError } from '../../lib/core/index.js';
import { parseDuration } from '../../lib/core/duration.js';
import { Ended } from '../support/core-call.js';
import { TestClock } from '../support/test-clock.js';

describe('decimals', () => {
  it.each([
    ['1.1s', 1_100],
    ['1.001s', 1_001],
    ['8.2s', 8_200],
    ['0.07m', 4_200],
    ['1.1m', 66_000],
    ['2.3h', 8_280_000],
    ['1.1d', 95_040_000],
    ['0.5ms', 0.5],
  ] as const)('%s are %d ms', async (timeout, ms) => {
    const clock = new TestClock();
    const chain = createFallbackChain([() => new Promise(() => {})], { clock, timeout });
    const call = new Ended(chain.run(), clock);
    await clock.advance(ms);
    const { error } = (call.error as FallbackExhaustedError).failures()[0]!;
    expect(error).toBeInstanceOf(AttemptTimeoutError);
    expect(error).toMatchObject({ timeout: ms, message: `Timed out after ${ms} ms` });
  });

  it('whatever whole number of ms is written in seconds', () => {
    const wrong: unknown[] = [];
    for (let ms = 1; ms < 100_000; ms++) {
      const [seconds, rest] = [Math.floor(ms / 1_000), String(ms % 1_000).padStart(3, '0')];
      if (parseDuration(`${seconds}.${rest}s`) !== ms) wrong.push(ms);
    }
    expect(wrong).toEqual([]);
  });

  it('the same number in two forms is the same: a reserve of the whole deadline is none too long', () => {
    for (const [reserve, deadline] of [
      ['2.007s', 2_007],
      ['1.1h', '66m'],
      ['0.07m', '4.2s'],
    ] as [Duration, Duration][]) {
      expect(() => createFallbackChain([() => 'a'], { reserve, deadline })).not.toThrow();
    }
  });

  it('what is too long for a number is none', () => {
    expect(parseDuration(`${'9'.repeat(400)}ms`)).toBeUndefined();
    expect(parseDuration(`${'9'.repeat(306)}s`)).toBeUndefined();
    expect(parseDuration(`${'9'.repeat(300)}s`)).toBeCloseTo(1e303, -300);
  });
});
