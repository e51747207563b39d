import { Controller, Injectable } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { MessageBody, SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Observable, concat, from, map, of, throwError, toArray, firstValueFrom } from 'rxjs';
import { Degraded, FallbackChain } from '../../../lib/index.js';
import type { FallbackEvent } from '../../../lib/index.js';
import { gate } from '../../support/answers.js';
import { closeAll, listen, platforms } from '../../support/apps.js';
import { TestClock } from '../../support/test-clock.js';
import { INNER, SECRET, UNAVAILABLE, outage } from './support/quotes.js';
import type { Quote } from './support/quotes.js';
import { Socket, withSockets } from './support/socket.js';
import { failureOf, overTcp } from './support/tcp.js';

/** How many elements a candidate gives before it fails, if it does. */
let failsAfter = 0;

function pricesOf(candidate: number, all: readonly number[]): Observable<Quote> {
  const quotes = of(...all.map((price) => ({ price })));
  if (candidate >= outage.failing) return quotes;
  const given = of(...all.slice(0, failsAfter).map((price) => ({ price })));
  return concat(
    given,
    throwError(() => new Error(SECRET)),
  );
}

const LIVE = [{ price: 1 }, { price: 2 }, { price: 3 }];
const DELAYED = [{ price: 10 }, { price: 20 }];
const SUBSTITUTE = [
  { price: 0, degraded: true },
  { price: 0, degraded: true },
];
const ANSWERS = [LIVE, DELAYED, SUBSTITUTE] as const;
const LADDER = [{ method: 'delayed', name: INNER }];
const BREAKER = { threshold: Infinity } as const;

@Injectable()
class Prices {
  @FallbackChain(LADDER, { name: 'prices', breaker: BREAKER })
  @Degraded({ substitute: [{ price: 0 }, { price: 0 }] })
  live(_symbol: string): Observable<Quote> {
    return pricesOf(0, [1, 2, 3]);
  }

  @FallbackChain([{ method: 'delayed', name: INNER }], { name: 'strict', breaker: BREAKER })
  strict(_symbol: string): Observable<Quote> {
    return pricesOf(0, [1, 2, 3]);
  }

  delayed(_symbol: string): Observable<Quote> {
    return pricesOf(1, [10, 20]);
  }

  @FallbackChain([{ method: 'delayed', name: INNER }], { name: 'generated', breaker: BREAKER })
  @Degraded({ substitute: [{ price: 0 }, { price: 0 }] })
  async *generated(_symbol: string): AsyncGenerator<Quote> {
    yield await firstValueFrom(pricesOf(0, [1]));
    yield* LIVE.slice(1);
  }
}

@WebSocketGateway()
@Controller()
class PricesHandlers {
  readonly closed = gate();

  constructor(private readonly prices: Prices) {}

  @MessagePattern('service')
  service(@Payload() symbol: string): Observable<Quote> {
    return this.prices.live(symbol);
  }

  @MessagePattern('generated')
  generated(@Payload() symbol: string): Observable<Quote> {
    return from(this.prices.generated(symbol));
  }

  @MessagePattern('handler')
  @FallbackChain(LADDER, { name: 'handler', breaker: BREAKER })
  @Degraded({ substitute: [{ price: 0 }, { price: 0 }] })
  handler(@Payload() _symbol: string): Observable<Quote> {
    return pricesOf(0, [1, 2, 3]);
  }

  delayed(_symbol: string): Observable<Quote> {
    return pricesOf(1, [10, 20]);
  }

  @MessagePattern('strict')
  strict(@Payload() symbol: string): Observable<Quote> {
    return this.prices.strict(symbol);
  }

  @SubscribeMessage('service')
  serviceEvents(@MessageBody() symbol: string): Observable<unknown> {
    return this.prices.live(symbol).pipe(asEvents);
  }

  @SubscribeMessage('generated')
  generatedEvents(@MessageBody() symbol: string): Observable<unknown> {
    return from(this.prices.generated(symbol)).pipe(asEvents);
  }

  @SubscribeMessage('handler')
  @FallbackChain(['delayedEvents'], { name: 'events', breaker: BREAKER })
  @Degraded({
    substitute: SUBSTITUTE.map((data) => ({ event: 'price', data })),
    mark: 'receipt',
  })
  handlerEvents(@MessageBody() _symbol: string): Observable<unknown> {
    return pricesOf(0, [1, 2, 3]).pipe(asEvents);
  }

