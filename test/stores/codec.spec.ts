import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { anything, assert, property } from 'fast-check';
import { decode, encode } from '../../lib/stores/codec.js';
import { hashed, seal, unseal } from '../../lib/stores/envelope.js';

const ALL = { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity } as const;
const label = { chain: 'c', version: '', maxAge: 1_000 };
const through = (value: unknown): unknown => decode(JSON.parse(JSON.stringify(encode(value))));

describe('values as text', () => {
  const dictionary = Object.assign(Object.create(null) as object, { a: 1 });
  const values: readonly (readonly [string, unknown])[] = [
    ['undefined', undefined],
    ['null', null],
    ['NaN', NaN],
    ['-0', -0],
    ['infinities', [Infinity, -Infinity]],
    ['a text that looks like a tag', ['date', 'undefined', ':base64:x']],
    ['half of a pair', '\ud800'],
    ['bigint', -12345678901234567890n],
    ['Date', new Date(5)],
    ['Map', new Map<unknown, unknown>([[{ k: 1 }, new Set([1n, undefined])]])],
    ['Set', new Set([new Date(1), 'x'])],
    ['Buffer', Buffer.from('grüß')],
    ['empty Buffer', Buffer.alloc(0)],
    ['typed arrays', [Uint8Array.of(1, 2), Float64Array.of(0.5, -0), BigInt64Array.of(-1n), Int16Array.of(-3)]],
    ['a part of a buffer', new Uint16Array(Uint16Array.of(1, 2, 3, 4).buffer, 2, 2)],
    ['undefined fields and elements', { a: undefined, b: [undefined, null] }],
    ['object without prototype', dictionary],
    ['a field called __proto__', JSON.parse('{"__proto__":{"x":1},"constructor":2}')],
    ['nested', { list: [[], [{}]], map: new Map([['m', { d: new Date(2) }]]) }],
  ];

  it.each(values)('%s', (_what, value) => {
    expect(through(value)).toStrictEqual(value);
  });

  it('a date that is none', () => {
    expect(through(new Date(NaN))).toBeInstanceOf(Date);
    expect((through(new Date(NaN)) as Date).getTime()).toBeNaN();
  });

  it('Buffers stay Buffers, and a fresh object is nobody else`s', () => {
    expect(Buffer.isBuffer(through(Buffer.from('x')))).toBe(true);
    expect(Buffer.isBuffer(through(Uint8Array.of(1)))).toBe(false);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it('anything that fast-check makes of plain data', () => {
    const plain = anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withNullPrototype: true,
    });
    assert(
      property(plain, (value) => {
        // By its text: Jest takes no two dates that are none for equal.
        expect(inspect(through(value), ALL)).toBe(inspect(value, ALL));
      }),
      { numRuns: 300 },
    );
  });

  class Wide extends Uint8Array {}
  it.each([() => 1, Symbol('s'), Wide.of(1)])('what is no plain data has no text: %p', (value) => {
    expect(seal('k', { value, storedAt: 1 }, label)).toBeUndefined();
    expect(seal('k', { value: { inner: [value] }, storedAt: 1 }, label)).toBeUndefined();
  });
});

describe('what a store gives', () => {
  const sealed = seal('k', { value: { a: 1 }, storedAt: 7 }, label)!;

  it('is read back with its stamp', () => {
    expect(unseal('k', sealed, label)).toStrictEqual({ value: { a: 1 }, storedAt: 7 });
  });

  it.each([
    ['of another key', 'other', sealed, label],
    ['of another version', 'k', sealed, { ...label, version: '2' }],
    ['of another format', 'k', sealed.replace('[1,', '[2,'), label],
  ])('%s is no value', (_what, key, given, of) => {
    expect(unseal(key, given, of)).toBe('foreign');
  });

  const broken: readonly unknown[] = [
    '',
    'null',
    '{}',
    '[]',
    '"text"',
    sealed.slice(0, -1),
    sealed.replace('7', '"7"'),
    sealed.replace('7', 'null'),
    sealed.replace('"object"', '"Function"'),
    sealed.replace('"object"', '{"object":1}'),
    sealed.replace('"a",1', '"a"'),
    sealed.replace('"a",1', '1,"a"'),
    sealed.replace('["object","a",1]', '["bigint","x"]'),
    sealed.replace('["object","a",1]', '["map",1]'),
    sealed.replace('["object","a",1]', `${'['.repeat(50_000)}${']'.repeat(50_000)}`),
    {},
    { value: sealed },
    Symbol('s'),
    0,
    true,
    Buffer.from('x'),
    { toString: () => 'x', valueOf: null },
  ];
  it.each(broken.map((given) => [given]))('%p is unreadable', (given) => {
    expect(unseal('k', given, label)).toBe('unreadable');
  });

  it('keys say nothing of what they are of', () => {
    expect(hashed('ann@example.org')).toMatch(/^nestjs-fallback:[\w-]{43}$/);
    expect(hashed('a')).not.toBe(hashed('b'));
  });
});
