import { describe, expect, it } from '@jest/globals';
import { AttemptTimeoutError, FallbackExhaustedError, rateLimited, transient } from '../../lib/index.js';
import type { AttemptContext, CandidateOptions, ChainOptions } from '../../lib/index.js';
import { Bench } from '../support/core-call.js';

const blip = new Error('blip');
const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const reset = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
const answered = Object.assign(new Error('bad gateway'), { status: 502 });

type Answer = (ctx: AttemptContext) => unknown;
const throwing =
  (error: unknown): Answer =>
  async () => {
    throw error;
  };
const giving =
  (value: unknown): Answer =>
  () =>
    Promise.resolve(value);

/** a plays its answers, the last repeated; b gives 'b'. `at` is when a was tried, virtual ms. */
function retrying(own: CandidateOptions, answers: readonly Answer[], options: ChainOptions = {}, random = () => 0.5) {
  const at: number[] = [];
  const contexts: AttemptContext[] = [];
  const run = (ctx: AttemptContext): unknown => {
    const answer = answers[Math.min(at.length, answers.length - 1)]!;
    at.push(bench.clock.now() - 1_000);
    contexts.push(ctx);
    return answer(ctx);
  };
  const bench: Bench = new Bench(
    [
      { ...own, name: 'a', run },
      { name: 'b', run: () => 'b' },
    ],
    { breaker: { threshold: 2 }, ...options },
    random,
  );
  return { bench, at, contexts };
}

describe('retries repeat a candidate inside one attempt', () => {
  it('the second try answers: one attempt, one record, one success', async () => {
    const { bench, at, contexts } = retrying({ retries: 1 }, [throwing(blip), giving('a')]);
    const call = bench.begin();
    await bench.clock.advance(1_000);
    expect(call.value).toBe('a');
    expect(at).toEqual([0, 50]);
    expect(bench.settled).toMatchObject([{ candidate: 'a', kind: 'ok', tries: 2, attempt: 0, duration: 50 }]);
    expect(bench.events.filter(({ name }) => name === 'call.served')).toMatchObject([{ failedOver: false }]);
    expect(contexts[1]!.errors).toEqual([]);
    expect(contexts.map(({ attempt }) => attempt)).toEqual([0, 0]);
  });

  it('all tries fail: one count for health, the last error', async () => {
    const last = new Error('last');
    const { bench, at } = retrying({ retries: 2 }, [throwing(blip), throwing(blip), throwing(last)]);
    bench.begin();
    await bench.clock.advance(1_000);
    expect(at).toHaveLength(3);
    expect(bench.attempts).toEqual(['a:transient', 'b:ok']);
    expect(bench.settled[0]).toMatchObject({ tries: 3 });
    // threshold 2: three tries are one failure
    expect(bench.events.filter(({ name }) => name === 'circuit.opened')).toEqual([]);
    bench.begin();
    await bench.clock.advance(1_000);
    expect(bench.events.filter(({ name }) => name === 'circuit.opened')).toHaveLength(1);
  });

  it('no retries is the default, and 0 means none', async () => {
    for (const own of [{}, { retries: 0 }, { retries: { times: 0 } }]) {
      const { bench, at } = retrying(own, [throwing(blip)]);
      const call = bench.begin();
      await bench.clock.advance(0);
      expect(call.value).toBe('b');
      expect(at).toHaveLength(1);
      expect(bench.settled[0]).not.toHaveProperty('tries');
    }
  });

  it.each([
    ['nothing', 0, [0, 0, 0, 0, 0, 0, 0]],
    ['half', 0.5, [0, 50, 150, 350, 750, 1_550, 2_550]],
    ['nearly all', 1 - 2 ** -53, [0, 100, 300, 700, 1_500, 3_100, 5_100]],
  ])('full jitter: %s of 100, 200, 400, 800, 1600, then 2000 ms', async (_what, chance, times) => {
    const { bench, at } = retrying({ retries: 6 }, [throwing(blip)], {}, () => chance);
    bench.begin();
    await bench.clock.advance(20_000);
    expect(at).toHaveLength(times.length);
    at.forEach((time, place) => expect(time).toBeCloseTo(times[place]!, 6));
  });

  it.each([
    ['a value that is not accepted', giving('no'), { accept: (value: string) => value !== 'no' }, 'rejected'],
    ['a thin answer', giving('no'), { assess: () => 'thin' }, 'thin'],
    ['a rate limit', throwing(rateLimited('slow down')), {}, 'rate-limited'],
    ['a denial', throwing(Object.assign(new Error('x'), { status: 401 })), {}, 'denied'],
    ["a client's own timeout", throwing(new DOMException('x', 'TimeoutError')), {}, 'timeout'],
    ['something unsupported', throwing(Object.assign(new Error('x'), { status: 501 })), {}, 'unsupported'],
    ['a terminal error', throwing(Object.assign(new Error('x'), { status: 404 })), {}, 'terminal'],
  ] as const)('%s is not tried again', async (_what, answer, own, kind) => {
    const { bench, at } = retrying({ ...(own as CandidateOptions), retries: 3 }, [answer]);
    bench.begin();
    await bench.clock.advance(10_000);
    expect(at).toHaveLength(1);
    expect(bench.settled[0]).toMatchObject({ kind });
  });

  it('`on` says on which kinds, and then transient is not among them', async () => {
    const limited = rateLimited('slow down');
    const { bench, at } = retrying({ retries: { times: 3, on: ['rate-limited'] } }, [
      throwing(limited),
      throwing(blip),
      giving('a'),
    ]);
    const call = bench.begin();
    await bench.clock.advance(10_000);
    expect(at).toHaveLength(2);
    expect(call.value).toBe('b');
    expect(bench.settled[0]).toMatchObject({ kind: 'transient', tries: 2 });
  });

  it('what the last try was advised holds', async () => {
    const { bench } = retrying({ retries: 1, breaker: { threshold: 1 } }, [
      throwing(blip),
      throwing(transient('busy', { retryAfter: 9_000 })),
    ]);
    bench.begin();
    await bench.clock.advance(1_000);
    expect(bench.settled[0]).toMatchObject({ kind: 'transient', tries: 2, retryAfter: 9_000 });
    expect(bench.events.find(({ name }) => name === 'circuit.opened')).toMatchObject({ cooldown: 9_000 });
  });

  it('throws before there is a promise are retried too', async () => {
    const { bench } = retrying({ retries: 1 }, [
      () => {
        throw blip;
      },
      giving('a'),
    ]);
    const call = bench.begin();
    await bench.clock.advance(100);
    expect(call.value).toBe('a');
  });
});

