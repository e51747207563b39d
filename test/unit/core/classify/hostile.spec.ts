import { describe, expect, it } from '@jest/globals';
import { classifyFailure, statusOf } from '../../../../lib/core/classify/index.js';
import { answering, boom, endless, revoked, throwing } from './hostile-values.js';

const throwingTag = Object.defineProperty({}, Symbol.toStringTag, { get: boom });
const throwingGetters = Object.defineProperties(
  { headers: revoked(), status: 404 },
  { cause: { get: boom }, message: { get: boom } },
);

describe('hostile errors', () => {
  it.each<[string, unknown]>([
    ['a revoked proxy', revoked()],
    ['a proxy that throws on everything', throwing({})],
    ['an array proxy that throws on everything', throwing([])],
    ['an error behind such a proxy', throwing(new Error('x'))],
    ['a proxy that is endless', endless()],
    ['a function that answers everything', answering('x')],
    ['no prototype', Object.create(null)],
    ['a frozen error', Object.freeze(new Error('x'))],
    ['hostile members', new AggregateError([revoked(), throwing({}), endless()])],
    ['endless ancestors', new Proxy({}, { getPrototypeOf: () => endless() })],
    ['a class whose name throws', { constructor: throwing(() => undefined) }],
    ['a tag that throws', { error: throwingTag }],
  ])('%s is unrecognised', (_name, error) => {
    expect(classifyFailure(error)).toEqual({ kind: 'transient' });
    expect(classifyFailure(new Error('outer', { cause: error }))).toEqual({ kind: 'transient' });
    expect(statusOf(error)).toBeUndefined();
  });

  it('is read around getters that throw', () => {
    expect(classifyFailure(throwingGetters)).toEqual({ kind: 'terminal' });
  });

  it('is read around methods that throw', () => {
    expect(classifyFailure({ getStatus: boom, getResponse: boom, status: 429 })).toEqual({ kind: 'rate-limited' });
  });

  it('leaves no rejection behind that the reading caused', async () => {
    const late: unknown[] = [];
    const note = (reason: unknown) => late.push(reason);
    process.on('unhandledRejection', note);
    expect(classifyFailure({ status: 503, headers: { get: () => Promise.reject(new Error('late')) } })).toEqual({
      kind: 'transient',
    });
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    process.off('unhandledRejection', note);
    expect(late).toEqual([]);
  });

  it('ends with aggregates of aggregates of itself', () => {
    const error = new AggregateError([]);
    for (let i = 0; i < 1000; i += 1) error.errors.push(new AggregateError(error.errors), error);
    const start = performance.now();
    expect(classifyFailure(error)).toEqual({ kind: 'transient' });
    expect(performance.now() - start).toBeLessThan(1000);
  });
});
