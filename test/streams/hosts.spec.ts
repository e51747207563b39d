import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Observable, firstValueFrom, of, toArray } from 'rxjs';
import { Attempt, Degraded, FallbackChain } from '../../lib/index.js';
import type { AttemptContext } from '../../lib/index.js';
import { closeApps, startApp } from '../support/nest-app.js';
import { failing } from '../support/stream-sources.js';
import { TestClock, settle } from '../support/test-clock.js';
import { down } from './commit-cases.js';

const store = new AsyncLocalStorage<string>();
let isOn = true;

@Injectable()
class Host {
  readonly seen: unknown[][] = [];

  @FallbackChain(['spare', (...args: unknown[]) => inline(args)], { name: 'generator' })
  async *generator(question: string, _options?: object): AsyncGenerator<string> {
    this.seen.push([question, store.getStore()]);
    yield* failing(down);
  }

  @FallbackChain(['spareObservable'], { name: 'observable' })
  observable(question: string): Observable<string> {
    this.seen.push([question, store.getStore()]);
    throw down;
  }

  @FallbackChain(['spare'], { name: 'switched', enabled: () => isOn })
  async *switched(question: string): AsyncGenerator<string> {
    yield question;
    throw down;
  }

  @FallbackChain(['spareObservable'], { name: 'switchedObservable', enabled: () => isOn })
  switchedObservable(_question: string): Observable<string> {
    throw down;
  }

  @FallbackChain([], { name: 'computed' })
  @Degraded({
    substitute(this: Host, question: string) {
      this.seen.push(['substitute', question, store.getStore()]);
      return [question, 's2'];
    },
    mark: 'receipt',
  })
  async *computed(_question: string): AsyncGenerator<string> {
    yield* failing(down);
  }

  async *spare(question: string, _options?: object, @Attempt() attempt?: AttemptContext): AsyncGenerator<string> {
    this.seen.push([question, store.getStore(), attempt?.candidate, attempt?.errors[0]]);
    yield `${question}!`;
  }

  spareObservable(question: string, @Attempt() attempt?: AttemptContext): Observable<string> {
    this.seen.push([question, store.getStore(), attempt?.candidate, attempt?.errors[0]]);
    return of(`${question}!`, store.getStore() ?? 'none');
  }
}

const inline = async function* (args: unknown[]): AsyncGenerator<string> {
  yield args.join();
};

@Injectable()
class Heir extends Host {
  override async *spare(question: string): AsyncGenerator<string> {
    yield `${question} of the heir`;
  }
}

afterEach(async () => {
  isOn = true;
  await closeApps();
});

async function all(stream: unknown): Promise<unknown[]> {
  if (stream instanceof Observable) return firstValueFrom((stream as Observable<unknown>).pipe(toArray()));
  const seen: unknown[] = [];
  for await (const element of stream as AsyncIterable<unknown>) seen.push(element);
  return seen;
}

