import { describe, expect, it } from '@jest/globals';
import { open } from '../support/ladder.js';
import { Log, paced } from '../support/paced.js';
import { fails, gives } from '../support/plays.js';
import { settle } from '../support/test-clock.js';

const S = 1_000;
const down = new Error('down');

describe('F40 minInterval gives every call a slot of its own', () => {
  it('the second call waits exactly the rest of the interval', async () => {
    const { ladder, a, b } = await paced();
    expect((await ladder.call()).took).toBe(0);
    await ladder.clock.advance(300);
    const second = ladder.begin();
    await ladder.clock.advance(699);
    expect(second.isSettled).toBe(false);
    await ladder.clock.advance(1);
    expect([second.value, second.took, second.attempts]).toEqual(['a', 700, ['a:ok']]);
    expect([a.times, b.times]).toEqual([[0, S], []]);
  });

  it('after one call, three at once are served 1, 2 and 3 intervals later', async () => {
    const { ladder, begin, a } = await paced();
    await ladder.call();
    const calls = begin(3);
    await ladder.clock.advance(3 * S);
    expect(a.times).toEqual([0, S, 2 * S, 3 * S]);
    expect(calls.map(({ took }) => took)).toEqual([S, 2 * S, 3 * S]);
    expect(calls[2]!.receipt).toMatchObject({ servedBy: 'a', failedOver: false });
  });

  it('one whose slot would be too late passes over it at once, and takes no slot', async () => {
    const { ladder, begin, a } = await paced({ deadline: 2_500 });
    await ladder.call();
    const calls = begin(4);
    await settle();
    expect(calls.map(({ isSettled }) => isSettled)).toEqual([false, false, true, true]);
    expect(calls[3]).toMatchObject({ value: 'b', took: 0, attempts: ['a:skipped(pacing)', 'b:ok'] });
    await ladder.clock.advance(2 * S);
    await ladder.call(undefined, S);
    expect(a.times).toEqual([0, S, 2 * S, 3 * S]);
  });

  it.each([
    ['the deadline itself', { deadline: S }, ['a:skipped(pacing)', 'b:ok']],
    ['one ms before it', { deadline: S + 1 }, ['a:ok']],
    ['what the reserve leaves', { deadline: S + 50, reserve: 50 }, ['a:skipped(pacing)', 'b:ok']],
  ])('a slot at %s', async (_title, options, attempts) => {
    const { ladder } = await paced(options);
    await ladder.call();
    expect((await ladder.call(undefined, S)).attempts).toEqual(attempts);
  });

  it('minInterval 60 s and deadline 5 s: no wait', async () => {
    const { ladder } = await paced({ deadline: '5s' }, { minInterval: '60s' });
    await ladder.call();
    const call = await ladder.call();
    expect(call).toMatchObject({ value: 'b', took: 0, attempts: ['a:skipped(pacing)', 'b:ok'] });
    expect(ladder.eventsNamed('attempt.skipped')).toEqual([
      expect.objectContaining({ candidate: 'a', reason: 'pacing' }),
    ]);
    expect(ladder.health.snapshot('ladder').candidates[0]!.counts).toEqual({ ok: 1, pacing: 1 });
  });

  it('the wait is outside the timeout', async () => {
    const { ladder } = await paced({}, { timeout: 100 }, gives('a', 99));
    await ladder.call(undefined, 99);
    const call = await ladder.call(undefined, S);
    expect(call).toMatchObject({ value: 'a', attempts: ['a:ok'], took: 901 + 99 });
    expect(call.receipt!.attempts[0]!.duration).toBe(99);
  });

  it('nor does it count for a candidate that is tried after another', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: fails(down) },
        { name: 'b', minInterval: S, timeout: 100, plays: gives('b', 99) },
      ],
    });
    await ladder.call(undefined, 99);
    const call = await ladder.call(undefined, S);
    expect(call).toMatchObject({ value: 'b', attempts: ['a:transient', 'b:ok'], took: 901 + 99 });
    expect(call.receipt!.attempts[1]!.duration).toBe(99);
  });

  it('a call that nobody watches, and that has no limit, waits like any other', async () => {
    const log = new Log();
    const ladder = await open({ rungs: [{ name: 'a', minInterval: S, plays: log.of(gives('a')) }], isWatched: false });
    await ladder.call();
    expect(await ladder.call(undefined, S)).toMatchObject({ value: 'a', took: S });
    expect(log.times).toEqual([0, S]);
  });

  it('the pace of each candidate is its own, also where the chain says it for all', async () => {
    const { ladder, a, b } = await paced({ minInterval: S }, { minInterval: undefined }, fails(down));
    await ladder.call();
    await ladder.call(undefined, S);
    expect([a.times, b.times]).toEqual([
      [0, S],
      [0, S],
    ]);
  });

  it('a failed call has used its slot, and a slow one keeps nobody waiting for more than the slot', async () => {
    const { ladder, a } = await paced({ deadline: '30s' }, {}, gives('a', 5 * S));
    ladder.begin();
    ladder.begin();
    await ladder.clock.advance(S);
    expect(a.times).toEqual([0, S]);
    expect(a.inFlight).toBe(2);
    await ladder.clock.advance(10 * S);
  });
});

describe('a slot that is not used', () => {
  it('of a caller who leaves is free for the next who asks; nobody who waits is moved', async () => {
    const { ladder, begin, a } = await paced();
    await ladder.call();
    const gone = new AbortController();
    const reason = new Error('gone');
    const leaver = ladder.begin(undefined, gone.signal);
    const [stays] = begin(1);
    await settle();
    gone.abort(reason);
    await settle();
    expect(leaver).toMatchObject({ error: reason, took: 0, attempts: [] });
    const late = ladder.begin();
    await ladder.clock.advance(2 * S);
    expect(a.times).toEqual([0, S, 2 * S]);
    expect([late.took, stays!.took]).toEqual([S, 2 * S]);
  });

  it('a whole crowd that leaves does not keep those who come after it waiting', async () => {
    const { ladder, a } = await paced();
    await ladder.call();
    const gone = new AbortController();
    for (let caller = 0; caller < 50; caller++) ladder.begin(undefined, gone.signal);
    await settle();
    expect(ladder.clock.refd).toBe(50);
    gone.abort();
    await settle();
    expect(ladder.clock.refd).toBe(0);
    await ladder.call(undefined, S);
    expect(a.times).toEqual([0, S]);
  });

  it('whose time has passed is lost: the distance to the next one holds', async () => {
    const { ladder, begin, a } = await paced();
    await ladder.call();
    const gone = new AbortController();
    ladder.begin(undefined, gone.signal);
    begin(1);
    await ladder.clock.advance(500);
    gone.abort();
    await ladder.clock.advance(700); // at 1200 the slot of 1000 is past, and 2000 too near
    ladder.begin();
    await ladder.clock.advance(2 * S);
    expect(a.times).toEqual([0, 2 * S, 3 * S]);
  });

  it('of a call that is cut by a shutdown: it ends with that, and no timer is left', async () => {
    const { ladder } = await paced({}, { minInterval: '60s' });
    await ladder.call();
    const waits = ladder.begin();
    await ladder.close();
    expect(waits.error).toMatchObject({ code: 'SHUTTING_DOWN' });
    expect(ladder.clock.timers).toBe(0);
  });
});