describe('a paid candidate is tried again only if no answer came at all', () => {
  it.each([
    ['the connection was refused', refused, 2],
    ['an unknown error', blip, 1],
    ['an answer of 502', answered, 1],
    ['a client that wraps an answer', Object.assign(new Error('x', { cause: answered }), { code: 'ECONNRESET' }), 1],
  ])('%s', async (_what, error, tries) => {
    const { bench, at } = retrying({ cost: 1, retries: 1 }, [throwing(error)]);
    bench.begin();
    await bench.clock.advance(1_000);
    expect(at).toHaveLength(tries);
  });

  it.each([
    ['free', 0],
    ['untiered', undefined],
  ])('%s: whatever the error', async (_tier, cost) => {
    for (const error of [refused, reset, blip, answered]) {
      const { bench, at } = retrying({ retries: 1, ...(cost !== undefined && { cost }) }, [throwing(error)]);
      bench.begin();
      await bench.clock.advance(1_000);
      expect(at).toHaveLength(2);
    }
  });

  it('not after a slow one, whatever `on` says', async () => {
    const { bench, at } = retrying({ cost: 1, timeout: 20, retries: { times: 2, on: ['timeout', 'rejected'] } }, [
      () => new Promise(() => {}),
    ]);
    bench.begin();
    await bench.clock.advance(1_000);
    expect(at).toEqual([0]);
  });
});

describe('what ends the tries', () => {
  const nearlyAll = () => 0.999_999;

  it('the timeout bounds all tries together; a pause that would not end in time is not begun', async () => {
    const { bench, at } = retrying({ retries: 9, timeout: 250 }, [throwing(blip)], {}, nearlyAll);
    const call = bench.begin();
    await bench.clock.advance(1_000);
    expect(at.map(Math.round)).toEqual([0, 100]);
    expect(call.value).toBe('b');
    expect(call.took).toBeCloseTo(100, 0);
    expect(bench.settled[0]).toMatchObject({ kind: 'transient', tries: 2 });
    expect(bench.clock.refd).toBe(0);
  });

  it('a try that hangs is cut by the timeout of the whole attempt', async () => {
    const { bench } = retrying({ retries: 9, timeout: 80 }, [throwing(blip), () => new Promise(() => {})]);
    const call = bench.begin();
    await bench.clock.advance(1_000);
    expect(call).toMatchObject({ outcome: { value: 'b' }, took: 80 });
    expect(bench.settled[0]).toMatchObject({ kind: 'timeout', tries: 2 });
  });

  it('the deadline of the call', async () => {
    const { bench, at } = retrying({ retries: 9 }, [throwing(blip)], { deadline: 250 }, nearlyAll);
    const call = bench.begin();
    await bench.clock.advance(1_000);
    expect(at.map(Math.round)).toEqual([0, 100]);
    expect(call.value).toBe('b');
    expect(bench.clock.refd).toBe(0);
  });

  it('a computed timeout too', async () => {
    const { bench } = retrying({ retries: 9, timeout: () => 80 }, [throwing(blip), () => new Promise(() => {})]);
    const call = bench.begin();
    await bench.clock.advance(1_000);
    expect(call).toMatchObject({ outcome: { value: 'b' }, took: 80 });
    expect(bench.clock.timers).toBe(0);
  });

  it('the caller who goes away in a pause: at once, once `cancelled`, no health effect', async () => {
    const { bench, at } = retrying({ retries: 9, breaker: { threshold: 1 } }, [throwing(blip)], {}, nearlyAll);
    const caller = new AbortController();
    const call = bench.begin({ signal: caller.signal });
    await bench.clock.advance(40);
    const reason = new Error('gone');
    caller.abort(reason);
    await bench.clock.advance(5_000);
    expect(call.error).toBe(reason);
    expect(call.took).toBe(40);
    expect(at).toEqual([0]);
    expect(bench.clock.timers).toBe(0);
    expect(bench.attempts).toEqual(['a:cancelled']);
    expect(bench.events.filter(({ name }) => name === 'circuit.opened')).toEqual([]);
  });

  it('when all fail, `failures()` has the last error of each attempt', async () => {
    const bench = new Bench([{ name: 'a', retries: 1, timeout: 80, run: () => Promise.reject(blip) }], {}, () => 0.5);
    const call = bench.begin();
    await bench.clock.advance(1_000);
    expect(call.error).toBeInstanceOf(FallbackExhaustedError);
    expect((call.error as FallbackExhaustedError).failures()).toEqual([{ candidate: 'a', error: blip }]);
    expect(call.error).not.toBeInstanceOf(AttemptTimeoutError);
  });
});
