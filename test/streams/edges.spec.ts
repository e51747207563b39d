import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Observable, firstValueFrom, of, toArray } from 'rxjs';
import { Degraded, Fallback, FallbackChain } from '../../lib/index.js';
import { REASON } from '../support/stream-check.js';
import { closeApps, startApp } from '../support/nest-app.js';
import { FACES, openDecorated, openStreams } from '../support/stream-faces.js';
import type { Face } from '../support/stream-faces.js';
import { fail, inTurn, stall, wait } from '../support/stream-sources.js';
import { settle } from '../support/test-clock.js';
import { down } from './commit-cases.js';

const ITERABLES: readonly Face[] = ['plain functions', 'async iterable'];

describe.each(FACES)('%s', (face) => {
  it('B01 no listener is left on the caller’s signal, however a stream ends', async () => {
    const caller = new AbortController();
    const listeners = () => getEventListeners(caller.signal, 'abort').length;
    const endings = [['a1', 'a2'], ['a1', fail(down)], [fail(down)], [], [wait(5), 'a1']];
    for (const plays of endings) {
      const streams = await openStreams(face, { candidates: [{ name: 'a', plays }] });
      const reader = await streams.read(5, { signal: caller.signal });
      expect(reader.end).not.toBe('open');
      expect(listeners()).toBe(0);
    }
    for (const plays of [['a1', stall], [stall]]) {
      const streams = await openStreams(face, { candidates: [{ name: 'a', plays }] });
      const reader = streams.begin({ signal: caller.signal });
      await settle();
      expect(listeners()).toBe(1);
      reader.leave();
      await settle();
      expect(listeners()).toBe(0);
    }
  });

  it('B01 a stream that nobody reads listens to nothing', async () => {
    const caller = new AbortController();
    const streams = await openStreams(face, { candidates: [{ name: 'a', plays: ['a1'] }] });
    streams.stream(caller.signal);
    await settle();
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  });

  it('F46 each attempt has a signal of its own; only the one that is cut is aborted', async () => {
    const streams = await openStreams(face, {
      candidates: [
        { name: 'a', plays: [stall], timeout: 10 },
        { name: 'b', plays: ['b1', stall] },
      ],
    });
    const reader = streams.begin();
    await streams.clock.advance(10);
    const { a, b } = streams.stage.contexts;
    expect([a!.signal.aborted, b!.signal.aborted]).toEqual([true, false]);
    expect(a!.signal).not.toBe(b!.signal);
    expect(a!.idempotencyKey).toBe(b!.idempotencyKey);
    reader.leave();
    expect(b!.signal.aborted).toBe(true);
  });

  it('the signal of a stream that ended well is not aborted', async () => {
    const streams = await openStreams(face, {
      candidates: [
        {
          name: 'a',
          plays: (ctx) => {
            void ctx.signal.aborted;
            return ['a1'];
          },
        },
      ],
    });
    await streams.read(100);
    expect(streams.stage.contexts.a!.signal.aborted).toBe(false);
  });

  it('an element that is an error is an element', async () => {
    const streams = await openStreams(face, { candidates: [{ name: 'a', plays: [down, 'a2'] }] });
    const reader = await streams.read();
    expect([reader.elements, reader.end]).toEqual([[down, 'a2'], 'complete']);
  });
});

describe.each(ITERABLES)('%s', (face) => {
  it('next() and return() in one tick: it is over, and what had begun is closed', async () => {
    const streams = await openStreams(face, { candidates: [{ name: 'a', plays: ['a1', 'a2'] }] });
    const stream = streams.stream() as AsyncGenerator;
    const [next, back] = [stream.next(), stream.return(undefined)];
    await expect(back).resolves.toEqual({ value: undefined, done: true });
    await settle();
    const { log } = streams.stage;
    expect(log.filter((line) => line === 'a closed')).toHaveLength(log.filter((line) => line === 'a opened').length);
    await expect(next).resolves.toHaveProperty('done');
    await expect(stream.next()).resolves.toEqual({ value: undefined, done: true });
  });

  it('for await whose body throws: the source is closed, the error is the body’s', async () => {
    const streams = await openStreams(face, { candidates: [{ name: 'a', plays: ['a1', 'a2'] }] });
    const read = async () => {
      for await (const element of streams.stream() as AsyncIterable<unknown>) throw new Error(String(element));
    };
    await expect(read()).rejects.toThrow('a1');
    expect(streams.stage.log).toEqual(['a opened', 'a closed']);
    expect(streams.attempts).toEqual(['a:ok']);
  });
});

