import { getEventListeners, once } from 'node:events';
import http from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Controller, Get, Injectable, Sse } from '@nestjs/common';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Observable } from 'rxjs';
import { FallbackChain } from '../../lib/index.js';
import { createFallbackChain } from '../../lib/core/index.js';
import type { CoreStreamCandidate } from '../../lib/core/index.js';
import { closeAll, listen, platforms } from '../support/apps.js';
import { collector } from '../support/collector.js';
import { TestClock, settle } from '../support/test-clock.js';

const STREAMS = 2_000;
const MEGABYTES = 1_024 * 1_024;

const collect = collector('abandoned streams are not checked for the memory they keep');

/** Sources that never end by themselves, and how many of them are open. */
class Sources {
  open = 0;

  /** Waits for ever, and for its signal. */
  pulled(signal: AbortSignal, first: readonly string[]): AsyncIterable<string> {
    const elements = first.values();
    const end = () => {
      this.open--;
    };
    this.open++;
    signal.addEventListener('abort', () => {}, { once: true });
    const iterator = {
      next: () => {
        const { done, value } = elements.next();
        return done === true
          ? new Promise<IteratorResult<string>>(() => {})
          : Promise.resolve<IteratorResult<string>>({ done: false, value });
      },
      return: () => {
        end();
        return new Promise<IteratorResult<string>>(() => {});
      },
    };
    return { [Symbol.asyncIterator]: () => iterator };
  }

  pushed(first: readonly string[]): Observable<string> {
    return new Observable((subscriber) => {
      this.open++;
      for (const element of first) subscriber.next(element);
      return () => {
        this.open--;
      };
    });
  }
}

/** What a process holds: timers that are set, and memory after a collection. */
async function held(): Promise<{ timers: number; heap: number }> {
  await collect?.();
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  return { timers, heap: process.memoryUsage().heapUsed };
}

async function expectNothingHeld(before: { timers: number; heap: number }): Promise<void> {
  const after = await held();
  // The test runner sets some of its own.
  expect(after.timers - before.timers).toBeLessThan(5);
  const growth = collect === undefined ? 0 : after.heap - before.heap;
  expect(growth / MEGABYTES).toBeLessThan(10);
}

describe.each(['pulled', 'pushed'] as const)('%s sources of 2 000 abandoned streams', (form) => {
  const play = (sources: Sources, ...first: string[]): CoreStreamCandidate<string> =>
    form === 'pulled' ? ({ signal }) => sources.pulled(signal, first) : () => sources.pushed(first);

  it('by a timeout before the first element', async () => {
    const [sources, clock, { signal }] = [new Sources(), new TestClock(), new AbortController()];
    const chain = createFallbackChain([play(sources), () => ['spare']], {
      timeout: 20,
      clock,
      signal,
      breaker: { cooldown: 0 },
    });
    const before = await held();
    for (let round = 0; round < STREAMS / 100; round++) {
      const reading = Array.from({ length: 100 }, async () => {
        for await (const element of chain.stream()) expect(element).toBe('spare');
      });
      await clock.advance(20);
      await Promise.all(reading);
    }
    expect(sources.open).toBe(0);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(clock.refd).toBe(0);
    await expectNothingHeld(before);
  });

  it('by their readers, after the first element and before it', async () => {
    const [sources, clock, { signal }] = [new Sources(), new TestClock(), new AbortController()];
    const options = { timeout: '1m', idleTimeout: '1m', streamDeadline: '1h', clock, signal } as const;
    const talking = createFallbackChain([play(sources, 'first')], options);
    const silent = createFallbackChain([play(sources)], options);
    const before = await held();
    for (let round = 0; round < STREAMS / 2; round++) {
      for await (const element of talking.stream()) {
        expect(element).toBe('first');
        break;
      }
      const stream = silent.stream();
      const first = stream.next();
      await stream.return();
      expect(await first).toEqual({ done: true, value: undefined });
    }
    await settle();
    expect(sources.open).toBe(0);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(clock.refd).toBe(0);
    await expectNothingHeld(before);
  });
});

@Injectable()
class Upstream extends Sources {
  @FallbackChain([], { name: 'watched', idleTimeout: '1m' })
  watched(): Observable<string> {
    return this.pushed(['first']);
  }
}

@Controller()
class Routes {
  constructor(private readonly upstream: Upstream) {}

  @Sse('events')
  @FallbackChain([], { name: 'events', idleTimeout: '1m' })
  events(): Observable<string> {
    return this.upstream.pushed(['first']);
  }

  @Sse('silent')
  @FallbackChain([], { name: 'silent', timeout: '1m' })
  silent(): Observable<string> {
    return this.upstream.pushed([]);
  }

  /** What Nest itself does for a client that leaves. */
  @Get('bare')
  bare(): Observable<string> {
    return this.upstream.pushed(['first']);
  }

  @Get('pending')
  pending(): Observable<string> {
    return this.upstream.watched();
  }
}

afterAll(closeAll);

describe.each(platforms)('$name: streams whose clients have gone', (platform) => {
  const CLIENTS = STREAMS / platforms.length;
  const AT_ONCE = 50;

  it(`leave no source, timer or listener on a socket`, async () => {
    const { app, url } = await listen(platform, { controllers: [Routes], providers: [Upstream] });
    const upstream = app.get(Upstream);
    const server = app.getHttpServer() as http.Server;
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => sockets.add(socket));
    const allClosed = async () => {
      for (let turn = 0; upstream.open > 0 && turn < 1_000; turn++) await wait(2);
      for (let turn = 0; [...sockets].some(({ closed }) => !closed) && turn < 1_000; turn++) await wait(2);
    };
    const listeners = () => {
      const counts = [...sockets].map((socket) => socket.eventNames().map((name) => socket.listenerCount(name)));
      sockets.clear();
      return Math.max(...counts.map((each) => each.reduce((sum, count) => sum + count, 0)));
    };
    const before = await held();
    const visit = async (path: string): Promise<void> => {
      const request = http.get(`${url}/${path}`, { agent: false }).on('error', () => {});
      if (path === 'events') {
        const [response] = (await once(request, 'response')) as [IncomingMessage];
        response.on('error', () => {});
        await once(response, 'data');
      } else {
        const { open } = upstream;
        for (let turn = 0; upstream.open <= open && turn < 200; turn++) await wait(1);
      }
      request.destroy();
    };
    await visit('bare');
    await allClosed();
    const ofBareNest = listeners();
    for (let round = 0; round < CLIENTS / AT_ONCE; round++) {
      const path = ['events', 'silent', 'pending'][round % 3]!;
      await Promise.all(Array.from({ length: AT_ONCE }, () => visit(path)));
      await allClosed();
    }
    expect(upstream.open).toBe(0);
    expect(sockets.size).toBe(CLIENTS);
    expect(listeners()).toBeLessThanOrEqual(ofBareNest);
    await expectNothingHeld(before);
  });
});
