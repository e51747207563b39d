import { describe, expect, it } from '@jest/globals';
import { createFallbackChain } from '../../lib/index.js';
import { Ended } from '../support/core-call.js';
import { paced } from '../support/paced.js';
import { fails } from '../support/plays.js';
import { TestClock, settle } from '../support/test-clock.js';

const S = 1_000;
const down = new Error('down');

describe('while a call waits for its slot', () => {
  it('the circuit may open: the candidate is then cooling', async () => {
    const { ladder, begin, a } = await paced({ breaker: { threshold: 1 } }, {}, fails(down, 500));
    const [, second] = begin(2);
    await ladder.clock.advance(S);
    expect(second).toMatchObject({ value: 'b', took: S, attempts: ['a:skipped(cooling)', 'b:ok'] });
    expect(a.times).toEqual([0]);
  });

  it('the candidate may be isolated by hand', async () => {
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
