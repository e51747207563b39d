import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { FallbackChain, createFallbackChain, fallback, from, receiptOf } from '../../lib/index.js';
import { Heard } from '../support/core-call.js';
import { open } from '../support/ladder.js';
import { candidateIn, closeApps, startApp } from '../support/nest-app.js';
import { fails, gives } from '../support/plays.js';
import { TestClock } from '../support/test-clock.js';

const blip = new Error('blip');
const limited = Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after': '60' } });
const denied = Object.assign(new Error('who are you?'), { status: 401 });

describe("candidate 0's own error, when nobody answers such a failure", () => {
  const start = (plays: Parameters<typeof fails>[0][]) =>
    open({
      rungs: [
        { name: 'a', plays: plays.map((error) => fails(error)) },
        { name: 'b', on: ['timeout'], plays: gives('b') },
        { name: 'c', on: ['denied'], plays: gives('c') },
      ],
      options: { breaker: { threshold: 1 } },
    });

  it('also when it ran as the last resort, behind those that were gated', async () => {
    const again = new Error('again');
    const ladder = await start([blip, again]);
    expect((await ladder.call()).error).toBe(blip);
    const call = await ladder.call();
    expect(call.attempts).toEqual(['b:skipped(gated)', 'c:skipped(gated)', 'a:transient']);
    expect(call.error).toBe(again);
    expect(receiptOf(again)).toMatchObject({ chain: 'ladder', servedBy: null });
  });

  it('not when one of the others had another reason', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: fails(blip) },
        { name: 'b', on: ['timeout'], plays: gives('b') },
        { name: 'c', supports: () => false, plays: gives('c') },
      ],
      options: { breaker: { threshold: 1 } },
    });
    for (let n = 0; n < 2; n++) {
      expect((await ladder.call()).error).toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
    }
  });
});

describe('the exhaustion of an inner chain is one transient failure of the outer', () => {
  afterEach(closeApps);

  const inners = [
    ['that rethrows the last error', { rethrow: 'last' as const }, limited],
    ['that rethrows a denial', { rethrow: 'last' as const }, denied],
    ['whose candidates do not answer its own error', {}, limited],
    ['whose candidates do not answer its own denial', {}, denied],
  ] as const;

  it.each(inners)('one of functions %s', async (_which, options, error) => {
    const clock = new TestClock();
    const heard = new Heard();
    const other = { name: 'other', on: ['timeout'] as const, run: () => 'other' };
    const inner = createFallbackChain<string>([() => Promise.reject(error), other], {
      ...options,
      name: 'inner',
      clock,
    });
    const outer = createFallbackChain<string>([inner, () => 'b'], { onAttempt: heard.onAttempt, clock });
    expect(await outer.run()).toBe('b');
    expect(heard.kinds).toEqual(['inner:transient', 'candidate1:ok']);
    expect(heard.raws[0]!.error).toBe(error);
    expect(heard.records[0]).not.toHaveProperty('retryAfter');
    expect(outer.health()[0]).toMatchObject({ state: 'closed', consecutiveFailures: 1, counts: { transient: 1 } });
  });

  it.each(inners)('one of a decorated method %s', async (_which, options, error) => {
    @Injectable()
    class Inner {
      @FallbackChain(['other', { method: 'third', on: ['timeout'] }], { ...options, name: 'inner', whenOpen: 'ignore' })
      async read(): Promise<string> {
        throw error;
      }
      async other(): Promise<string> {
        throw error;
      }
      async third(): Promise<string> {
        return 'third';
      }
    }
    @Injectable()
    class Outer {
      @FallbackChain([from(Inner, 'read'), 'last'], { name: 'outer' })
      async read(): Promise<string> {
        throw blip;
      }
      async last(): Promise<string> {
        return 'last';
      }
    }
    const { app, health } = await startApp({ providers: [Inner, Outer], options: { clock: new TestClock() } });
    expect(await app.get(Outer).read()).toBe('last');
    expect(candidateIn(health, 'outer', 'Inner.read')).toMatchObject({ state: 'closed', counts: { transient: 1 } });
  });

  it('what stopped the inner chain still stops the outer', async () => {
    const missing = Object.assign(new Error('not found'), { status: 404 });
    const inner = createFallbackChain<string>([() => Promise.reject(missing)], { name: 'inner', rethrow: 'last' });
    await expect(fallback<string>([inner, () => 'b'])).rejects.toBe(missing);
  });

  it('the same error thrown by a function later is what it is', async () => {
    const heard = new Heard();
    const inner = createFallbackChain<string>([() => Promise.reject(limited)], { name: 'inner', rethrow: 'last' });
    await expect(inner.run()).rejects.toBe(limited);
    await fallback<string>([() => Promise.reject(limited), () => 'b'], { onAttempt: heard.onAttempt });
    expect(heard.kinds).toEqual(['candidate0:rate-limited', 'candidate1:ok']);
  });

  it('its classify is asked all the same', async () => {
    const heard = new Heard();
    const inner = createFallbackChain<string>([() => Promise.reject(limited)], { name: 'inner', rethrow: 'last' });
    const classify = (error: unknown) => (error === limited ? 'denied' : undefined);
    await fallback<string>([inner, () => 'b'], { classify, onAttempt: heard.onAttempt });
    expect(heard.kinds).toEqual(['inner:denied', 'candidate1:ok']);
  });
});

describe('the deadline ends while supports is thinking', () => {
  it.each([true, false])('saying %s then: passed over for the deadline, nobody is called', async (said) => {
    const ladder = await open({
      rungs: [
        { name: 'a', supports: () => ladder.clock.sleep(50).then(() => said), plays: gives('a') },
        { name: 'b', plays: gives('b') },
      ],
      options: { deadline: 20 },
    });
    const call = await ladder.call(undefined, 100);
    expect(call.error).toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
    expect(call.took).toBe(20);
    expect(call.attempts).toEqual(['a:skipped(deadline)', 'b:skipped(deadline)']);
    expect(ladder.calls).toEqual({ a: 0, b: 0 });
    expect(ladder.circuits).toEqual({ a: 'closed 0', b: 'closed 0' });
    expect(ladder.eventsNamed('hook.failed')).toEqual([]);
    expect(ladder.clock.refd).toBe(0);
  });
});