describe('Observable', () => {
  it('a reader that aborts its own signal inside next', async () => {
    const caller = new AbortController();
    const streams = await openDecorated('Observable', {
      candidates: [{ name: 'a', plays: [1, 2, 3], form: 'observable' }],
    });
    const seen: unknown[] = [];
    (streams.stream(caller.signal) as Observable<unknown>).subscribe({
      next: (element) => {
        seen.push(element);
        if (element === 2) caller.abort(REASON);
      },
      error: (error: unknown) => seen.push(error),
    });
    await settle();
    expect(seen).toEqual([1, 2, REASON]);
    expect(streams.stage.log).toEqual(['a opened', 'a closed']);
    expect(streams.attempts).toEqual(['a:cancelled']);
  });

  it('works with operators that subscribe again', async () => {
    const streams = await openDecorated('Observable', {
      candidates: [{ name: 'a', plays: inTurn([fail(down)], [fail(down)], ['a1']) }],
      options: { whenOpen: 'ignore' },
    });
    const { retry } = await import('rxjs');
    const elements = firstValueFrom((streams.stream() as Observable<unknown>).pipe(retry(2), toArray()));
    await expect(elements).resolves.toEqual(['a1']);
    expect(streams.stage.calls).toEqual({ a: 3 });
  });
});

@Injectable()
class Mixed {
  isUp = true;

  @FallbackChain([], { name: 'price' })
  @Degraded({ substitute: { amount: 0 } })
  async price(): Promise<{ amount: number; degraded?: boolean }> {
    if (this.isUp) return { amount: 7 };
    throw down;
  }

  @Fallback('price', { name: 'stream' })
  stream(): Observable<{ amount: number; degraded?: boolean }> {
    throw down;
  }

  @Fallback('ticks', { name: 'last' })
  async last(): Promise<number> {
    throw down;
  }

  @Fallback('noTicks', { name: 'ticks' })
  ticks(): Observable<number> {
    return of(1, 2, 3);
  }

  noTicks(): Observable<number> {
    return of();
  }

  @FallbackChain([], { name: 'keyed' })
  @Degraded({ lastKnownGood: { maxAge: '1h', collect: 5 }, mark: 'receipt' })
  async *keyed(key: string): AsyncGenerator<string> {
    if (!this.isUp) throw down;
    yield `${key}1`;
    yield `${key}2`;
  }
}

describe('streams and values', () => {
  afterEach(closeApps);

  it('F52 a promise method as a candidate of an Observable chain emits its value; degraded, it degrades the outer', async () => {
    const { app, fallback } = await startApp({ providers: [Mixed] });
    const mixed = app.get(Mixed);
    const read = () => fallback.withReceipt(() => firstValueFrom(mixed.stream().pipe(toArray())));
    expect(await read()).toMatchObject({ value: [{ amount: 7 }], receipt: { chain: 'stream', degraded: false } });
    mixed.isUp = false;
    expect(await read()).toMatchObject({
      value: [{ amount: 0, degraded: true }],
      receipt: { chain: 'stream', degraded: true },
    });
  });

  it('an Observable chain as a candidate of a promise chain gives its last value', async () => {
    const { app } = await startApp({ providers: [Mixed] });
    await expect(app.get(Mixed).last()).resolves.toBe(3);
  });

  it('F51 last known good streams are kept by their arguments, and can be forgotten', async () => {
    const { app, fallback } = await startApp({ providers: [Mixed] });
    const mixed = app.get(Mixed);
    const read = async (key: string) => {
      const seen: string[] = [];
      for await (const element of mixed.keyed(key)) seen.push(element);
      return seen;
    };
    await read('x');
    await read('y');
    mixed.isUp = false;
    await expect(read('x')).resolves.toEqual(['x1', 'x2']);
    await expect(read('y')).resolves.toEqual(['y1', 'y2']);
    await expect(read('z')).rejects.toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
    await fallback.forget('keyed', ['x']);
    await expect(read('x')).rejects.toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
    await expect(read('y')).resolves.toEqual(['y1', 'y2']);
  });
});
