import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Observable, firstValueFrom, of, throwError, toArray } from 'rxjs';
import { createFallbackChain } from '../../lib/core/index.js';
import { AttemptSignal, Degraded, FallbackChain, from } from '../../lib/index.js';
import type { AttemptContext, FallbackCandidate } from '../../lib/index.js';
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

  @FallbackChain([], { name: 'byHand' })
  @Degraded({ substitute: [], mark: 'receipt' })
  async *byHand(): AsyncGenerator<{ id: number }> {
    for (const element of await firstValueFrom(this.inner.degraded().pipe(toArray()))) yield element;
  }

  constructor(private readonly inner: Inner) {}

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

  it('degraded elements that are read by hand in an outer candidate degrade the outer too', async () => {
    const { fallback, outer } = await open();
    const { receipt } = await fallback.withReceipt(() => all(outer.byHand()));
    expect(receipt).toMatchObject({ chain: 'byHand', degraded: true });
  });
});

const inner = createFallbackChain<string>(
  [
    () => {
      throw down;
    },
    (ctx, ...args) => (nestedSignal = ctx.signal) && ['i1', ...(args as string[])],
  ],
  { name: 'innerPlain' },
);
let nestedSignal: AbortSignal | undefined;

@Injectable()
class OverPlain {
  @FallbackChain([inner], { name: 'overPlain' })
  async *stream(_argument: string): AsyncGenerator<string> {
    yield* failing(down);
  }

  @FallbackChain([inner], { name: 'overPlainObservable' })
  observable(_argument: string): Observable<string> {
    return throwError(() => down);
  }

  @FallbackChain([from(() => Provided)], { name: 'provided' })
  async *provided(_argument: string): AsyncGenerator<string> {
    yield* failing(down);
  }
}

@Injectable()
class Provided implements FallbackCandidate<[string], string> {
  run(ctx: AttemptContext, argument: string): Observable<string> {
    return of(ctx.candidate, argument);
  }
}

describe('a chain of plain functions as a candidate of a stream', () => {
  it('in plain functions: it streams, under its own name', async () => {
    const kinds: string[] = [];
    const outer = createFallbackChain<string>([() => Promise.reject(down), inner], {
      args: ['x'],
      onAttempt: ({ candidate, kind }) => void kinds.push(`${candidate}:${kind}`),
    });
    await expect(all(outer.stream())).resolves.toEqual(['i1', 'x']);
    expect(kinds).toEqual(['candidate0:transient', 'innerPlain:ok']);
  });

  it('its exhaustion is one transient of the outer', async () => {
    const broken = createFallbackChain<string>([() => Promise.reject(down), () => Promise.reject(down)], {
      name: 'broken',
    });
    const outer = createFallbackChain<string>([broken, () => ['last']]);
    await expect(all(outer.stream())).resolves.toEqual(['last']);
  });

  it('under decorated methods of both kinds', async () => {
    const { app } = await startApp({ providers: [OverPlain, Provided] });
    const host = app.get(OverPlain);
    await expect(all(host.stream('x'))).resolves.toEqual(['i1', 'x']);
    await expect(firstValueFrom(host.observable('y').pipe(toArray()))).resolves.toEqual(['i1', 'y']);
  });

  it('the outer’s reader leaves: the inner candidate’s signal is aborted', async () => {
    const stream = createFallbackChain<string>([inner], { args: ['x'] }).stream();
    await stream.next();
    expect(nestedSignal?.aborted).toBe(false);
    await stream.return(undefined);
    expect(nestedSignal?.aborted).toBe(true);
  });

  it('a provider with run() may give a stream', async () => {
    const { app } = await startApp({ providers: [OverPlain, Provided] });
    await expect(all(app.get(OverPlain).provided('z'))).resolves.toEqual(['Provided', 'z']);
  });
});
