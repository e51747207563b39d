import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { FallbackExhaustedError, receiptOf } from '../../lib/index.js';
import type { CandidateOptions, DegradedOptions } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import type { Call, Ladder } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';
import type { Play } from '../support/plays.js';

const down = new Error('down');
const HOUR = 3_600_000;

/** A ladder of one, whose answers are kept for so long. */
const source = (plays: Play, degraded: DegradedOptions, own: CandidateOptions = {}): Promise<Ladder> =>
  open({ rungs: [{ ...own, name: 'a', plays }], options: { breaker: { threshold: 100 } }, degraded });

/** Where an answer came from, and how old it was. */
const origin = ({ receipt }: Call) => ({ source: receipt?.source, age: receipt?.age, degraded: receipt?.degraded });
const kept = (age: number) => ({ source: 'last-known-good', age, degraded: true });
const standing = { source: 'static', age: undefined, degraded: true };

describe('F50 the source answers u-1 once, then fails', () => {
  const items = ['x', 'y'];
  const degraded = { lastKnownGood: { maxAge: HOUR }, substitute: { items: ['popular'] } };

  it.each([
    ['receipt', {}],
    ['property', { degraded: true }],
  ] as const)("F50 fresh, then stale and marked, then the static default (mark: '%s')", async (mark, marked) => {
    const answer = { items, when: new Date(0) };
    const ladder = await source([gives(answer), fails(down)], { ...degraded, mark });
    const fresh = await ladder.call('u-1');
    expect(fresh.value).toBe(answer);
    expect(fresh.value).not.toHaveProperty('degraded');
    expect(fresh.receipt).toMatchObject({ servedBy: 'a', source: 'candidate', degraded: false, failedOver: false });

    await ladder.clock.advance(12_000);
    const stale = await ladder.call('u-1');
    expect(stale.value).toEqual({ items, when: new Date(0), ...marked });
    expect(stale.value).not.toBe(answer);
    expect(stale.attempts).toEqual(['a:transient']);
    expect(stale.receipt).toMatchObject({
      servedBy: null,
      source: 'last-known-good',
      age: 12_000,
      degraded: true,
      reason: 'transient',
      failedOver: false,
    });
    expect(receiptOf(stale.value)).toEqual(stale.receipt);

    const stranger = await ladder.call('u-2');
    expect(stranger.value).toEqual({ items: ['popular'], ...marked });
    expect(stranger.attempts).toEqual(['a:transient']);
    expect(stranger.receipt).toMatchObject({ servedBy: null, source: 'static', degraded: true, reason: 'transient' });
    expect(stranger.receipt).not.toHaveProperty('age');

    const served = ladder.eventsNamed('call.served');
    expect(served.map((event) => [event.degraded, event.source, event.age])).toEqual([
      [false, 'candidate', undefined],
      [true, 'last-known-good', 12_000],
      [true, 'static', undefined],
    ]);
    expect(served.filter((event) => event.degraded === true)).toHaveLength(2);
    expect(JSON.stringify(ladder.events)).not.toMatch(/u-1|u-2|popular/);
    expect(ladder.calls).toEqual({ a: 3 });
  });

  it("F50 with mark: 'served' the envelope says the same", async () => {
    const ladder = await source([gives(items), fails(down)], { ...degraded, substitute: ['popular'], mark: 'served' });
    expect((await ladder.call('u-1')).value).toEqual({
      value: items,
      degraded: false,
      source: 'candidate',
      servedBy: 'a',
    });
    await ladder.clock.advance(12_000);
    const stale = { degraded: true, servedBy: null, reason: 'transient' };
    expect((await ladder.call('u-1')).value).toEqual({
      ...stale,
      value: items,
      source: 'last-known-good',
      age: 12_000,
    });
    expect((await ladder.call('u-2')).value).toEqual({ ...stale, value: ['popular'], source: 'static' });
  });

  it('F50 what the caller does with an answer is not kept', async () => {
    const ladder = await source([gives({ items: ['x'] }), fails(down)], degraded);
    const fresh = (await ladder.call('u-1')).value as { items: string[] };
    fresh.items.push('of the caller');
    const stale = (await ladder.call('u-1')).value as { items: string[] };
    expect(stale).toEqual({ items: ['x'] });
    stale.items.push('of the next caller');
    expect((await ladder.call('u-1')).value).toEqual({ items: ['x'] });
    ((await ladder.call('u-2')).value as { items: string[] }).items.push('of a third');
    expect((await ladder.call('u-2')).value).toEqual({ items: ['popular'] });
  });
});

