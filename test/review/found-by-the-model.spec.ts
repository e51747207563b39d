import { describe, expect, it } from '@jest/globals';
import { budgetExhausted, receiptOf } from '../../lib/index.js';
import { attemptsOf, open } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';

const down = new Error('down');
const once = { threshold: 1 };

describe('what random programs found (npm run test:model)', () => {
  it("F02 the receipt of another candidate's full answer is on the envelope that the caller gets", async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: fails(down) },
        { name: 'b', plays: gives('b') },
      ],
      degraded: { mark: 'served' },
      isWatched: false,
    });
    const { value } = await ladder.call();
    expect(value).toMatchObject({ value: 'b', degraded: false });
    expect(attemptsOf(receiptOf(value)!)).toEqual(['a:transient', 'b:ok']);
  });

  it('F01 the receipt of a degraded first answer names its attempt, also when nobody watches', async () => {
    const ladder = await open({
      rungs: [{ name: 'a', degraded: true, plays: gives({ of: 'a' }) }],
      isWatched: false,
    });
    const { value } = await ladder.call();
    expect(receiptOf(value)).toMatchObject({
      servedBy: 'a',
      degraded: true,
      attempts: [{ candidate: 'a', kind: 'ok' }],
    });
  });

  it('F07 a degraded first answer that cannot carry its mark is one of those that failed', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', degraded: true, plays: gives('primitive') },
        { name: 'b', plays: fails(down) },
      ],
      degraded: { mark: 'property' },
      isWatched: false,
    });
    expect((await ladder.call()).error).toMatchObject({
      message: 'All 2 fallback candidates failed (a: ok; b: transient)',
    });
  });

  it('F24 who was passed over and is not needed as the last resort keeps its record', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', breaker: once, plays: [fails(down), gives('a')] },
        { name: 'b', breaker: once, plays: fails(down) },
      ],
    });
    await ladder.call();
    const call = await ladder.call();
    expect(call.value).toBe('a');
    expect(call.attempts).toEqual(['b:skipped(cooling)', 'a:ok']);
  });

  it('F17 who was passed over and is too dear for the last resort keeps its record', async () => {
    const spent = budgetExhausted();
    const ladder = await open({
      rungs: [
        { name: 'a', breaker: once, plays: fails(down) },
        { name: 'b', plays: [gives('b'), fails(spent)] },
      ],
    });
    await ladder.call();
    const call = await ladder.call();
    expect(call.error).toBe(spent);
    expect(call.attempts).toEqual(['a:skipped(cooling)', 'b:budget']);
  });

  it('F39 a substitute that takes all that is left: the last resort does not begin after the deadline', async () => {
    const ladder = await open({
      rungs: [{ name: 'a', breaker: once, plays: [fails(down), gives('a')] }],
      options: { deadline: 100 },
      degraded: { substitute: () => new Promise(() => {}) },
    });
    await ladder.call(undefined, 100);
    expect(ladder.calls).toEqual({ a: 1 });
    const call = await ladder.call(undefined, 200);
    expect(call).toMatchObject({ error: { code: 'FALLBACK_EXHAUSTED' }, took: 100 });
    expect(call.attempts).toEqual(['a:skipped(cooling)']);
    expect(ladder.calls).toEqual({ a: 1 });
  });
});
