import { describe, expect, it } from '@jest/globals';
import { Bench, Ended, Heard } from '../support/core-call.js';
import { createFallbackChain } from '../../lib/index.js';
import type { AttemptContext } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import { Log } from '../support/paced.js';
import { fails, gives } from '../support/plays.js';
import { TestClock, settle } from '../support/test-clock.js';

const S = 1_000;
const down = new Error('down');

/** a is paced, b stands behind it. */
async function paced(options: object = {}, a: object = {}, step = gives('a')) {
  const [logA, logB] = [new Log(), new Log()];
  const ladder = await open({
    rungs: [
      { name: 'a', minInterval: S, ...a, plays: logA.of(step) },
      { name: 'b', plays: logB.of(gives('b')) },
    ],
    options,
  });
  const begin = (count: number) => Array.from({ length: count }, () => ladder.begin());
  return { ladder, begin, a: logA, b: logB };
}

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

describe('while a call waits for its slot', () => {
  it('the circuit may open: the candidate is then cooling', async () => {
    const { ladder, begin, a } = await paced({ breaker: { threshold: 1 } }, {}, fails(down, 500));
    const [, second] = begin(2);
    await ladder.clock.advance(S);
    expect(second).toMatchObject({ value: 'b', took: S, attempts: ['a:skipped(cooling)', 'b:ok'] });
    expect(a.times).toEqual([0]);
  });

  it('it may be isolated by hand', async () => {
    const { ladder, a } = await paced();
    await ladder.call();
    const call = ladder.begin();
    await settle();
    ladder.health.isolate('ladder', 'a');
    await ladder.clock.advance(S);
    expect(call).toMatchObject({ value: 'b', attempts: ['a:skipped(isolated)', 'b:ok'] });
    expect(a.times).toEqual([0]);
  });

  it('one that blocks the thread for intervals does not let all of them in at once', async () => {
    const clock = new TestClock();
    const times: number[] = [];
    const chain = createFallbackChain([() => void times.push(clock.now() - 1_000)], { clock, minInterval: S });
    await chain.run();
    for (let call = 0; call < 3; call++) void chain.run();
    await settle();
    const now = clock.now.bind(clock);
    clock.now = () => Math.max(now(), 4_000); // every timer until then fires when it is 4000 already
    await clock.advance(3 * S);
    expect(times[1]).toBe(3 * S);
    expect(times.map((time, call) => (call === 0 ? S : time - times[call - 1]!)).every((gap) => gap >= S)).toBe(true);
  });

  it('the thread may be blocked until the deadline is over: the candidate is not called', async () => {
    const clock = new TestClock();
    let calls = 0;
    const chain = createFallbackChain([() => void calls++], { clock, minInterval: S, deadline: 1_500 });
    await chain.run();
    const call = new Ended(chain.run(), clock);
    await settle();
    const now = clock.now.bind(clock);
    clock.now = () => Math.max(now(), 2_800);
    await clock.advance(S);
    expect(call.error).toMatchObject({
      message: 'All 1 fallback candidates failed (candidate0: deadline)',
    });
    expect(calls).toBe(1);
  });

  it('F36 a probe that waits is the only one; the others pass over without waiting', async () => {
    const { ladder, begin, a } = await paced(
      { breaker: { threshold: 1, cooldown: 200 } },
      { timeout: 50 },
      (_ctx, clock) => (clock.now() < 1_500 ? Promise.reject(down) : Promise.resolve('a')),
    );
    await ladder.call();
    await ladder.clock.advance(200);
    const calls = begin(5);
    await settle();
    expect(calls.map(({ isSettled }) => isSettled)).toEqual([false, true, true, true, true]);
    expect(calls[1]!.attempts).toEqual(['a:skipped(cooling)', 'b:ok']);
    // longer than its lease would be without the wait
    await ladder.clock.advance(700);
    expect((await ladder.call()).attempts).toEqual(['a:skipped(cooling)', 'b:ok']);
    await ladder.clock.advance(100);
    expect(calls[0]).toMatchObject({ value: 'a', took: 800 });
    expect(ladder.circuits).toMatchObject({ a: 'closed 0' });
    expect(a.times).toEqual([0, S]);
    expect(ladder.eventsNamed('circuit.half-opened')).toHaveLength(1);
  });

  it('F36 a probe whose caller leaves while it waits is free at once', async () => {
    const { ladder } = await paced({ breaker: { threshold: 1, cooldown: 200 } }, {}, fails(down));
    await ladder.call();
    await ladder.clock.advance(200);
    const gone = new AbortController();
    ladder.begin(undefined, gone.signal);
    await settle();
    gone.abort();
    await settle();
    const probe = ladder.begin();
    await ladder.clock.advance(800);
    expect(probe.attempts).toEqual(['a:transient', 'b:ok']);
  });

  it('F36 a probe whose slot would be too late is not taken', async () => {
    const { ladder } = await paced({ deadline: 300, breaker: { threshold: 1, cooldown: 200 } }, {}, fails(down));
    await ladder.call();
    await ladder.clock.advance(200);
    expect((await ladder.call()).attempts).toEqual(['a:skipped(pacing)', 'b:ok']);
    expect(ladder.eventsNamed('circuit.half-opened')).toHaveLength(0);
    await ladder.clock.advance(501);
    expect((await ladder.call(undefined, 299)).attempts).toEqual(['a:transient', 'b:ok']);
  });
});