  delayedEvents(_asked: unknown): Observable<unknown> {
    return pricesOf(1, [10, 20]).pipe(asEvents);
  }

  @SubscribeMessage('strict')
  strictEvents(@MessageBody() symbol: string): Observable<unknown> {
    return this.prices.strict(symbol).pipe(asEvents);
  }

  /** The first candidate never answers, or never ends once it has. */
  @SubscribeMessage('endless')
  @FallbackChain(['delayedEvents'], { name: 'endless', breaker: BREAKER })
  endless(@MessageBody() elements: number[]): Observable<unknown> {
    return new Observable<Quote>((subscriber) => {
      for (const price of elements) subscriber.next({ price });
      return () => this.closed.open();
    }).pipe(asEvents);
  }
}

function asEvents(quotes: Observable<Quote>): Observable<unknown> {
  return quotes.pipe(map((data) => ({ event: 'price', data })));
}

const HANDLERS = ['service', 'generated', 'handler'];

describe('streams', () => {
  beforeEach(() => {
    failsAfter = 0;
    outage.failing = 0;
  });
  afterEach(closeAll);

  describe('over TCP', () => {
    const start = async () => {
      const { client } = await overTcp({ controllers: [PricesHandlers], providers: [Prices] });
      return (pattern: string) => firstValueFrom(client.send<unknown>(pattern, 'ACME').pipe(toArray()));
    };

    it.each(HANDLERS)('every element of the ladder of a %s is a packet', async (pattern) => {
      const ask = await start();
      for (const [failing, expected] of ANSWERS.entries()) {
        outage.failing = failing;
        expect(await ask(pattern)).toStrictEqual(expected);
      }
    });

    it('an exhausted stream tells nothing of candidates and causes', async () => {
      const ask = await start();
      outage.failing = 2;
      expect(await failureOf(ask('strict'))).toStrictEqual({ ...UNAVAILABLE, code: 'FALLBACK_EXHAUSTED' });
    });

    it('a stream that breaks after its first element has no other candidate: the client gets what Nest says', async () => {
      const { client } = await overTcp({ controllers: [PricesHandlers], providers: [Prices] });
      outage.failing = 1;
      failsAfter = 2;
      const seen: unknown[] = [];
      const failure = await new Promise((resolve) => {
        client.send('service', 'ACME').subscribe({ next: (quote) => seen.push(quote), error: resolve });
      });
      expect(seen).toStrictEqual(LIVE.slice(0, 2));
      expect(failure).toStrictEqual({ status: 'error', message: 'Internal server error' });
    });
  });

  describe.each(platforms)('over WebSocket beside $name', (platform) => {
    const start = async () => {
      const events: FallbackEvent[] = [];
      const observers = [(event: FallbackEvent): void => void events.push(event)];
      const parts = { providers: [Prices, PricesHandlers], fallback: { observers, clock: new TestClock() } };
      const { app, url } = await listen(platform, parts, withSockets);
      return { events, handlers: app.get(PricesHandlers), socket: await Socket.open(url) };
    };

    it.each(HANDLERS)('every element of the ladder of a %s is a message', async (event) => {
      const { socket } = await start();
      for (const [failing, expected] of ANSWERS.entries()) {
        outage.failing = failing;
        socket.send(event, 'ACME');
        for (const data of expected) expect(await socket.next()).toStrictEqual({ event: 'price', data });
      }
    });

    it('an exhausted stream tells nothing of candidates and causes', async () => {
      const { socket } = await start();
      outage.failing = 2;
      const data = { ...UNAVAILABLE, code: 'FALLBACK_EXHAUSTED' };
      expect(await socket.ask('strict', 'ACME')).toStrictEqual({ event: 'exception', data });
    });

    it.each([
      ['before the first element', [], 'cancelled'],
      ['after it', [7], 'ok'],
    ])('a client that leaves %s ends the source, and no other candidate is tried', async (_, elements, kind) => {
      const { socket, handlers, events } = await start();
      socket.send('endless', elements);
      for (const price of elements) expect(await socket.next()).toStrictEqual({ event: 'price', data: { price } });
      await socket.close();
      await handlers.closed.opened;
      const settled = events.filter(({ name }) => name === 'attempt.settled');
      expect(settled).toMatchObject([{ chain: 'endless', candidate: 'endless', kind }]);
    });
  });
});
