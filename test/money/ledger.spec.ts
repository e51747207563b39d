/** What a ledger remembers: at least the window, at most a hundredth more, in few parts. */
import { expect, it } from '@jest/globals';
import { array, assert, integer, nat, oneof, property, record } from 'fast-check';
import { Ledger } from '../../lib/core/budget.js';

const SPAN = 10_000;
// Close together, or so far apart that what was close together is about to be forgotten.
const pause = oneof(nat({ max: 60 }), integer({ min: SPAN - 150, max: SPAN }));
const moves = array(record({ pause, amount: integer({ min: 1, max: 9 }) }), { maxLength: 50 });

it('forgets no expense of the window, and none later than a hundredth after', () => {
  assert(
    property(moves, (steps) => {
      const ledger = new Ledger();
      ledger.remember(SPAN);
      const all: { at: number; amount: number }[] = [];
      const sum = (now: number, span: number) =>
        all.filter(({ at }) => at > now - span).reduce((total, { amount }) => total + amount, 0);
      let now = 0;
      for (const { pause: passed, amount } of steps) {
        now += passed;
        const spent = ledger.spent(now, SPAN);
        expect(spent).toBeGreaterThanOrEqual(sum(now, SPAN));
        expect(spent).toBeLessThanOrEqual(sum(now, SPAN * 1.01));
        ledger.add(now, amount);
        all.push({ at: now, amount });
      }
    }),
  );
});

it('stays small, however much is spent', () => {
  const ledger = new Ledger();
  ledger.remember(SPAN);
  for (let now = 0; now < 20 * SPAN; now += 3) ledger.add(now, 1);
  expect((ledger as unknown as { parts: unknown[] }).parts.length).toBeLessThanOrEqual(102);
});
