import { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { Observable, firstValueFrom, from as observableFrom, of, toArray } from 'rxjs';
import { Degraded, Fallback, FallbackChain, createFallbackChain } from '../../lib/index.js';
import { closeApps, startApp } from '../support/nest-app.js';

const down = new Error('down');
/** How often a body ran. */
let runs = 0;

async function* elements(...list: string[]): AsyncGenerator<string> {
  runs++;
  yield* list;
}

@Injectable()
class Kinds {
  // Decided by the emitted type.
  @Fallback('spareObservable', { name: 'emitted' })
  emitted(): Observable<string> {
    runs++;
    return of('a', 'b');
  }

  // Decided by the function's own kind.
  @Fallback('spare', { name: 'generator' })
  async *generator(): AsyncGenerator<string> {
    runs++;
    yield 'a';
    yield 'b';
  }

  @Fallback('spare', { name: 'asIterable', stream: 'async-iterable' })
  asIterable(): AsyncIterable<string> {
    return elements('a', 'b');
  }

  @Fallback('spareObservable', { name: 'asObservable', stream: 'observable' })
  asObservable() {
    runs++;
    return of('a', 'b');
  }

  // The option is asked first.
  @Fallback('spare', { name: 'generatorAsObservable', stream: 'observable' })
  async *generatorAsObservable(): AsyncGenerator<string> {
    runs++;
    yield* ['a', 'b'];
  }

  @Fallback('spare', { name: 'emittedAsIterable', stream: 'async-iterable' })
  emittedAsIterable(): Observable<string> {
    runs++;
    return of('a', 'b');
  }

  @Fallback('spare', { name: 'promised', stream: 'async-iterable' })
  async promised(): Promise<AsyncIterable<string>> {
    return elements('a', 'b');
  }

  @Fallback('spareObservable', { name: 'promisedObservable', stream: 'observable' })
  async promisedObservable(): Promise<Observable<string>> {
    runs++;
    return of('a', 'b');
  }

  // Alone and with an empty ladder it is a stream chain all the same.
  @Degraded({ substitute: ['s'], mark: 'receipt' })
  async *degraded(): AsyncGenerator<string> {
    runs++;
    yield* ['a', 'b'];
  }

  @FallbackChain([])
  alone(): Observable<string> {
    runs++;
    return of('a', 'b');
  }

  async *spare(): AsyncGenerator<string> {
    yield 'spare';
  }

  spareObservable(): Observable<string> {
    return of('spare');
  }
}

afterEach(closeApps);

async function hostOf<T>(type: Type<T>): Promise<T> {
  const { app } = await startApp({ providers: [type] });
  return app.get(type);
}

async function all(stream: unknown): Promise<unknown[]> {
  if (stream instanceof Observable) return firstValueFrom((stream as Observable<unknown>).pipe(toArray()));
  const seen: unknown[] = [];
  for await (const element of stream as AsyncIterable<unknown>) seen.push(element);
  return seen;
}

type Name = Exclude<keyof Kinds, 'spare' | 'spareObservable'>;

describe('a stream chain keeps its kind', () => {
  it.each<Name>(['emitted', 'asObservable', 'generatorAsObservable', 'promisedObservable', 'alone'])(
    'F55 %s: an Observable at once, and nothing has run',
    async (name) => {
      const kinds = await hostOf(Kinds);
      runs = 0;
      const stream: unknown = kinds[name]();
      expect(stream).toBeInstanceOf(Observable);
      expect(stream).not.toHaveProperty('then');
      expect(runs).toBe(0);
      await expect(all(stream)).resolves.toEqual(['a', 'b']);
      expect(runs).toBe(1);
    },
  );

  it.each<Name>(['generator', 'asIterable', 'emittedAsIterable', 'promised', 'degraded'])(
    '%s: an async iterable at once, and nothing has run',
    async (name) => {
      const kinds = await hostOf(Kinds);
      runs = 0;
      const stream = kinds[name]() as unknown as AsyncGenerator<string>;
      expect(stream).not.toBeInstanceOf(Observable);
      expect(stream).not.toHaveProperty('then');
      expect(stream[Symbol.asyncIterator]()).toBe(stream);
      for (const method of ['next', 'return', 'throw'] as const) expect(stream[method]).toBeInstanceOf(Function);
      expect(runs).toBe(0);
      await expect(all(stream)).resolves.toEqual(['a', 'b']);
      expect(runs).toBe(1);
    },
  );
});

@Injectable()
class Failing {
  @FallbackChain(['viaIterable', 'viaObservable'], { name: 'observable' })
  observable(): Observable<string> {
    throw down;
  }

  @FallbackChain([{ method: 'viaObservable' }], { name: 'generator' })
  // eslint-disable-next-line require-yield
  async *generator(): AsyncGenerator<string> {
    throw down;
  }

  @FallbackChain(['inTime'], { name: 'answered' })
  answered(): Observable<object> {
    throw down;
  }

  async *viaIterable(): AsyncGenerator<string> {
    yield* ['i', 'j'];
  }

  viaObservable(): Observable<string> {
    return observableFrom(['o', 'p']);
  }

  async inTime(): Promise<object> {
    return { answered: true };
  }

  @FallbackChain(['atOnce'], { name: 'answeredAtOnce' })
  answeredAtOnce(): Observable<string> {
    throw down;
  }

  atOnce(): string {
    return 'a text';
  }
}

describe('whatever its candidates give', () => {
  it('an Observable chain stays one when an async iterable answers', async () => {
    await expect(all((await hostOf(Failing)).observable())).resolves.toEqual(['i', 'j']);
  });

  it('an async iterable stays one when an Observable answers', async () => {
    await expect(all((await hostOf(Failing)).generator())).resolves.toEqual(['o', 'p']);
  });

  it('F52 an async candidate in an Observable chain emits its value, not a promise', async () => {
    await expect(all((await hostOf(Failing)).answered())).resolves.toEqual([{ answered: true }]);
  });

  it('and one that answers at once: a text is a value, not its letters', async () => {
    await expect(all((await hostOf(Failing)).answeredAtOnce())).resolves.toEqual(['a text']);
  });
});

@Injectable()
class Promises {
  @FallbackChain([], { name: 'iterable' })
  iterable(): any {
    return elements('a');
  }

  @FallbackChain([], { name: 'asyncIterable' })
  async asyncIterable(): Promise<AsyncIterable<string>> {
    return elements('a');
  }

  @FallbackChain([], { name: 'untyped' })
  untyped(): any {
    return of('a');
  }

  @FallbackChain([], { name: 'web' })
  web(): any {
    return new ReadableStream();
  }

  @FallbackChain([], { name: 'promisedObservable' })
  async promisedObservable(): Promise<Observable<string>> {
    return of('a');
  }

  @FallbackChain([], { name: 'list' })
  async list(): Promise<string[]> {
    return ['a'];
  }
}

describe('without a sign it is a promise chain', () => {
  it.each(['iterable', 'untyped', 'web'] as const)('%s: it rejects, and says what to set', async (name) => {
    const given: unknown = (await hostOf(Promises))[name]();
    expect(given).toBeInstanceOf(Promise);
    await expect(given).rejects.toThrow(/set `?stream: /);
  });

  it.each(['promisedObservable', 'asyncIterable'] as const)(
    '%s: a promise of a stream, too, says what to set',
    async (name) => {
      const given: Promise<unknown> = (await hostOf(Promises))[name]();
      expect(given).toBeInstanceOf(Promise);
      await expect(given).rejects.toThrow(/set stream: 'observable'/);
    },
  );

  it.each([
    ['a stream of Node', () => Readable.from(['a'])],
    ['a stream of the web', () => new Response('a').body!],
  ])('%s that is promised is a value: it stands for a body', async (_, body) => {
    const given = body();
    await expect(createFallbackChain([async () => given]).run()).resolves.toBe(given);
  });

  it('plain functions are told the same', async () => {
    const generator = async function* () {
      yield 'a';
    };
    await expect(createFallbackChain<string>([generator, () => 'b']).run()).rejects.toThrow(/set stream: /);
    await expect(createFallbackChain<string>([async () => generator()]).run()).rejects.toThrow(/set stream: /);
  });

  it.each(['commitWhen', 'errorIn', 'idleTimeout', 'streamDeadline'] as const)(
    '%s on a method that promises is refused',
    async (option) => {
      @Injectable()
      class Misled {
        @FallbackChain([], { [option]: /Timeout|Deadline/.test(option) ? '1s' : () => undefined })
        async value(): Promise<string> {
          return 'a';
        }
      }
      await expect(startApp({ providers: [Misled] })).rejects.toThrow(
        new RegExp(`Misled\\.value.*${option}.*only streams`, 's'),
      );
    },
  );

  it('an array is a value', async () => {
    await expect((await hostOf(Promises)).list()).resolves.toEqual(['a']);
  });
});