describe('F51 how old a last known good may be', () => {
  const script = [gives({ n: 1 }), fails(down)];

  it('F51 as old as maxAge it is served; 1 ms older and the static default is', async () => {
    const ladder = await source(script, { lastKnownGood: { maxAge: '15m' }, substitute: { n: 0 } });
    await ladder.call('u-1');
    await ladder.goTo(15 * 60_000);
    const oldest = await ladder.call('u-1');
    expect(oldest.value).toEqual({ n: 1 });
    expect(origin(oldest)).toEqual(kept(15 * 60_000));

    await ladder.goTo(15 * 60_000 + 1);
    const tooOld = await ladder.call('u-1');
    expect(tooOld.value).toEqual({ n: 0 });
    expect(origin(tooOld)).toEqual(standing);
  });

  it('F51 without a static default a miss is exhaustion', async () => {
    const ladder = await source(script, { lastKnownGood: { maxAge: '15m' } });
    await ladder.call('u-1');
    await ladder.goTo(15 * 60_000 + 1);
    const call = await ladder.call('u-1');
    expect(call.error).toBeInstanceOf(FallbackExhaustedError);
    expect((call.error as FallbackExhaustedError).failures()).toEqual([{ candidate: 'a', error: down }]);
    expect(receiptOf(call.error)).toMatchObject({ servedBy: null, degraded: false });
  });

  it('F51 age is told by the wall clock: one that was set back does not make it younger than new', async () => {
    const ladder = await source(script, { lastKnownGood: { maxAge: '15m' }, substitute: { n: 0 } });
    await ladder.call('u-1');
    const stored = ladder.clock.wall();
    ladder.clock.setWall(stored - 5_000);
    expect(origin(await ladder.call('u-1'))).toEqual(kept(0));
    ladder.clock.setWall(stored - 5_001);
    expect(origin(await ladder.call('u-1'))).toEqual(standing);
  });
});

describe('F51 what is never written', () => {
  const lastKnownGood = { maxAge: HOUR };

  it.each<readonly [string, Play, CandidateOptions, unknown]>([
    ['an answer of a candidate declared degraded', gives({ n: 1 }), { degraded: true }, { n: 1 }],
    ['an answer that says itself that it is degraded', gives({ n: 1, degraded: true }), {}, { n: 1, degraded: true }],
    ['a thin answer', gives({ n: 1 }), { assess: () => 'thin' }, { n: 1 }],
    ['a vetoed answer', gives({ n: 1 }), { accept: () => false }, { n: 0 }],
    ['a substitute', fails(down), {}, { n: 0 }],
  ])('F51 %s', async (_what, first, own, value) => {
    const ladder = await source(
      [first as never, first as never, fails(down)],
      { lastKnownGood, substitute: { n: 0 } },
      own,
    );
    for (let call = 0; call < 2; call++) {
      const answered = await ladder.call('u-1');
      expect(answered.value).toEqual(value);
      expect(answered.receipt).toMatchObject({ degraded: true });
      expect(answered.receipt?.source).not.toBe('last-known-good');
      await ladder.clock.advance(2_000);
    }
    const later = await ladder.call('u-1');
    expect(later.value).toEqual({ n: 0 });
    expect(origin(later)).toEqual(standing);
  });

  it('F51 a last known good that is served grows no younger', async () => {
    const ladder = await source([gives({ n: 1 }), fails(down)], { lastKnownGood, substitute: { n: 0 } });
    await ladder.call('u-1');
    await ladder.goTo(HOUR - 1);
    expect(origin(await ladder.call('u-1'))).toEqual(kept(HOUR - 1));
    await ladder.goTo(HOUR + 1);
    expect(origin(await ladder.call('u-1'))).toEqual(standing);
  });
});

describe('F51 whose value it is', () => {
  const user = new AsyncLocalStorage<string>();
  const as = async (ladder: Ladder, who: string) => user.run(who, () => ladder.call('same question'));

  it('F51 two users with equal arguments but keys of their own never see the entry of the other', async () => {
    const key = (question: string) => [user.getStore()!, question];
    const ladder = await source([gives({ of: 'ada' }), fails(down), fails(down), gives({ of: 'bob' }), fails(down)], {
      lastKnownGood: { maxAge: HOUR, key },
      substitute: { of: 'nobody' },
    });
    expect((await as(ladder, 'ada')).value).toEqual({ of: 'ada' });
    expect((await as(ladder, 'bob')).value).toEqual({ of: 'nobody' });
    expect((await as(ladder, 'ada')).value).toEqual({ of: 'ada' });
    expect((await as(ladder, 'bob')).value).toEqual({ of: 'bob' });
    for (const who of ['ada', 'bob']) {
      const call = await as(ladder, who);
      expect(call.value).toEqual({ of: who });
      expect(origin(call)).toEqual(kept(0));
    }
    expect((await as(ladder, 'eve')).value).toEqual({ of: 'nobody' });
  });

  it('F51 keys of several parts do not run into each other', async () => {
    const key = () => user.getStore()!.split('|');
    const ladder = await source([gives({ of: 'ada' }), fails(down)], {
      lastKnownGood: { maxAge: HOUR, key },
      substitute: { of: 'nobody' },
    });
    await as(ladder, 'a,b|c');
    expect((await as(ladder, 'a|b,c')).value).toEqual({ of: 'nobody' });
    expect((await as(ladder, 'a|b|c')).value).toEqual({ of: 'nobody' });
    expect((await as(ladder, 'a,b|c')).value).toEqual({ of: 'ada' });
  });
});
