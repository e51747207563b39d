import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { failsTooOften, newRateWindow, note } from '../../../lib/core/rate-window.js';

const S = 1_000;
const LENGTH = 60 * S;
const RULE = { window: LENGTH, volume: 20, share: 0.3 };

/** A window with so many outcomes at one time, the failures first. */
function filled(outcomes: number, failures: number, at = 0) {
  const window = newRateWindow(LENGTH);
  for (let each = 0; each < outcomes; each++) note(window, 0, each < failures, at);
  return window;
}

describe('what makes a share of failures too large', () => {
  it.each([
    [19, 19, false],
    [20, 5, false],
    [20, 6, true],
    [21, 6, false],
    [21, 7, true],
    [1_000, 299, false],
    [1_000, 300, true],
  ])('%d outcomes, %d of them failures: %s', (outcomes, failures, isTooOften) => {
    expect(failsTooOften(filled(outcomes, failures), RULE)).toBe(isTooOften);
  });

  it.each([
    [0.07, 100, 7],
    [0.1, 30, 3],
    [0.29, 100, 29],
    [1, 20, 20],
  ])('a share of %d is met by exactly that: of %d, %d', (share, outcomes, failures) => {
    expect(failsTooOften(filled(outcomes, failures), { ...RULE, share })).toBe(true);
    expect(failsTooOften(filled(outcomes, failures - 1), { ...RULE, share })).toBe(false);
  });
});

describe('the window slides', () => {
  it.each([0, 7, 1_000, 123_456.75])('a burst at %d counts until the window is over, to the ms', (at) => {
    const window = filled(20, 6, at);
    note(window, 0, false, at + LENGTH - 1);
    expect(window).toMatchObject({ outcomes: 21, failures: 6 });
    note(window, 0, false, at + LENGTH);
    expect(window).toMatchObject({ outcomes: 2, failures: 0 });
  });

  it('after a silence of any length nothing is left', () => {
    for (const silence of [LENGTH, LENGTH + 1, 20 * LENGTH, 365 * 86_400_000]) {
      const window = filled(20, 20);
      note(window, 0, false, silence);
      expect(window).toMatchObject({ outcomes: 1, failures: 0, origin: silence });
    }
  });

  it('another period finds it empty', () => {
    const window = filled(20, 20);
    note(window, 1, true, 5);
    expect(window).toMatchObject({ outcomes: 1, failures: 1, origin: 5 });
    expect([...window.buckets].reduce((sum, each) => sum + each)).toBe(2);
  });

  const steps = fc.array(
    fc.record({ after: fc.nat({ max: 9_000 }), isFailure: fc.boolean(), ends: fc.nat({ max: 30 }) }),
    { maxLength: 200 },
  );

  it('whatever comes when: nothing older than the window counts, and all but its last twentieth does', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 90_000 }), (all, length) => {
        const window = newRateWindow(length);
        let [now, epoch] = [1_000.5, 0];
        let noted: { at: number; isFailure: boolean }[] = [];
        for (const { after, isFailure, ends } of all) {
          now += after;
          if (ends === 0) {
            epoch++;
            noted = [];
          }
          note(window, epoch, isFailure, now);
          noted.push({ at: now, isFailure });
          const within = (age: number) => noted.filter(({ at }) => now - at < age + 1e-6);
          const failures = (some: typeof noted) => some.filter((one) => one.isFailure).length;
          const [least, most] = [within(length - length / 20 - 2e-6), within(length)];
          expect(window.outcomes).toBeGreaterThanOrEqual(least.length);
          expect(window.outcomes).toBeLessThanOrEqual(most.length);
          expect(window.failures).toBeGreaterThanOrEqual(failures(least));
          expect(window.failures).toBeLessThanOrEqual(failures(most));
        }
        expect(window.buckets).toHaveLength(40);
      }),
    );
  });
});
