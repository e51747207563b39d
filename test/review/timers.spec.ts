import { describe, expect, it } from '@jest/globals';
import { createFallbackChain } from '../../lib/core/index.js';
import { timersOf } from '../../lib/core/timer-list.js';
import { collector } from '../support/collector.js';
import { Ended } from '../support/core-call.js';
import { TestClock, settle } from '../support/test-clock.js';

const collect = collector('timer lists are not checked for leaks');
const describeCollecting = collect === undefined ? describe.skip : describe;

describeCollecting('timer lists of timeouts that are given per run', () => {
  const DELAYS = Array.from({ length: 50 }, (_, place) => 100 + place);

  const listsOf = (clock: TestClock) => DELAYS.map((delay) => new WeakRef(timersOf(clock).for(delay)!));

  it('are not kept for ever', async () => {
    const clock = new TestClock();
    const chain = createFallbackChain<string>([() => Promise.resolve('a')], { clock });
    for (const timeout of DELAYS) expect(await chain.run({ timeout })).toBe('a');
    const lists = listsOf(clock);
    await clock.advance(1_000);
    expect(clock.timers).toBe(0);
    await collect!();
    expect(lists.filter((list) => list.deref() !== undefined)).toHaveLength(0);
    expect(await chain.run({ timeout: DELAYS[0]! })).toBe('a');
  });

  it('neither are those of deadlines', async () => {
    const clock = new TestClock();
    const chain = createFallbackChain<string>([() => Promise.resolve('a')], { clock });
    for (const deadline of DELAYS) expect(await chain.run({ deadline })).toBe('a');
    const lists = listsOf(clock);
    await clock.advance(1_000);
    await collect!();
    expect(lists.filter((list) => list.deref() !== undefined)).toHaveLength(0);
  });

  it('are kept while something waits in them', async () => {
    const clock = new TestClock();
    const chain = createFallbackChain<string>([() => new Promise<never>(() => {}), () => 'b'], { clock });
    const calls = DELAYS.map((timeout) => new Ended(chain.run({ timeout }), clock));
    await settle();
    await collect!();
    await clock.advance(1_000);
    expect(calls.map(({ took }) => took)).toEqual(DELAYS);
    expect(calls.every(({ value }) => value === 'b')).toBe(true);
  });

  it('are one for all chains that use them', async () => {
    const clock = new TestClock();
    const chain = createFallbackChain<string>([() => Promise.resolve('a')], { clock, timeout: 500 });
    await chain.run();
    const list = new WeakRef(timersOf(clock).for(500)!);
    await clock.advance(1_000);
    await collect!();
    expect(list.deref()).toBe(timersOf(clock).for(500));
    expect(await chain.run()).toBe('a');
  });
});

it('a timer is set for the timeout, not for what is left of it after rounding', async () => {
  const clock = new TestClock();
  await clock.advance(0.4); // 1000.4 + 1000 - 1000.4 is more than 1000
  const delays: number[] = [];
  const setTimer = (fn: () => void, delay: number) => {
    delays.push(delay);
    return clock.setTimer(fn, delay);
  };
  const watched = { now: () => clock.now(), wall: () => clock.wall(), setTimer };
  expect(await createFallbackChain([() => Promise.resolve('a')], { clock: watched, timeout: 1_000 }).run()).toBe('a');
  expect(delays).toEqual([1_000]);
});