describe('minInterval beside other options', () => {
  it('the time of an asynchronous supports counts, the wait after it does not', async () => {
    const { ladder } = await paced(
      {},
      {
        timeout: 100,
        supports: () => ladderClock.sleep(40).then(() => true),
      },
      gives('a', 70),
    );
    const ladderClock = ladder.clock;
    const first = await ladder.call(undefined, 110);
    expect(first.attempts).toEqual(['a:timeout', 'b:ok']);
    const call = await ladder.call(undefined, 2 * S);
    expect(call.attempts).toEqual(['a:timeout', 'b:ok']);
    // the first call was at 40, so its slot was at 1040, and 60 ms were left then
    expect(call.took).toBe(1_100 - 110);
    expect(call.receipt!.attempts[0]!.duration).toBe(100);
    expect(ladder.clock.refd).toBe(0);
  });

  it('one whose caller leaves while it waits after such a supports leaves no timer', async () => {
    const { ladder } = await paced({}, { timeout: 5 * S, supports: async () => true });
    await ladder.call();
    const gone = new AbortController();
    const call = ladder.begin(undefined, gone.signal);
    await settle();
    gone.abort(down);
    await settle();
    expect(call.error).toBe(down);
    expect(ladder.clock.refd).toBe(0);
  });

  it('an attempt that was over before it began is written down at once', async () => {
    const own = { supports: async () => true, timeout: () => 'soon' as never };
    const { ladder, a } = await paced({}, own);
    await ladder.call();
    expect(await ladder.call()).toMatchObject({ took: 0, attempts: ['a:timeout', 'b:ok'] });
    expect(a.times).toEqual([]);
  });

  it('a further try that is given up gives its slot back', async () => {
    const clock = new TestClock();
    const times: number[] = [];
    const run = () => {
      times.push(clock.now() - 1_000);
      return times.length === 1 ? Promise.reject(down) : 'a';
    };
    const chain = createFallbackChain([{ name: 'a', run, retries: 1, minInterval: S }], { clock });
    const gone = new AbortController();
    const call = new Ended(chain.run({ signal: gone.signal }), clock);
    await settle();
    gone.abort(down);
    await settle();
    expect(call.error).toBe(down);
    void chain.run();
    await clock.advance(S);
    expect(times).toEqual([0, S]);
  });

  it('further tries have slots of their own', async () => {
    const log = new Log();
    const clock = new TestClock();
    const heard = new Heard();
    const run = log.of(fails(down));
    const chain = createFallbackChain(
      [{ name: 'a', run: (ctx: AttemptContext) => run(ctx, clock, []), retries: 2, minInterval: S }],
      {
        clock,
        onAttempt: heard.onAttempt,
      },
    );
    const first = chain.run();
    first.catch(() => {});
    await settle();
    const second = chain.run();
    second.catch(() => {});
    await clock.advance(10 * S);
    expect(log.times).toEqual([0, S, 2 * S, 3 * S, 4 * S, 5 * S]);
    expect(heard.records.map(({ tries }) => tries)).toEqual([3, 3]);
  });

  it('a gated candidate behind it answers what is rate-limited', async () => {
    const bench = new Bench(
      [
        { name: 'a', run: () => 'a', minInterval: '60s' },
        { name: 'b', run: () => 'b', on: ['rate-limited'] },
      ],
      { deadline: '1s' },
    );
    bench.begin();
    await settle();
    const call = bench.begin();
    await settle();
    expect(call.value).toBe('b');
  });

  it('the last resort waits for its slot too, with one record', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', minInterval: S, plays: [fails(down), gives('a')] },
        { name: 'b', plays: fails(down) },
      ],
      options: { breaker: { threshold: 1, cooldown: '60s' } },
    });
    await ladder.call();
    const call = ladder.begin();
    await ladder.clock.advance(S);
    expect(call).toMatchObject({ value: 'a', took: S, attempts: ['b:skipped(cooling)', 'a:ok'] });
  });
});
