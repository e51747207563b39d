import { Injectable } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Observable, firstValueFrom, from as observableFrom, of, toArray } from 'rxjs';
import { FallbackChain, createFallbackChain } from '../../lib/index.js';
import { closeApps, startApp } from '../support/nest-app.js';

afterEach(closeApps);

const all = (stream: unknown) => firstValueFrom(observableFrom(stream as AsyncIterable<unknown>).pipe(toArray()));

async function* elements(...list: string[]): AsyncGenerator<string> {
  yield* list;
}

async function hostOf<T>(type: Type<T>): Promise<T> {
  const { app } = await startApp({ providers: [type] });
  return app.get(type);
}

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

  it.each(['promisedObservable', 'asyncIterable'] as const)('%s: a promised stream is its value', async (name) => {
    const given: Promise<unknown> = (await hostOf(Promises))[name]();
    expect(given).toBeInstanceOf(Promise);
    await expect(given.then((stream) => all(stream))).resolves.toEqual(['a']);
  });

  it('plain functions are told the same', async () => {
    const generator = async function* () {
      yield 'a';
    };
    const chain = createFallbackChain<string>([generator, () => 'b']);
    await expect(chain.run()).rejects.toThrow(/read the chain with stream\(\)/);
    await expect(all(chain.stream())).resolves.toEqual(['a']);
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
