import { getEventListeners } from 'node:events';
import { describe, expect, it, jest } from '@jest/globals';
import {
  AttemptTimeoutError,
  FallbackExhaustedError,
  createFallbackChain,
  fallback,
  receiptOf,
} from '../../lib/core/index.js';
import type { AttemptContext, CoreCandidate } from '../../lib/core/index.js';
import { Ended, Heard, thenable } from '../support/core-call.js';
import { TestClock } from '../support/test-clock.js';

const down = new Error('down');
const failing = () => Promise.reject(down);

describe('what a candidate gets', () => {
  it('ctx first, then args; `args` of a call stand over those of the chain', async () => {
    const seen: unknown[][] = [];
    const note: CoreCandidate<string> = (...all) => (seen.push(all), 'x');
    const chain = createFallbackChain<string>([note], { name: 'geo', args: ['Bern', 2] });
    await chain.run();
    await chain.run({ args: ['Basel'] });
    await createFallbackChain<string>([note]).run();
    expect(seen.map(([, ...args]) => args)).toEqual([['Bern', 2], ['Basel'], []]);
    expect(seen[0]![0]).toMatchObject({ chain: 'geo', candidate: 'candidate0', index: 0, attempt: 0 });
    expect((seen[0]![0] as AttemptContext).deadline.remaining()).toBe(Infinity);
  });

  it('{ name, run } too, with `this` its own', async () => {
    const place = {
      name: 'place',
      run(_ctx: AttemptContext, town: string) {
        return `${town} by ${this.name}`;
      },
    };
    expect(await fallback<string>([place], { args: ['Bern'] })).toBe('Bern by place');
  });

  it('values, promises, thenables and throws are all the same', async () => {
    const late = thenable<string>((resolve) => resolve('later'));
    const sync = () => {
      throw down;
    };
    expect(await fallback<string>([sync, () => 'value'])).toBe('value');
    expect(await fallback<string>([sync, () => Promise.resolve('promised')])).toBe('promised');
    expect(await fallback<string>([failing, () => late])).toBe('later');
  });
});

