import { describe, expect, it } from '@jest/globals';
import { classifyFailure } from '../../../../lib/core/classify/index.js';

const kindOf = (error: unknown) => classifyFailure(error).kind;
const wrapped = (error: unknown, times: number) => {
  let outer = error;
  for (let i = 0; i < times; i += 1) outer = new Error(`level ${i}`, { cause: outer });
  return outer;
};

describe('the walk', () => {
  it.each([['cause'], ['originalError'], ['detail']])('follows %s', (key) => {
    expect(kindOf({ [key]: { status: 404 } })).toBe('terminal');
  });

  it('follows raw.exception, an Error in error, and whatever an RpcException holds', () => {
    class RpcException extends Error {
      error = { status: 404 };
    }
    expect(kindOf({ raw: { exception: { status: 404 } } })).toBe('terminal');
    expect(kindOf({ error: Object.assign(new Error('x'), { status: 404 }) })).toBe('terminal');
    expect(kindOf({ error: new DOMException('', 'DataCloneError') })).toBe('terminal');
    expect(kindOf({ error: { status: 404 } })).toBe('transient');
    expect(kindOf(new RpcException())).toBe('terminal');
    expect(kindOf({ getError: () => undefined, error: { status: 404 } })).toBe('terminal');
  });

  it('prefers the outer error, and breadth to depth', () => {
    expect(kindOf({ status: 404, cause: { status: 500 } })).toBe('terminal');
    expect(kindOf({ cause: { cause: { status: 404 } }, detail: { status: 500 } })).toBe('transient');
  });

  it('reaches 16 levels down at least, and ends', () => {
    for (let depth = 1; depth <= 16; depth += 1) expect(kindOf(wrapped({ status: 404 }, depth))).toBe('terminal');
    expect(kindOf(wrapped({ status: 404 }, 100_000))).toBe('transient');
  });

  it('does not look beneath a mistake in the program', () => {
    const cause = { headers: { 'retry-after': '7' } };
    expect(classifyFailure({ status: 503, cause: new Error('x', { cause }) })).toEqual({
      kind: 'transient',
      retryAfter: 7000,
    });
    expect(classifyFailure({ status: 503, cause: new Error('x', { cause: new TypeError('y', { cause }) }) })).toEqual({
      kind: 'transient',
    });
  });

  it('survives cycles', () => {
    const a = new Error('a');
    const b = new Error('b', { cause: a });
    a.cause = b;
    expect(kindOf(a)).toBe('transient');
    b.cause = Object.assign(new Error('c', { cause: a }), { status: 404 });
    expect(kindOf(a)).toBe('terminal');
  });

  it('finds no fault with what is no object', () => {
    for (const value of [undefined, null, false, 0, '', Number.NaN, 503n, Symbol('x'), () => 0, 'ECONNRESET', 503]) {
      expect(classifyFailure(value)).toEqual({ kind: 'transient' });
      expect(classifyFailure(value, { unknown: 'terminal' })).toEqual({ kind: 'terminal' });
      expect(classifyFailure(new Error('x', { cause: value }))).toEqual({ kind: 'transient' });
    }
  });

  it('leaves recognised errors alone when unknown ones are terminal', () => {
    expect(classifyFailure({ code: 'ECONNRESET' }, { unknown: 'terminal' }).kind).toBe('transient');
  });
});

describe('aggregates', () => {
  const limited = (seconds: number) => ({ status: 429, headers: { 'retry-after': String(seconds) } });

  it.each([
    ['terminal first', [{ status: 401 }, { status: 501 }, { status: 404 }], 'terminal'],
    ['then denied', [{ status: 501 }, { status: 401 }, { status: 500 }], 'denied'],
    ['then unsupported', [{ status: 500 }, { status: 501 }], 'unsupported'],
    ['all the same', [{ status: 504 }, { code: 'ETIMEDOUT' }], 'timeout'],
    ['mixed', [{ status: 504 }, { status: 429 }], 'transient'],
    ['empty', [], 'transient'],
  ])('%s', (_name, members, kind) => {
    expect(kindOf(new AggregateError(members))).toBe(kind);
  });

  it('carries the soonest delay if every member has one', () => {
    expect(classifyFailure(new AggregateError([limited(7), limited(2)]))).toEqual({
      kind: 'rate-limited',
      retryAfter: 2000,
    });
    expect(classifyFailure(new AggregateError([limited(7), { status: 429 }]))).toEqual({ kind: 'rate-limited' });
  });

  it('listens to its own code before its members', () => {
    const error = Object.assign(new AggregateError([{ status: 404 }]), { code: 'ECONNREFUSED' });
    expect(kindOf(error)).toBe('transient');
  });

  it('says nothing if no member is recognised', () => {
    const error = new AggregateError([new Error('a'), 'b'], 'all', { cause: { status: 404 } });
    expect(kindOf(error)).toBe('terminal');
    expect(classifyFailure(new AggregateError([new Error('a')]), { unknown: 'terminal' }).kind).toBe('terminal');
  });

  it('may hold itself', () => {
    const error = new AggregateError([{ status: 504 }]);
    error.errors.push(error, error);
    expect(kindOf(error)).toBe('transient');
  });
});
