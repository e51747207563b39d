import { describe, expect, it, jest } from '@jest/globals';
import { fallback } from '../../lib/core/index.js';
import { Ended, thenable } from '../support/core-call.js';
import { open } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';
import { TestClock, settle } from '../support/test-clock.js';

const down = new Error('down');

/** A query builder: it runs when `then` is called, each time anew. */
function lazy<T>(clock: TestClock, value: T, takes: number) {
  const run = jest.fn((resolve: (value: T) => void) => void clock.sleep(takes).then(() => resolve(value)));
  return { run, query: thenable<T>(run) };
}

describe('a lazy thenable runs once', () => {
  it('in time and after a timeout, whoever listens afterwards', async () => {
    for (const takes of [0, 10, 60]) {
      const clock = new TestClock();
      const { run, query } = lazy(clock, 'rows', takes);
      const call = new Ended(fallback<string>([() => query, () => 'b'], { timeout: 20, clock }), clock);
      await clock.advance(100);
      expect(call.value).toBe(takes > 20 ? 'b' : 'rows');
      expect(run).toHaveBeenCalledTimes(1);
    }
  });

  it('with nothing that could cut it', async () => {
    const clock = new TestClock();
    const { run, query } = lazy(clock, 'rows', 0);
    const call = new Ended(fallback<string>([() => query]), clock);
    await clock.advance(0);
    expect(call.value).toBe('rows');
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('when the deadline is over', async () => {
    const clock = new TestClock();
    const { run, query } = lazy(clock, 'rows', 60);
    const call = new Ended(fallback<string>([() => query], { deadline: 20, clock }), clock);
    await clock.advance(100);
    expect(call).toMatchObject({ outcome: { error: { code: 'FALLBACK_EXHAUSTED' } }, took: 20 });
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('when the caller goes away', async () => {
    const clock = new TestClock();
    const caller = new AbortController();
    const { run, query } = lazy(clock, 'rows', 60);
    const call = new Ended(fallback<string>([() => query], { signal: caller.signal, clock }), clock);
    await clock.advance(20);
    caller.abort(down);
    await clock.advance(100);
    expect(call).toMatchObject({ outcome: { error: down }, took: 20 });
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('of a decorated method, and its late answer is the last known good', async () => {
    const clock = new TestClock();
    const { run, query } = lazy(clock, 'rows', 60);
    const ladder = await open({
      rungs: [{ name: 'a', timeout: 20, plays: [() => query, fails(down)] }],
      degraded: { lastKnownGood: { maxAge: '1h' }, substitute: 'substitute' },
      module: { clock },
    });
    const call = ladder.begin('q');
    await clock.advance(100);
    expect(call.value).toBe('substitute');
    expect(run).toHaveBeenCalledTimes(1);
    expect(ladder.eventsNamed('attempt.late')).toHaveLength(1);
    const next = ladder.begin('q');
    await clock.advance(0);
    expect(next.value).toBe('rows');
  });

  it('given by accept, which is asked once, also when it answers late', async () => {
    const clock = new TestClock();
    const { run, query } = lazy(clock, true, 60);
    const accept = jest.fn(() => query);
    const ladder = await open({
      rungs: [
        { name: 'a', timeout: 20, accept, plays: gives('a') },
        { name: 'b', plays: gives('b') },
      ],
      module: { clock },
    });
    const call = ladder.begin();
    await clock.advance(100);
    expect(call.value).toBe('b');
    expect(call.attempts).toEqual(['a:timeout', 'b:ok']);
    expect(accept).toHaveBeenCalledTimes(1);
    expect(run).toHaveBeenCalledTimes(1);
    expect(ladder.eventsNamed('attempt.late')).toEqual([]);
  });
});

describe('a thenable that calls back more than once', () => {
  const twice: readonly (readonly [string, (resolve: (v: unknown) => void, reject: (e: unknown) => void) => void])[] = [
    ['with two values', (resolve) => (resolve('first'), resolve('second'))],
    ['with a value and an error', (resolve, reject) => (resolve('first'), reject(down))],
    [
      'with a value and a throw',
      (resolve) => {
        resolve('first');
        throw down;
      },
    ],
  ];

  it.each(twice)('%s: the first counts, once', async (_how, then) => {
    for (const timeout of [Infinity, 20]) {
      const onAttempt = jest.fn();
      const b = jest.fn(() => 'b');
      const answer = () => thenable(then as never);
      expect(await fallback<unknown>([answer, b], { timeout, onAttempt, clock: new TestClock() })).toBe('first');
      await settle();
      expect(onAttempt).toHaveBeenCalledTimes(1);
      expect(b).not.toHaveBeenCalled();
    }
  });

  it('with an error and a value: the error counts', async () => {
    const answer = () =>
      thenable(
        ((resolve: (v: unknown) => void, reject: (e: unknown) => void) => (reject(down), resolve('a'))) as never,
      );
    for (const timeout of [Infinity, 20]) {
      expect(await fallback<unknown>([answer, () => 'b'], { timeout, clock: new TestClock() })).toBe('b');
    }
  });
});
