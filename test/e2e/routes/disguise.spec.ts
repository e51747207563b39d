import { SetMetadata } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { Degraded, Fallback } from '../../../lib/index.js';
import { decorate, everyPlace, metadataOf } from '../../support/decorate.js';

const MARK = Symbol('mark');
const FIXED = { value: 'fixed', writable: false, enumerable: false, configurable: false };

type Listener = { listeners?: string[] };

/** Like decorators for events: each adds to the list that an earlier one left on the function. */
function On(event: string): MethodDecorator {
  return (_target, _key, descriptor: PropertyDescriptor) => {
    const fn = descriptor.value as object;
    const before = (Reflect.getMetadata('events', fn) as string[] | undefined) ?? [];
    Reflect.defineMetadata('events', [...before, event], fn);
  };
}

function Own(key: string | symbol, property: PropertyDescriptor): MethodDecorator {
  return (_target, _key, descriptor: PropertyDescriptor) => {
    Object.defineProperty(descriptor.value, key, property);
  };
}

/** A decorator that does not use the descriptor it is given, but looks the method up. */
function Hostile(): MethodDecorator {
  return (target, key) => {
    const fn = (target as Record<string | symbol, Listener>)[key]!;
    fn.listeners = [...(fn.listeners ?? []), 'looked up'];
  };
}

const OTHERS = [
  SetMetadata('text', 'value'),
  SetMetadata(MARK, { by: 'symbol' }),
  On('first'),
  On('second'),
  Own('plain', { value: 1, writable: true, enumerable: true, configurable: true }),
  Own(MARK, FIXED),
  Hostile(),
];

const OURS = [
  ['@Fallback', Fallback('backup')],
  ['@Degraded', Degraded({ substitute: null, mark: 'receipt' })],
] as const;

function classWith(decorators: readonly unknown[]) {
  class Sample {
    async read(_first: string, _second?: number): Promise<string> {
      return 'primary';
    }

    async backup(): Promise<string> {
      return 'backup';
    }
  }
  const original = Object.getOwnPropertyDescriptor(Sample.prototype, 'read')!;
  decorate(decorators, Sample.prototype, 'read');
  return { original, final: Object.getOwnPropertyDescriptor(Sample.prototype, 'read')!, sample: new Sample() };
}

describe.each(OURS)('%s looks like the method it stands for', (_name, ours) => {
  const places = everyPlace<unknown>(OTHERS, ours).map((decorators, place) => ({ place, decorators }));

  it.each(places)('with $place decorators above: metadata and properties', ({ decorators }) => {
    const { original, final } = classWith(decorators);
    const reference = classWith(OTHERS).final.value as Listener & Record<string | symbol, unknown>;
    const method = final.value as typeof reference;
    expect(method).not.toBe(original.value);
    expect(metadataOf(method)).toEqual(metadataOf(reference));
    expect([method.name, method.length]).toEqual([reference.name, reference.length]);
    expect(Object.getOwnPropertyDescriptor(method, 'plain')).toEqual(
      Object.getOwnPropertyDescriptor(reference, 'plain'),
    );
    expect(Object.getOwnPropertyDescriptor(method, MARK)).toEqual(FIXED);
    expect(method.listeners).toEqual(['looked up']);
    for (const key of metadataOf(original.value as object).keys()) {
      expect(Reflect.hasMetadata(key, method)).toBe(true);
    }
  });

  it('name and length, also where somebody changed them', () => {
    const { final } = classWith([
      ours,
      Own('name', { value: 'renamed', configurable: true }),
      Own('length', { value: 7, configurable: true }),
    ]);
    expect(Object.getOwnPropertyDescriptor(final.value, 'name')).toMatchObject({ value: 'renamed', enumerable: false });
    expect(final.value).toHaveLength(7);
  });

  it.each([
    { writable: true, enumerable: false, configurable: true },
    { writable: false, enumerable: true, configurable: true },
    { writable: false, enumerable: false, configurable: true },
    { writable: true, enumerable: true, configurable: false },
  ])('the flags of its descriptor: %j', (flags) => {
    const change: MethodDecorator = (_target, _key, descriptor) => ({ ...descriptor, ...flags });
    expect(classWith([ours, change]).final).toMatchObject(flags);
    expect(classWith([change, ours]).final).toMatchObject(flags);
  });

  it('adds nothing enumerable to the instance or the prototype', async () => {
    const { sample } = classWith([ours]);
    expect(Object.keys(sample)).toEqual([]);
    expect(JSON.stringify(sample)).toBe('{}');
    const found: string[] = [];
    for (const key in sample) found.push(key);
    expect(found).toEqual([]);
    expect(await sample.read('x')).toBe('primary');
  });

  it('a wrapper of somebody else above or below still runs, once', async () => {
    const calls: string[] = [];
    const wrapping =
      (name: string): MethodDecorator =>
      (_target, _key, descriptor: PropertyDescriptor) => {
        const inner = descriptor.value as (...args: unknown[]) => unknown;
        descriptor.value = function wrapped(this: unknown, ...args: unknown[]) {
          calls.push(name);
          return inner.apply(this, args);
        };
      };
    const { sample } = classWith([wrapping('above'), ours, wrapping('below')]);
    expect(await sample.read('x')).toBe('primary');
    expect(calls).toEqual(['above', 'below']);
  });
});
