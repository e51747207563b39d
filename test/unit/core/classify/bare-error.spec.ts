import { describe, expect, it } from '@jest/globals';
import { bareText } from '../../../../lib/core/classify/bare-error.js';
import { classifyFailure } from '../../../../lib/core/classify/index.js';
import { boom } from './hostile-values.js';

/** Not plain, so all rules are asked. */
class Unplain extends Error {}

/** Whatever the classifier reads of an error that has nothing but a text, however the text reads. */
function readOf(messages: readonly string[]): Set<string | symbol> {
  const read = new Set<string | symbol>();
  for (const message of messages) {
    const error = new Unplain(message);
    const get = (target: object, key: string | symbol): unknown => {
      read.add(key);
      return Reflect.get(target, key);
    };
    classifyFailure(new Proxy(error, { get }));
  }
  return read;
}
const READ = [...readOf(['', 'down', 'connection timed out', 'fetch failed', 'terminated'])];
const keys = READ.filter((key) => key !== 'message').map((key) => [String(key), key] as const);

const prototype: object = Error.prototype;
const withHidden = (key: string | symbol, value: unknown): Error =>
  Object.defineProperty(new Error('down'), key, { value });

describe('a plain error', () => {
  it('is bare with a text alone, which decides', () => {
    expect(bareText(new Error('down'))).toBe('down');
    expect(bareText(Object.assign(new Error('down'), { requestId: 7 }))).toBe('down');
    expect(classifyFailure(new Error('read timed out'))).toEqual({ kind: 'timeout' });
    expect(classifyFailure(new Error('socket hang up'), { unknown: 'terminal' })).toEqual({ kind: 'transient' });
    expect(classifyFailure(new Error('down'), { unknown: 'terminal' })).toEqual({ kind: 'terminal' });
  });

  it('has much that the rules look for', () => {
    expect(READ).toEqual(expect.arrayContaining(['code', 'status', 'cause', 'headers', 'retryAfter', 'constructor']));
  });

  it.each(keys)('is not bare with a hidden %s', (_name, key) => {
    expect(bareText(withHidden(key, 'something'))).toBeUndefined();
  });

  it.each(keys)('is not bare with an inherited %s', (_name, key) => {
    const before = Object.getOwnPropertyDescriptor(prototype, key);
    Object.defineProperty(prototype, key, { value: 'something', configurable: true });
    try {
      expect(bareText(new Error('down'))).toBeUndefined();
    } finally {
      if (before === undefined) Reflect.deleteProperty(prototype, key);
      else Object.defineProperty(prototype, key, before);
    }
  });

  it.each(keys)('means the same with a %s that is null', (_name, key) => {
    const unplain = Object.defineProperty(new Unplain('down'), key, { value: null });
    expect(classifyFailure(withHidden(key, null))).toEqual(classifyFailure(unplain));
  });

  it.each([
    ['JSON', new Error('{"code":"insufficient_quota"}')],
    ['a delay in JSON', new Error('no: "retryDelay": "7s"')],
    ['a getter that throws', Object.defineProperty(new Error('down'), 'code', { get: boom })],
    ['a text that is none', withHidden('message', 7)],
  ])('is not bare with %s', (_name, error) => {
    expect(bareText(error)).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'down'],
    ['an error of a class', new Unplain('down')],
    ['a mistake', new TypeError('down')],
    [
      'a mistake that calls itself an Error',
      Object.assign(new TypeError('down'), { name: 'Error', constructor: Error }),
    ],
    ['an object that calls itself an Error', { name: 'Error', constructor: Error, message: 'down' }],
  ])('is not %s', (_name, error) => {
    expect(bareText(error)).toBeUndefined();
  });
});
