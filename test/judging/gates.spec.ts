import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { FallbackChain, FallbackExhaustedError } from '../../lib/index.js';
import type { CandidateOptions, FailureKind } from '../../lib/index.js';
import { boot, closeAll } from '../support/apps.js';
import { faultsOf, hostWith } from '../support/faulty.js';
import { open } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';
import type { Play } from '../support/plays.js';

class QuotaError extends Error {}
class OtherError extends Error {}
const quota = new QuotaError('quota');
const blip = new Error('blip');
const limited = Object.assign(new Error('limited'), { status: 429 });

type On = CandidateOptions['on'];
const gated = (first: unknown, b: On, c: On, own: CandidateOptions = {}) =>
  open({
    rungs: [
      { ...own, name: 'a', plays: fails(first) },
      { name: 'b', plays: gives('b'), on: b! },
      { name: 'c', plays: gives('c'), on: c! },
    ],
  });

describe('F53 candidates gated by the failure they answer', () => {
  it.each<readonly [string, unknown, On, On, 'b' | 'c']>([
    ['kinds', limited, ['transient'], ['timeout', 'rate-limited'], 'c'],
    ['kinds, both match: the first in order', limited, ['rate-limited'], ['rate-limited'], 'b'],
    ['error classes', quota, [OtherError], [QuotaError], 'c'],
    ['a class above', quota, [Error], [QuotaError], 'b'],
    ['a kind and a class', quota, ['timeout', QuotaError], ['transient'], 'b'],
    ['a predicate over kind', limited, ({ kind }) => kind === 'timeout', ({ kind }) => kind === 'rate-limited', 'c'],
    ['a predicate over error', quota, ({ error }) => error === blip, ({ error }) => error === quota, 'c'],
    ['a predicate and a kind', blip, () => false, ['transient'], 'c'],
    ['a class, where no Error was thrown', 'thrown as text', [Error], ['transient'], 'c'],
  ])('F53 %s', async (_what, error, b, c, answers) => {
    const ladder = await gated(error, b, c);
    const call = await ladder.call();
    expect(call.value).toBe(answers);
    expect(ladder.calls).toEqual({ a: 1, b: answers === 'b' ? 1 : 0, c: answers === 'c' ? 1 : 0 });
    expect(call.attempts.slice(1)).toEqual(answers === 'b' ? ['b:ok'] : ['b:skipped(gated)', 'c:ok']);
    expect(call.receipt).toMatchObject({ servedBy: answers, failedOver: true, degraded: false });
  });

  it('F53 the last failure counts, not an earlier one', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: fails(limited) },
        { name: 'b', plays: fails(blip) },
        { name: 'c', plays: gives('c'), on: ['rate-limited'] },
        { name: 'd', plays: gives('d'), on: ['transient'] },
      ],
    });
    expect((await ladder.call()).attempts).toEqual(['a:rate-limited', 'b:transient', 'c:skipped(gated)', 'd:ok']);
  });

  it('F53 a skip between is no failure: the one before counts', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: fails(limited) },
        { name: 'b', plays: gives('b'), supports: () => false },
        { name: 'c', plays: gives('c'), on: ['rate-limited'] },
      ],
    });
    expect((await ladder.call()).attempts).toEqual(['a:rate-limited', 'b:skipped(unsupported)', 'c:ok']);
  });

  it('F53 a value that was not accepted is a failure of kind rejected', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: gives('no'), accept: () => false },
        { name: 'b', plays: gives('b'), on: ['rejected'] },
      ],
    });
    expect((await ladder.call()).value).toBe('b');
  });

  it('F53 a held answer is none', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: gives('thin'), assess: () => 'thin' },
        { name: 'b', plays: gives('b'), on: ['transient', Error] },
      ],
    });
    const call = await ladder.call();
    expect(call.value).toBe('thin');
    expect(call.attempts).toEqual(['a:thin', 'b:skipped(gated)']);
  });

  it.each<readonly [string, On]>([
    [
      'throws',
      () => {
        throw blip;
      },
    ],
    ['gives a promise that rejects', (() => Promise.reject(blip)) as never],
  ])('F53 a predicate that %s does not match', async (_how, on) => {
    const ladder = await gated(limited, on, ['rate-limited']);
    expect((await ladder.call()).attempts).toEqual(['a:rate-limited', 'b:skipped(gated)', 'c:ok']);
    expect(ladder.eventsNamed('hook.failed').map(({ candidate, hook }) => [candidate, hook])).toEqual([['b', 'on']]);
  });
});

