import { describe, expect, it } from '@jest/globals';
import { FallbackExhaustedError } from '../../lib/index.js';
import type { ChainOptions, DegradedOptions } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import type { Ladder } from '../support/ladder.js';
import { fails, gives, hangs } from '../support/plays.js';
import type { Play, Step } from '../support/plays.js';

const down = new Error('down');

/** A ladder with a deadline of 100, and a substitute that is computed for so long. */
async function computing(plays: Play, takes: number, options: ChainOptions): Promise<Ladder> {
  const ladder: Ladder = await open({
    rungs: [{ name: 'a', plays }],
    options,
    degraded: { substitute: () => ladder.clock.sleep(takes).then(() => 'computed') },
  });
  return ladder;
}

describe('reserve keeps time for the substitute', () => {
  it('candidates are cut at the deadline minus reserve, and the next is not called', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: hangs },
        { name: 'b', plays: gives('b') },
      ],
      options: { deadline: 100, reserve: 30 },
      degraded: { substitute: 'popular' },
    });
    const call = await ladder.call(undefined, 100);
    expect(call).toMatchObject({ outcome: { value: 'popular' }, took: 70 });
    expect(call.attempts).toEqual(['a:timeout', 'b:skipped(deadline)']);
    expect(ladder.contexts[0]!.deadline.remaining()).toBe(0);
  });

  it('what candidates may see of the rest is without reserve', async () => {
    let left = NaN;
    const plays = (ctx: { deadline: { remaining(): number } }) => Promise.resolve((left = ctx.deadline.remaining()));
    const ladder = await open({ rungs: [{ name: 'a', plays }], options: { deadline: 100, reserve: 30 } });
    await ladder.call();
    expect(left).toBe(70);
  });

  it.each([
    ['in the reserve', 30, 29, true],
    ['not in the reserve', 30, 31, false],
    ['though nothing was reserved', 0, 1, false],
  ])('a computed substitute that comes %s', async (_what, reserve, takes, isServed) => {
    const ladder = await computing(hangs, takes, { deadline: 100, reserve });
    const call = await ladder.call(undefined, 200);
    const served = { outcome: { value: 'computed' }, took: 100 - reserve + takes };
    const exhausted = { outcome: { error: expect.any(FallbackExhaustedError) }, took: 100 };
    expect(call).toMatchObject(isServed ? served : exhausted);
    expect(ladder.eventsNamed('hook.failed').map(({ hook }) => hook)).toEqual(isServed ? [] : ['substitute']);
    expect(ladder.clock.refd).toBe(0);
  });

  it('a computed substitute has all that the candidates left over', async () => {
    const ladder = await computing(fails(down, 10), 89, { deadline: 100, reserve: 30 });
    expect(await ladder.call(undefined, 200)).toMatchObject({ outcome: { value: 'computed' }, took: 99 });
  });

  it('a computed substitute is never given less than reserve, also when a candidate kept the thread', async () => {
    const busy: Step = async (_ctx, clock) => {
      await clock.advance(150);
      throw down;
    };
    const ladder = await computing(busy, 29, { deadline: 100, reserve: 30 });
    expect((await ladder.call(undefined, 250)).value).toBe('computed');
  });

  it('without a deadline a computed substitute takes the time it needs', async () => {
    const ladder = await computing(fails(down), 1e6, {});
    expect((await ladder.call(undefined, 1e6)).value).toBe('computed');
  });

  it('the caller who goes away while it is computed gets the reason', async () => {
    const ladder = await computing(hangs, 1e6, { deadline: 100, reserve: 30 });
    const caller = new AbortController();
    const call = ladder.begin(undefined, caller.signal);
    await ladder.clock.advance(80);
    caller.abort(down);
    await ladder.clock.advance(0);
    expect(call.error).toBe(down);
    expect(call.took).toBe(80);
    expect(ladder.clock.refd).toBe(1); // the substitute's own
  });
});

describe('what can be served at once is served even when nothing is left', () => {
  it.each<readonly [string, DegradedOptions, unknown]>([
    ['a static value', { substitute: 'popular' }, 'popular'],
    ['undefined', { substitute: undefined }, undefined],
    ['a value computed at once', { substitute: () => 'made' }, 'made'],
    ['a step left out', { skip: true }, undefined],
  ])('%s', async (_what, degraded, value) => {
    const ladder = await open({ rungs: [{ name: 'a', plays: hangs }], options: { deadline: 100 }, degraded });
    const call = await ladder.call(undefined, 100);
    expect(call).toMatchObject({ took: 100, outcome: { value } });
    expect(call.receipt).toMatchObject({ degraded: true, servedBy: null });
  });

  it('the last known good', async () => {
    const ladder = await open({
      rungs: [{ name: 'a', plays: [gives({ n: 1 }), hangs] }],
      options: { deadline: 100 },
      degraded: { lastKnownGood: { maxAge: '1h' } },
    });
    await ladder.call('q');
    const call = await ladder.call('q', 100);
    expect(call).toMatchObject({ outcome: { value: { n: 1 } }, took: 100 });
    expect(call.receipt).toMatchObject({ source: 'last-known-good', age: 100, reason: 'timeout' });
  });

  it('a thin answer that is held', async () => {
    const thin = { hits: 0 };
    const ladder = await open({
      rungs: [
        { name: 'a', plays: gives(thin), assess: () => 'thin' },
        { name: 'b', plays: hangs },
      ],
      options: { deadline: 100 },
    });
    const call = await ladder.call(undefined, 100);
    expect(call.value).toBe(thin);
    expect(call.attempts).toEqual(['a:thin', 'b:timeout']);
  });
});
