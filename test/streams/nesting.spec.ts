import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Observable, firstValueFrom, of, throwError, toArray } from 'rxjs';
import { createFallbackChain } from '../../lib/core/index.js';
import { AttemptSignal, Degraded, FallbackChain, from } from '../../lib/index.js';
import { closeApps, startApp } from '../support/nest-app.js';
import { failing } from '../support/stream-sources.js';
import { TestClock, settle } from '../support/test-clock.js';
import { down } from './commit-cases.js';

let script: 'answers' | 'fails' | 'breaks' | 'stalls' = 'answers';
let signals: (AbortSignal | undefined)[] = [];

@Injectable()
class Inner {
  @FallbackChain([], { name: 'inner' })
  async *stream(@AttemptSignal() signal?: AbortSignal): AsyncGenerator<{ id: number }> {
    signals.push(signal);
    if (script === 'fails') throw down;
    if (script === 'stalls') await new Promise(() => {});
    yield { id: 1 };
    if (script === 'breaks') throw down;
    yield { id: 2 };
  }

  @FallbackChain([], { name: 'innerDegraded' })
  @Degraded({ substitute: [{ id: 0 }], mark: 'receipt' })
  degraded(): Observable<{ id: number }> {
    return throwError(() => down);
  }
}

@Injectable()
class Outer {
  @FallbackChain([from(Inner, 'stream'), 'last'], { name: 'outer', timeout: 20 })
  async *stream(): AsyncGenerator<{ id: number }> {
    yield* failing(down);
  }

  @FallbackChain([from(Inner, 'degraded')], { name: 'outerOfDegraded' })
  @Degraded({ lastKnownGood: { maxAge: '1h', collect: 5 }, mark: 'receipt' })
  observable(): Observable<{ id: number }> {
    return throwError(() => down);
  }

  last(): Observable<{ id: number }> {
    return of({ id: 99 });
  }
}

const open = async () => {
  signals = [];
  const clock = new TestClock();
  const started = await startApp({ providers: [Inner, Outer], options: { clock, logger: false } });
  return { ...started, clock, outer: started.app.get(Outer) };
};

async function all(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const element of stream) seen.push(element);
  return seen;
}

afterEach(async () => {
  script = 'answers';
  await closeApps();
});

describe('a stream chain as a candidate of another', () => {
  it('its elements are the outer’s', async () => {
    const { outer, events } = await open();
    await expect(all(outer.stream())).resolves.toEqual([{ id: 1 }, { id: 2 }]);
    const committed = events.filter(({ name }) => name === 'stream.committed').map(({ chain }) => chain);
    expect(committed.sort()).toEqual(['inner', 'outer']);
  });

  it('its exhaustion is one transient of the outer', async () => {
    script = 'fails';
    const { outer, events } = await open();
    await expect(all(outer.stream())).resolves.toEqual([{ id: 99 }]);
    const kinds = events.filter(({ name, chain }) => name === 'attempt.settled' && chain === 'outer');
    expect(kinds.map(({ kind }) => kind)).toEqual(['transient', 'transient', 'ok']);
  });

  it('a failure after its commit is passed on as it is', async () => {
    script = 'breaks';
    const { outer } = await open();
    const stream = outer.stream();
    await expect(stream.next()).resolves.toEqual({ value: { id: 1 }, done: false });
    await expect(stream.next()).rejects.toBe(down);
  });

  it('the outer’s timeout reaches the inner candidate', async () => {
    script = 'stalls';
    const { outer, clock } = await open();
    const elements = all(outer.stream());
    await clock.advance(20);
    await expect(elements).resolves.toEqual([{ id: 99 }]);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  });

  it('the outer’s reader leaves: the inner candidate’s signal is aborted', async () => {
    const { outer } = await open();
    const stream = outer.stream();
    await stream.next();
    await stream.return(undefined);
    await settle();
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  });

  it('degraded elements of the inner one make the outer degraded, and are not stored as its last known good', async () => {
    const { outer, fallback, events } = await open();
    const read = () => firstValueFrom(outer.observable().pipe(toArray()));
    const { value, receipt } = await fallback.withReceipt(read);
    expect(value).toEqual([{ id: 0 }]);
    expect(receipt).toMatchObject({ chain: 'outerOfDegraded', degraded: true });
    const served = events.filter(({ name, chain }) => name === 'call.served' && chain === 'outerOfDegraded');
    expect(served).toMatchObject([{ degraded: true }]);
  });

  it('a chain of plain functions streams as a candidate of another', async () => {
    const inner = createFallbackChain<number>([() => [1, 2]], { name: 'innerPlain' });
    const outer = createFallbackChain<number>([() => Promise.reject(down), (): any => inner.stream()]);
    await expect(all(outer.stream())).resolves.toEqual([1, 2]);
  });
});
