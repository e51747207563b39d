import { describe, expect, it } from '@jest/globals';
import { Observable } from 'rxjs';
import { createFallbackChain } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import { Log, bounded, heeds } from '../support/paced.js';
import { fails, gives, throws } from '../support/plays.js';
import type { Step } from '../support/plays.js';
import { TestClock, settle } from '../support/test-clock.js';

const down = new Error('down');

describe('maxConcurrent', () => {
  it('passes over a candidate that has as many calls as it may, at once', async () => {
    const { ladder, begin, log } = await bounded(gives('a', 100));
    const calls = await begin(4);
    expect(calls.map(({ isSettled }) => isSettled)).toEqual([false, false, true, true]);
    expect(calls[2]).toMatchObject({ value: 'b', took: 0, attempts: ['a:skipped(saturated)', 'b:ok'] });
    expect(calls[2]!.receipt).toMatchObject({ servedBy: 'b', failedOver: true });
    await ladder.clock.advance(100);
    expect(calls.map(({ value }) => value)).toEqual(['a', 'a', 'b', 'b']);
    expect((await ladder.call(undefined, 100)).value).toBe('a');
    expect(log.most).toBe(2);
    expect(ladder.eventsNamed('attempt.skipped')).toEqual([
      expect.objectContaining({ candidate: 'a', reason: 'saturated' }),
      expect.objectContaining({ candidate: 'a', reason: 'saturated' }),
    ]);
    expect(ladder.health.snapshot('ladder').candidates[0]!.counts).toEqual({ ok: 3, saturated: 2 });
    expect(ladder.circuits['a']).toBe('closed 0');
  });

  it('where everybody is saturated the call is exhausted, and says so', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: gives('a', 50) },
        { name: 'b', plays: gives('b', 50) },
      ],
      options: { maxConcurrent: 1 },
    });
    const calls = [ladder.begin(), ladder.begin(), ladder.begin()];
    await ladder.clock.advance(50);
    expect(calls[1]).toMatchObject({ value: 'b' });
    expect(calls[2]!.error).toMatchObject({
      code: 'FALLBACK_EXHAUSTED',
      message: 'All 2 fallback candidates failed (a: saturated; b: saturated)',
    });
    expect(calls[2]!.took).toBe(0);
  });

  it('a substitute is served instead, with the reason', async () => {
    const ladder = await open({
      rungs: [{ name: 'a', plays: gives('a', 50) }],
      options: { maxConcurrent: 1 },
      degraded: { substitute: 'kept' },
    });
    ladder.begin();
    const call = await ladder.call();
    expect(call).toMatchObject({ value: 'kept' });
    expect(call.receipt).toMatchObject({ source: 'static', reason: 'saturated' });
    await ladder.clock.advance(50);
  });

  it('a primary that is down does not drown the next: at most so many are there, whoever comes', async () => {
    const log = new Log();
    const ladder = await open({
      rungs: [
        { name: 'a', plays: fails(down) },
        { name: 'b', maxConcurrent: 5, plays: log.of(gives('b', 200)) },
        { name: 'c', plays: gives('c') },
      ],
    });
    const calls = [];
    for (let wave = 0; wave < 20; wave++) {
      for (let caller = 0; caller < 25; caller++) calls.push(ladder.begin());
      await ladder.clock.advance(50);
    }
    await ladder.clock.advance(200);
    expect(ladder.circuits['a']).toContain('open');
    expect(log.most).toBe(5);
    const values = calls.map(({ value }) => value);
    expect(values.filter((value) => value === 'b')).toHaveLength(log.times.length);
    expect(values.filter((value) => value === 'c')).toHaveLength(500 - log.times.length);
    expect(log.times).toHaveLength(25);
  });
});

describe('a permit is given back once, on every path', () => {
  it.each<[string, Step | readonly Step[], object, number]>([
    ['an answer', gives('a', 10), {}, 10],
    ['an answer at once', gives('a'), {}, 0],
    ['a rejection', fails(down, 10), {}, 10],
    ['a synchronous throw', throws(down), {}, 0],
    ['an answer that is vetoed', gives('a', 10), { accept: () => false }, 10],
    ['a thin answer that is held', gives('a', 10), { assess: () => 'thin' }, 10],
    ['a hook that throws', gives('a', 10), { accept: () => Promise.reject(down) }, 10],
    ['a terminal error', fails(Object.assign(new Error('no'), { status: 404 }), 10), {}, 10],
    ['a timeout of one that heeds its signal', heeds('a', 100), { timeout: 10 }, 10],
    ['a timeout while a hook thinks', gives('a'), { timeout: 10, accept: () => new Promise(() => {}) }, 10],
    ['a computed timeout of nonsense', gives('a'), { timeout: () => 'soon' as never }, 0],
    ['a supports that never answers', gives('a'), { timeout: 10, supports: () => new Promise(() => {}) }, 10],
    ['further tries', [fails(down), fails(down), gives('a')], { retries: 2 }, 5_000],
  ])('%s', async (_title, step, a, takes) => {
    const { ladder, begin } = await bounded(step, a);
    for (let round = 1; round <= 3; round++) {
      const calls = await begin(2);
      await ladder.clock.advance(takes);
      expect(calls.map(({ isSettled }) => isSettled)).toEqual([true, true]);
    }
    await settle();
    const [one, two, three] = await begin(3);
    await ladder.clock.advance(takes);
    const saturated = [one, two, three].map((call) => call!.attempts.includes('a:skipped(saturated)'));
    expect(saturated.slice(0, 2)).toEqual([false, false]);
  });

  it('the caller leaves', async () => {
    const { begin, log } = await bounded(heeds('a', 100));
    const gone = new AbortController();
    await begin(2, gone.signal);
    gone.abort();
    await settle();
    const calls = await begin(3);
    expect(log.times).toHaveLength(4);
    expect(calls[2]!.attempts).toEqual(['a:skipped(saturated)', 'b:ok']);
  });

  it.each([
    ['its timeout', { timeout: 50 }],
    ['the deadline', { deadline: 50 }],
  ])('an Observable is unsubscribed by %s', async (_title, options) => {
    const clock = new TestClock();
    let subscribed = 0;
    let running = 0;
    const forEver = new Observable<string>(() => {
      subscribed++;
      running++;
      return () => void running--;
    });
    const chain = createFallbackChain<string>([() => forEver, () => 'b'], { clock, maxConcurrent: 2, ...options });
    const begin = () => Promise.allSettled([chain.run(), chain.run()]);
    void begin();
    await clock.advance(50);
    expect([subscribed, running]).toEqual([2, 0]);
    void begin();
    await settle();
    expect(subscribed).toBe(4);
    await clock.advance(50);
  });

  it('a shutdown ends the calls, and what they hold', async () => {
    const { ladder, begin, log } = await bounded(heeds('a', 60_000));
    const calls = await begin(2);
    await ladder.close();
    expect(calls.map(({ error }) => error)).toEqual(
      [1, 2].map(() => expect.objectContaining({ code: 'SHUTTING_DOWN' })),
    );
    expect(log.inFlight).toBe(0);
  });

  it('a late answer gives nothing back a second time', async () => {
    const { ladder, begin, log } = await bounded(gives('a', 30), { timeout: 10 });
    await begin(2);
    await ladder.clock.advance(30); // cut at 10, settled at 30
    expect((await begin(3))[2]!.attempts).toEqual(['a:skipped(saturated)', 'b:ok']);
    await ladder.clock.advance(30);
    expect((await begin(3))[2]!.attempts).toEqual(['a:skipped(saturated)', 'b:ok']);
    expect(log.most).toBe(2);
  });
});
