import { describe, expect, it } from '@jest/globals';
import {
  acceptDefined,
  acceptOk,
  acceptStatus,
  acceptTruthy,
  budgetExhausted,
  classifyFailure,
  createFallbackChain,
  denied,
  fallback,
  rateLimited,
  strictLlm,
  terminal,
  transient,
  unsupported,
} from '../../lib/core/index.js';
import type { AttemptRecord, CoreCandidate } from '../../lib/core/index.js';
import { Ended, Heard } from '../support/core-call.js';
import { TestClock } from '../support/test-clock.js';

const throwing =
  (error: unknown): CoreCandidate<string> =>
  async () => {
    throw error;
  };

/** What a candidate's failure is taken for, and whether another answered. */
async function judged(error: unknown, options = {}) {
  const heard = new Heard();
  const clock = new TestClock();
  const chain = createFallbackChain<string>([throwing(error), () => 'b'], {
    clock,
    onAttempt: heard.onAttempt,
    ...options,
  });
  const call = new Ended(chain.run(), clock);
  await clock.advance(0);
  return { outcome: call.outcome, kind: heard.records[0]!.kind, coolingFor: chain.health()[0]!.coolingFor };
}

describe('failures that candidates say themselves', () => {
  it.each<readonly [string, Error, AttemptRecord['kind'], boolean, number]>([
    ['rateLimited', rateLimited(), 'rate-limited', true, 0],
    ['rateLimited with advice', rateLimited('quota', { retryAfter: 7_000 }), 'rate-limited', true, 7_000],
    ['transient', transient(), 'transient', true, 0],
    ['unsupported', unsupported(), 'unsupported', true, 0],
    ['denied', denied(), 'denied', true, 300_000],
    ['terminal', terminal(), 'terminal', false, 0],
    ['budgetExhausted', budgetExhausted(), 'budget', false, 0],
  ])('%s', async (_name, error, kind, goesOn, cooling) => {
    const { outcome, ...seen } = await judged(error);
    expect(seen).toEqual({ kind, coolingFor: cooling });
    expect(outcome).toEqual(goesOn ? { value: 'b' } : { error });
  });

  it('what the maker says stands over what its cause is', async () => {
    const cause = Object.assign(new Error('not found'), { status: 404 });
    expect((await judged(transient('gone for now', { cause }))).outcome).toEqual({ value: 'b' });
  });
});

describe('strictLlm as classify of a chain', () => {
  const status = (code: number, more = {}) => Object.assign(new Error(`status ${code}`), { status: code, ...more });

  it.each([
    [status(401), 'terminal', false],
    [status(403), 'terminal', false],
    [new Error('never seen before'), 'terminal', false],
    [status(429), 'rate-limited', true],
    [status(500), 'transient', true],
    [status(529), 'transient', true],
    [new DOMException('x', 'TimeoutError'), 'timeout', true],
    [Object.assign(new Error('x'), { code: 'ECONNRESET' }), 'transient', true],
    [status(402), 'denied', true],
  ])('%p is %s', async (error, kind, goesOn) => {
    const seen = await judged(error, { classify: strictLlm });
    expect(seen.kind).toBe(kind);
    expect(seen.outcome).toEqual(goesOn ? { value: 'b' } : { error });
  });

  it('the advice of a rate limit holds', async () => {
    const error = status(429, { headers: { 'retry-after': '20' } });
    expect((await judged(error, { classify: strictLlm })).coolingFor).toBe(20_000);
  });
});

describe('F06 accept helpers', () => {
  const of = <T>(values: readonly T[], accept: (value: T) => boolean) =>
    fallback<T>(
      values.map((value) => () => value),
      { accept },
    );

  it('F06 each takes the first that it means', async () => {
    const [bad, good] = [{ ok: false }, { ok: true }];
    expect(await of([bad, good], acceptOk)).toBe(good);
    expect(await of([{ status: 500 }, { status: 201 }], acceptStatus(200, 201))).toEqual({ status: 201 });
    expect(await of<unknown>([null, 0, 'truthy'], acceptTruthy)).toBe('truthy');
    expect(await of<unknown>([null, undefined, 0], acceptDefined)).toBe(0);
  });

  it('one that cannot read a value rejects it, without harm to health', async () => {
    const chain = createFallbackChain<{ ok: boolean } | null>([() => null, () => ({ ok: true })], {
      accept: acceptOk as never,
    });
    expect(await chain.run()).toEqual({ ok: true });
    expect(chain.health()[0]).toMatchObject({ consecutiveFailures: 0, counts: { rejected: 1 } });
  });
});

describe('classifyFailure', () => {
  it('measures a date against `now`', () => {
    const now = Date.UTC(2027, 2, 5, 9, 30);
    const headers = { 'retry-after': 'Fri, 05 Mar 2027 09:31:00 GMT' };
    expect(classifyFailure(Object.assign(new Error('x'), { status: 429, headers }), { now })).toEqual({
      kind: 'rate-limited',
      retryAfter: 60_000,
    });
  });

  it('says the same as a chain does, for whatever is thrown', async () => {
    const thrown = [
      ...[400, 401, 402, 403, 404, 408, 409, 413, 422, 425, 429, 500, 501, 503, 504, 529].map((status) => ({ status })),
      ...['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE'].map((code) => Object.assign(new Error(code), { code })),
      new TypeError('x is not a function'),
      new AggregateError([new Error('one')]),
      undefined,
      null,
      'text',
    ];
    for (const error of thrown) expect((await judged(error)).kind).toBe(classifyFailure(error).kind);
  });
});