describe('names', () => {
  it('unnamed candidates are candidate<index>, the primary as it says', async () => {
    const heard = new Heard();
    const candidates = [failing, { run: failing }, { name: 'own', run: failing }, () => 'x'];
    await fallback<string>(candidates, { onAttempt: heard.onAttempt });
    expect(heard.kinds).toEqual(['candidate0:transient', 'candidate1:transient', 'own:transient', 'candidate3:ok']);

    const named = createFallbackChain<string>(candidates, { name: 'geo', primary: { name: 'osm', cost: 2 } });
    expect(named.name).toBe('geo');
    expect(named.health().map(({ candidate, index, cost }) => [candidate, index, cost])).toEqual([
      ['osm', 0, 2],
      ['candidate1', 1, 0],
      ['own', 2, 0],
      ['candidate3', 3, 0],
    ]);
  });

  it('the exhausted error names them', async () => {
    const error = await fallback<string>([failing, failing]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(FallbackExhaustedError);
    expect(error).toMatchObject({
      message: 'All 2 fallback candidates failed (candidate0: transient; candidate1: transient)',
    });
  });
});

describe('memory', () => {
  const breaker = { threshold: 1, cooldown: '5s' } as const;

  it('fallback() has none between calls', async () => {
    const a = jest.fn(failing);
    const options = { name: 'same', breaker };
    for (let call = 1; call <= 3; call++) {
      expect(await fallback<string>([a, () => 'b'], options)).toBe('b');
      expect(a).toHaveBeenCalledTimes(call);
    }
  });

  it('a chain has, and `health()` tells it; `reset()` forgets', async () => {
    const clock = new TestClock();
    const a = jest.fn(failing);
    const chain = createFallbackChain<string>(
      [
        { name: 'a', run: a },
        { name: 'b', run: () => 'b' },
      ],
      {
        breaker,
        clock,
      },
    );
    await chain.run();
    await chain.run();
    expect(a).toHaveBeenCalledTimes(1);
    expect(chain.health()).toEqual([
      {
        candidate: 'a',
        index: 0,
        state: 'open',
        consecutiveFailures: 1,
        coolingFor: 5_000,
        openUntil: clock.wall() + 5_000,
        lastKind: 'transient',
        cost: 0,
        counts: { transient: 1, cooling: 1 },
        neverServed: true,
      },
      {
        candidate: 'b',
        index: 1,
        state: 'closed',
        consecutiveFailures: 0,
        coolingFor: 0,
        openUntil: 0,
        lastKind: 'ok',
        cost: 0,
        counts: { ok: 2 },
        lastServedAt: clock.wall(),
        neverServed: false,
      },
    ]);
    expect(JSON.stringify(chain.health())).not.toContain('down');
    chain.reset();
    for (const each of chain.health()) {
      expect(each).toMatchObject({ state: 'closed', consecutiveFailures: 0, coolingFor: 0, counts: {} });
      expect(each.neverServed).toBe(true);
    }
    await chain.run();
    expect(a).toHaveBeenCalledTimes(2);
  });

  it('two chains of one name share nothing', async () => {
    const a = jest.fn(failing);
    const make = () => createFallbackChain<string>([a, () => 'b'], { name: 'same', breaker, clock: new TestClock() });
    await make().run();
    await make().run();
    expect(a).toHaveBeenCalledTimes(2);
  });

  it('reset() while a call runs: its outcome is of another time', async () => {
    const clock = new TestClock();
    const chain = createFallbackChain<string>([() => clock.sleep(10).then(failing), () => 'b'], { breaker, clock });
    const call = new Ended(chain.run(), clock);
    await clock.advance(5);
    chain.reset();
    await clock.advance(5);
    expect(call.value).toBe('b');
    expect(chain.health()[0]).toMatchObject({ state: 'closed', consecutiveFailures: 0 });
  });
});

describe('the signal of the caller', () => {
  it('of a call or of the chain: rejects with the reason at once; nothing is left behind', async () => {
    for (const where of ['chain', 'call'] as const) {
      const clock = new TestClock();
      const caller = new AbortController();
      const given = { signal: caller.signal };
      let own: AbortSignal | undefined;
      const slow = (ctx: AttemptContext) => ((own = ctx.signal), clock.sleep(60).then(() => 'late'));
      const chain = createFallbackChain<string>([slow, () => 'b'], { clock, ...(where === 'chain' && given) });
      const call = new Ended(chain.run(where === 'call' ? given : {}), clock);
      await clock.advance(20);
      caller.abort(down);
      await clock.advance(0);
      expect(call.error).toBe(down);
      expect(call.took).toBe(20);
      expect(own?.reason).toBe(down);
      expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
      expect(chain.health().map(({ counts }) => counts)).toEqual([{ cancelled: 1 }, {}]);
    }
  });

  it('already aborted: nobody is called', async () => {
    const a = jest.fn(() => 'a');
    const run = fallback<string>([a], { signal: AbortSignal.abort(down) });
    await expect(run).rejects.toBe(down);
    expect(a).not.toHaveBeenCalled();
  });
});

describe('receipts without a scope', () => {
  it('a thin answer is marked by receiptOf alone', async () => {
    const thin = Object.freeze({ hits: 0 });
    const value = await fallback<object>([() => thin, failing], { assess: () => 'thin', name: 'search' });
    expect(value).toBe(thin);
    expect(receiptOf(value)).toMatchObject({ chain: 'search', servedBy: 'candidate0', degraded: true, reason: 'thin' });
  });

  it('an answer of another candidate has one, the primary`s has none', async () => {
    const answer = {};
    await fallback<object>([() => answer]);
    expect(receiptOf(answer)).toBeUndefined();
    await fallback<object>([failing, () => answer]);
    expect(receiptOf(answer)).toMatchObject({ servedBy: 'candidate1', degraded: false, failedOver: true });
  });
});

describe('enabled: false', () => {
  it.each([
    ['nothing else', {}],
    ['a timeout', { timeout: 50 }],
    ['a deadline', { deadline: 50 }],
    ['a signal', { signal: new AbortController().signal }],
  ])('runs candidate 0 bare, with %s: its value, its own error', async (_what, options) => {
    const clock = new TestClock();
    const off = { ...options, clock, enabled: () => false };
    const b = jest.fn(() => 'b');
    expect(await fallback<string>([(_ctx, town: string) => town, b], { ...off, args: ['Bern'] })).toBe('Bern');
    await expect(fallback<string>([failing, b], off)).rejects.toBe(down);
    expect(b).not.toHaveBeenCalled();
    expect(clock.refd).toBe(0);
  });

  it('what candidate 0 throws before there is a promise is a rejection of the call', async () => {
    const throwing = () => {
      throw down;
    };
    const chain = createFallbackChain<string>([throwing, () => 'b'], { enabled: () => false });
    let run: Promise<string> | undefined;
    expect(() => (run = chain.run())).not.toThrow();
    await expect(run).rejects.toBe(down);
  });

  it('a slow one is not cut', async () => {
    const clock = new TestClock();
    const slow = () => clock.sleep(60).then(() => 'late');
    const chain = createFallbackChain<string>([slow, () => 'b'], { clock, enabled: () => false, timeout: 20 });
    const call = new Ended(chain.run(), clock);
    await clock.advance(60);
    expect(call).toMatchObject({ outcome: { value: 'late' }, took: 60 });
  });
});

it('a timeout of a chain of functions is an AttemptTimeoutError', async () => {
  const clock = new TestClock();
  const call = new Ended(fallback<string>([() => new Promise(() => {})], { clock, timeout: 20 }), clock);
  await clock.advance(20);
  expect((call.error as FallbackExhaustedError).failures()[0]!.error).toBeInstanceOf(AttemptTimeoutError);
});
