import { describe, expect, it } from '@jest/globals';
import type { Duration } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import type { Setup } from '../support/ladder.js';
import { fails, gives, hangs, throws } from '../support/plays.js';

const down = new Error('down');
const hedged = (after: Duration, ...rungs: Setup['rungs']) => open({ rungs, options: { cost: 0, hedge: { after } } });

/** Calls in a row, each for so long, and what each candidate was called. */
async function profile(setup: Setup, takes: number) {
  const ladder = await open(setup);
  for (let call = 0; call < 10; call++) await ladder.call(undefined, takes);
  return Object.values(ladder.calls);
}

describe('when a hedge starts', () => {
  it.each([
    ['healthy', gives('a', 5), [10, 0]],
    ['slow', gives('a', 100), [10, 10]],
    ['exactly as slow as allowed', gives('a', 20), [10, 10]],
    ['failing fast', fails(down), [10, 10]],
  ])('ten calls whose first candidate is %s', async (_what, plays, calls) => {
    const options = { cost: 0, hedge: { after: 20 }, breaker: { threshold: Infinity } };
    const rungs = [
      { name: 'a', plays },
      { name: 'b', plays: gives('b', 10) },
    ];
    expect(await profile({ rungs, options }, 200)).toEqual(calls);
    expect(await profile({ rungs, options, isWatched: false }, 200)).toEqual(calls);
  });

  it('a healthy first candidate: nobody else runs, no timer is left, and the object itself is given', async () => {
    const answer = { picks: 3 };
    const ladder = await hedged(50, { name: 'a', plays: gives(answer, 49) }, { name: 'b', plays: gives('b') });
    const call = await ladder.call(undefined, 49);
    expect(call.value).toBe(answer);
    expect(call.attempts).toEqual(['a:ok']);
    expect(call.receipt).toMatchObject({ servedBy: 'a', failedOver: false, duration: 49 });
    expect(ladder.clock.refd).toBe(0);
    await ladder.clock.advance(1_000);
    expect(ladder.calls).toEqual({ a: 1, b: 0 });
  });

  it('slow: the next starts after so long, the one after it after as long again, and the first to answer wins', async () => {
    const ladder = await hedged(
      '50ms',
      { name: 'a', plays: hangs },
      { name: 'b', plays: gives('b', 70) },
      { name: 'c', plays: hangs },
      { name: 'd', plays: gives('d') },
    );
    const call = ladder.begin();
    await ladder.clock.advance(49);
    expect(ladder.calls).toEqual({ a: 1, b: 0, c: 0, d: 0 });
    await ladder.clock.advance(1);
    expect(ladder.calls).toEqual({ a: 1, b: 1, c: 0, d: 0 });
    await ladder.clock.advance(50);
    expect(ladder.calls).toEqual({ a: 1, b: 1, c: 1, d: 0 });
    await ladder.clock.advance(20);
    expect(call.value).toBe('b');
    expect(call.took).toBe(120);
    expect(call.attempts).toEqual(['a:cancelled', 'b:ok', 'c:cancelled']);
    expect(call.receipt).toMatchObject({ servedBy: 'b', failedOver: true, degraded: false, cost: 0, duration: 120 });
    expect(call.receipt!.attempts.map(({ index, attempt, duration }) => [index, attempt, duration])).toEqual([
      [0, 0, 120],
      [1, 1, 70],
      [2, 2, 20],
    ]);
    expect(ladder.clock.refd).toBe(0);
    await ladder.clock.advance(1_000);
    expect(ladder.calls.d).toBe(0);
  });

  it('the first answers after all: it wins, and has not failed over', async () => {
    const ladder = await hedged(20, { name: 'a', plays: gives('a', 60) }, { name: 'b', plays: gives('b', 60) });
    const call = await ladder.call(undefined, 60);
    expect(call.value).toBe('a');
    expect(call.attempts).toEqual(['a:ok', 'b:cancelled']);
    expect(call.receipt).toMatchObject({ servedBy: 'a', failedOver: false });
  });

  it.each([
    ['rejects', fails(down)],
    ['throws', throws(down)],
  ])('a first candidate that %s: the second starts at once, and the third as late after it', async (_how, plays) => {
    const ladder = await hedged(
      1_000,
      { name: 'a', plays },
      { name: 'b', plays: hangs },
      { name: 'c', plays: gives('c', 5) },
    );
    const call = ladder.begin();
    await ladder.clock.advance(999);
    expect(ladder.calls).toEqual({ a: 1, b: 1, c: 0 });
    await ladder.clock.advance(6);
    expect(call.value).toBe('c');
    expect(call.attempts).toEqual(['a:transient', 'b:cancelled', 'c:ok']);
    expect(call.took).toBe(1_005);
  });

  it('a failure of any that runs starts the next at once', async () => {
    const ladder = await hedged(
      50,
      { name: 'a', plays: hangs },
      { name: 'b', plays: fails(down, 10) },
      { name: 'c', plays: gives('c', 5) },
    );
    const call = await ladder.call(undefined, 65);
    expect(call.value).toBe('c');
    expect(call.took).toBe(65);
    expect(call.attempts).toEqual(['a:cancelled', 'b:transient', 'c:ok']);
  });

  it('after: 0 is a race of all, also where they answer at once', async () => {
    const ladder = await hedged(
      0,
      { name: 'a', plays: gives('a', 30) },
      { name: 'b', plays: fails(down, 5) },
      { name: 'c', plays: gives('c', 20) },
    );
    const call = ladder.begin();
    await ladder.clock.advance(0);
    expect(ladder.calls).toEqual({ a: 1, b: 1, c: 1 });
    await ladder.clock.advance(20);
    expect(call.value).toBe('c');
    expect(call.attempts).toEqual(['a:cancelled', 'b:transient', 'c:ok']);

    const fast = await hedged(0, { name: 'a', plays: () => 'a' }, { name: 'b', plays: () => 'b' });
    const together = await fast.call();
    expect(together.value).toBe('a');
    expect(together.attempts).toEqual(['a:ok', 'b:cancelled']);
  });

  it('after: Infinity is one candidate at a time', async () => {
    const rungs = [
      { name: 'a', plays: gives('a', 9_000) },
      { name: 'b', plays: gives('b') },
    ];
    const ladder = await open({ rungs, options: { hedge: { after: Infinity } } });
    const call = await ladder.call(undefined, 9_000);
    expect(call.attempts).toEqual(['a:ok']);
  });

  it('calls do not disturb each other', async () => {
    const ladder = await hedged(
      50,
      { name: 'a', plays: [hangs, gives('a2', 10), hangs] },
      { name: 'b', plays: [gives('b1', 30), gives('b2', 5)] },
    );
    const one = ladder.begin();
    await ladder.clock.advance(20);
    const two = ladder.begin();
    await ladder.clock.advance(10);
    expect(two.value).toBe('a2');
    const three = ladder.begin();
    await ladder.clock.advance(100);
    expect([one.value, one.took]).toEqual(['b1', 80]);
    expect([three.value, three.took]).toEqual(['b2', 55]);
    expect(ladder.calls).toEqual({ a: 3, b: 2 });
  });
});