describe('a stream method and its host', () => {
  it('F52 candidates get the arguments, `this`, the context with the errors so far, and the caller’s storage', async () => {
    const { app } = await startApp({ providers: [Host] });
    const host = app.get(Host);
    await expect(store.run('mine', () => all(host.generator('who')))).resolves.toEqual(['who!']);
    expect(host.seen).toEqual([
      ['who', 'mine'],
      ['who', 'mine', 'spare', down],
    ]);
  });

  it('F52 the same for an Observable', async () => {
    const { app } = await startApp({ providers: [Host] });
    const host = app.get(Host);
    await expect(store.run('mine', () => all(host.observable('who')))).resolves.toEqual(['who!', 'mine']);
    expect(host.seen).toEqual([
      ['who', 'mine'],
      ['who', 'mine', 'spareObservable', down],
    ]);
  });

  it('a computed substitute gets `this`, the arguments, and the caller’s storage', async () => {
    const { app } = await startApp({ providers: [Host] });
    const host = app.get(Host);
    await expect(store.run('mine', () => all(host.computed('who')))).resolves.toEqual(['who', 's2']);
    expect(host.seen).toEqual([['substitute', 'who', 'mine']]);
  });

  it('an inherited stream method runs the heir’s own candidates', async () => {
    const { app } = await startApp({ providers: [Heir] });
    await expect(all(app.get(Heir).generator('who'))).resolves.toEqual(['who of the heir']);
  });

  it('enabled: false runs the bare method, whose stream keeps its kind', async () => {
    const { app, events } = await startApp({ providers: [Host] });
    const host = app.get(Host);
    isOn = false;
    const stream = host.switched('who');
    await expect(stream.next()).resolves.toEqual({ value: 'who', done: false });
    await expect(stream.next()).rejects.toBe(down);
    const seen: unknown[] = [];
    try {
      host.switchedObservable('who').subscribe({ error: (error: unknown) => seen.push(error) });
    } catch (error) {
      seen.push(error);
    }
    await settle();
    expect(seen).toEqual([down]);
    expect(events.filter(({ name }) => name === 'attempt.settled')).toEqual([]);
  });

  it('built by hand, without Nest: the bare methods run', async () => {
    const host = new Host();
    await expect(all(host.generator('who'))).rejects.toBe(down);
    expect(() => host.observable('who')).toThrow(down);
  });

  it('the module missing: a clear error at the first call, by the way of the stream’s own kind', async () => {
    class Root {}
    Reflect.decorate([(await import('@nestjs/common')).Module({ providers: [Host] })], Root);
    const app = await NestFactory.createApplicationContext(Root, { logger: false });
    const host = app.get(Host);
    const refused = { code: 'FALLBACK_CONFIGURATION' };
    for (const call of [() => host.generator('who'), () => host.observable('who')]) {
      const given = await settled(call);
      expect(given).toMatchObject(refused);
    }
    await app.close();
  });

  it('at shutdown an open stream gets the drain, then it is cancelled', async () => {
    const clock = new TestClock();
    const { app, fallback, health } = await startApp({ providers: [Stalling], options: { clock, drain: 100 } });
    const stalling = app.get(Stalling);
    const error = all(stalling.stream()).catch((each: unknown) => each);
    const errors: unknown[] = [];
    const elements: unknown[] = [];
    stalling
      .observable()
      .subscribe({ next: (each) => elements.push(each), error: (each: unknown) => errors.push(each) });
    await settle();
    const draining = fallback.drain();
    await clock.advance(99);
    expect([elements, errors]).toEqual([['o1'], []]);
    await clock.advance(1);
    await draining;
    expect(errors).toEqual([expect.objectContaining({ code: 'SHUTTING_DOWN' })]);
    await expect(error).resolves.toMatchObject({ code: 'SHUTTING_DOWN' });
    expect(health.snapshot('stalling').candidates[0]).toMatchObject({ consecutiveFailures: 0 });
  });

  it('at shutdown a stream that ends within the drain ends well', async () => {
    const clock = new TestClock();
    const { app, fallback } = await startApp({ providers: [Stalling], options: { clock, drain: 100 } });
    const ending = all(app.get(Stalling).ending(clock));
    await clock.advance(1);
    const draining = fallback.drain();
    await clock.advance(50);
    await expect(ending).resolves.toEqual(['e1', 'e2']);
    await draining;
  });
});

/** What came of a call: it must not be a promise, and must fail now or when it is read. */
async function settled(call: () => unknown): Promise<unknown> {
  try {
    const given = call();
    expect(given).not.toHaveProperty('then');
    return await all(given);
  } catch (error) {
    return error;
  }
}

@Injectable()
class Stalling {
  @FallbackChain([], { name: 'stalling' })
  async *stream(): AsyncGenerator<string> {
    yield 'a1';
    await new Promise(() => {});
  }

  @FallbackChain([], { name: 'stallingObservable' })
  observable(): Observable<string> {
    return new Observable((subscriber) => subscriber.next('o1'));
  }

  @FallbackChain([], { name: 'ending' })
  async *ending(clock: TestClock): AsyncGenerator<string> {
    yield 'e1';
    await clock.sleep(50);
    yield 'e2';
  }
}
