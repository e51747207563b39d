import { describe, expect, it } from '@jest/globals';
import { classifyFailure, statusOf, strictLlm } from '../../../../lib/core/classify/index.js';
import {
  budgetExhausted,
  denied,
  rateLimited,
  terminal,
  transient,
  unsupported,
} from '../../../../lib/core/failures.js';

const branded = (code: string, more: object = {}) =>
  Object.defineProperty(Object.assign(new Error('ours'), more), Symbol.for('nestjs-fallback:error'), { value: code });

describe('our own errors', () => {
  it.each([
    ['FALLBACK_EXHAUSTED', 'transient'],
    ['DEADLINE_EXCEEDED', 'transient'],
    ['ATTEMPT_TIMEOUT', 'timeout'],
    ['RESULT_REJECTED', 'rejected'],
    ['BUDGET_EXHAUSTED', 'budget'],
    ['SHUTTING_DOWN', 'cancelled'],
    ['CLIENT_DISCONNECTED', 'cancelled'],
    ['FALLBACK_CONFIGURATION', 'terminal'],
  ])('%s is %s, by brand and before every rule, also as a cause', (code, kind) => {
    expect(classifyFailure(branded(code, { status: 404 }))).toEqual({ kind });
    expect(classifyFailure(new Error('outer', { cause: branded(code) }))).toEqual({ kind });
  });

  it('knows no other code', () => {
    expect(classifyFailure(branded('SOMETHING', { status: 404 }))).toEqual({ kind: 'terminal' });
  });

  it('reads retryAfter in ms', () => {
    expect(classifyFailure(branded('FALLBACK_EXHAUSTED', { retryAfter: 5 }))).toEqual({
      kind: 'transient',
      retryAfter: 5,
    });
  });
});

describe('failure makers', () => {
  it.each([
    ['rateLimited', rateLimited, 'rate-limited'],
    ['transient', transient, 'transient'],
    ['terminal', terminal, 'terminal'],
    ['unsupported', unsupported, 'unsupported'],
    ['denied', denied, 'denied'],
    ['budgetExhausted', budgetExhausted, 'budget'],
  ] as const)('%s says its kind, whatever its cause says', (_name, make, kind) => {
    const cause = { status: kind === 'terminal' ? 503 : 400 };
    const error = make('why', { cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ message: 'why', cause });
    expect(classifyFailure(error)).toEqual({ kind });
    expect(Object.keys(error)).toEqual([]);
    expect(
      Object.getOwnPropertySymbols(error).filter((key) => Object.getOwnPropertyDescriptor(error, key)?.enumerable),
    ).toEqual([]);
  });

  it('has a message of its own, and a cause only if one is given', () => {
    expect(rateLimited().message).not.toBe('');
    expect('cause' in transient('x')).toBe(false);
    expect('cause' in transient('x', { cause: undefined })).toBe(true);
  });

  it('carries retryAfter in ms, else what the cause advises', () => {
    const cause = { status: 429, headers: { 'retry-after': '7' } };
    expect(classifyFailure(rateLimited('x', { retryAfter: 1500, cause })).retryAfter).toBe(1500);
    expect(classifyFailure(rateLimited('x', { cause })).retryAfter).toBe(7000);
    expect(classifyFailure(transient('x', { retryAfter: 0 })).retryAfter).toBe(0);
    expect(classifyFailure(transient('x', { retryAfter: Number.NaN }))).toEqual({ kind: 'transient' });
    expect(classifyFailure(denied('x', { retryAfter: 5 }))).toEqual({ kind: 'denied' });
  });
});

describe('statusOf', () => {
  it('is the first HTTP status on the walk', () => {
    expect(statusOf(new Error('o', { cause: { response: { statusCode: '418' }, cause: { status: 500 } } }))).toBe(418);
    expect(statusOf({ status: 200, statusCode: 503 })).toBe(503);
    expect(statusOf({ getStatus: () => 404, getResponse: () => ({}) })).toBe(404);
    expect(statusOf(new Error('x'))).toBeUndefined();
    expect(statusOf(503)).toBeUndefined();
  });
});

describe('strictLlm', () => {
  it.each([
    ['401', { status: 401 }, 'terminal'],
    ['403', { status: 403 }, 'terminal'],
    ['an unknown error', new Error('x'), 'terminal'],
    ['undefined', undefined, 'terminal'],
    ['400', { status: 400 }, 'terminal'],
    ['429', { status: 429 }, undefined],
    ['an empty account', { status: 429, code: 'insufficient_quota' }, undefined],
    ['500', { status: 500 }, undefined],
    ['overload', { type: 'overloaded_error' }, undefined],
    ['a timeout', { code: 'ETIMEDOUT' }, undefined],
    ['no connection', { code: 'ECONNREFUSED' }, undefined],
  ])('%s', (_name, error, expected) => {
    expect(strictLlm(error)).toBe(expected);
  });
});