describe('F53 nobody answers such a failure', () => {
  it.each([[quota], [limited], ['thrown as text'], [undefined]])(
    "F53 candidate 0's own error is rethrown: %p",
    async (error) => {
      const ladder = await gated(error, ['timeout'], [OtherError]);
      const call = await ladder.call();
      expect(call.outcome).toEqual({ error });
      expect(call.error).toBe(error);
      expect(ladder.calls).toEqual({ a: 1, b: 0, c: 0 });
      expect(ladder.eventsNamed('attempt.skipped').map(({ reason }) => reason)).toEqual(['gated', 'gated']);
    },
  );

  it('F53 with a substitute it is served', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: fails(limited) },
        { name: 'b', plays: gives('b'), on: ['timeout'] },
      ],
      degraded: { substitute: 'popular' },
    });
    const call = await ladder.call();
    expect(call.value).toBe('popular');
    expect(call.receipt).toMatchObject({ degraded: true, reason: 'rate-limited' });
  });

  it.each<readonly [string, CandidateOptions, Play]>([
    ['another ran and failed', {}, fails(blip)],
    ['another was skipped for another reason', { supports: () => false }, gives('b')],
  ])('F53 %s: exhausted', async (_what, own, plays) => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: fails(limited) },
        { name: 'b', plays, ...own },
        { name: 'c', plays: gives('c'), on: ['timeout'] },
      ],
    });
    expect((await ladder.call()).error).toBeInstanceOf(FallbackExhaustedError);
  });
});

describe('F53 where candidate 0 is open, it is known for its last failure', () => {
  const opened = (b: FailureKind, c: FailureKind) =>
    open({
      rungs: [
        { name: 'a', plays: fails(limited), breaker: { threshold: 1 } },
        { name: 'b', plays: gives('b'), on: [b] },
        { name: 'c', plays: gives('c'), on: [c] },
      ],
    });

  it('F53 the first that answers such a failure', async () => {
    const ladder = await opened('rate-limited', 'timeout');
    await ladder.call();
    expect((await ladder.call()).attempts).toEqual(['a:skipped(cooling)', 'b:ok']);
  });

  it('F53 also behind another that does not', async () => {
    const ladder = await opened('timeout', 'rate-limited');
    expect((await ladder.call()).attempts).toEqual(['a:rate-limited', 'b:skipped(gated)', 'c:ok']);
    expect((await ladder.call()).attempts).toEqual(['a:skipped(cooling)', 'b:skipped(gated)', 'c:ok']);
  });

  it('F53 what a candidate did in another call is no failure of this one where it was not asked', async () => {
    const rungs = [
      { name: 'a', plays: fails(blip), supports: (question?: unknown) => question === 'for a' },
      { name: 'b', plays: gives('b'), on: ['transient' as const] },
    ];
    const fresh = await open({ rungs });
    const untold = await fresh.call('for b');
    const ladder = await open({ rungs });
    expect((await ladder.call('for a')).value).toBe('b');
    const told = await ladder.call('for b');
    expect(told.receipt?.attempts ?? told.error).toEqual(untold.receipt?.attempts ?? untold.error);
  });
});

describe('F53 names at start-up', () => {
  afterEach(closeAll);

  it('F53 an unknown method: class, method and option are named', async () => {
    const candidates = [{ method: 'nowhere', on: ['timeout'] }];
    const faults = await faultsOf(() => boot({ providers: [hostWith({ candidates })] }));
    expect(faults).toEqual([
      { where: 'Host.read', option: 'candidates[0]', message: expect.stringContaining("'nowhere'") },
    ]);
  });

  it.each([[[]], [['tiemout']], [['ok']], ['transient'], [5], [[{}]]])('F53 on: %j is no gate', async (on) => {
    const faults = await faultsOf(() => boot({ providers: [hostWith({ candidates: [{ method: 'backup', on }] })] }));
    expect(faults).toMatchObject([{ where: expect.stringContaining('Host.read'), option: 'on' }]);
  });

  it('F53 a predicate runs with the host as `this`', async () => {
    @Injectable()
    class Weather {
      allowed = true;

      @FallbackChain([
        {
          method: 'backup',
          on(this: unknown) {
            return (this as Weather).allowed;
          },
        },
      ])
      async read(): Promise<string> {
        throw blip;
      }

      async backup(): Promise<string> {
        return 'backup';
      }
    }
    const app = await boot({ providers: [Weather] });
    const weather = app.get(Weather);
    await expect(weather.read()).resolves.toBe('backup');
    weather.allowed = false;
    await expect(weather.read()).rejects.toBe(blip);
  });
});
