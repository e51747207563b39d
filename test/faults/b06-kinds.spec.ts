import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Fallback } from '../../lib/index.js';
import { closeApps, startApp } from '../support/nest-app.js';
import { settle } from '../support/test-clock.js';

const BY_SYMBOL = Symbol('description');
let reads = 0;
let runs = 0;

@Injectable()
class Things {
  @Fallback('spare')
  async [BY_SYMBOL](): Promise<string> {
    throw new Error('down');
  }

  @Fallback('spareStream')
  async *stream(): AsyncGenerator<string> {
    runs++;
    yield 'a';
  }

  get hostile(): string {
    reads++;
    throw new Error('not before somebody asks');
  }

  async spare(): Promise<string> {
    return 'spare';
  }

  async *spareStream(): AsyncGenerator<string> {
    runs++;
    yield 'spare';
  }
}

afterEach(closeApps);

describe('B06: things that look like methods but are not plain instance methods', () => {
  it('B06 (a) a method named by a symbol works, and health names it', async () => {
    const { app, health } = await startApp({ providers: [Things] });
    await expect(app.get(Things)[BY_SYMBOL]()).resolves.toBe('spare');
    expect(health.snapshot('Things[Symbol(description)]').candidates).toHaveLength(2);
  });

  it('B06 (b) async * gives an async iterable at once, and starts nothing before the first next()', async () => {
    const { app } = await startApp({ providers: [Things] });
    const stream = app.get(Things).stream();
    expect(stream[Symbol.asyncIterator]).toBeInstanceOf(Function);
    expect('then' in stream).toBe(false);
    await settle();
    expect(runs).toBe(0);
    await expect(stream.next()).resolves.toEqual({ value: 'a', done: false });
    expect(runs).toBe(1);
    await stream.return(undefined);
  });

  it('B06 (c) start-up runs no getter', async () => {
    await startApp({ providers: [Things] });
    expect(reads).toBe(0);
  });

  it('B06 (d) (e) static methods and accessors are refused where the class is evaluated', () => {
    const decorate = Fallback('spare') as MethodDecorator;
    expect(() => {
      class Static {
        @decorate
        static fetch(): void {}
      }
      return Static;
    }).toThrow(/Static\.fetch/);
    expect(() => {
      class Accessor {
        @decorate
        get fetch(): string {
          return '';
        }
      }
      return Accessor;
    }).toThrow(/Accessor\.fetch/);
  });
});
