import { Catch, UseFilters } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { MessageBody, SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { WebSocket } from 'ws';
import { Degraded, FallbackChain, FallbackExhaustedError, FallbackService } from '../../../lib/index.js';
import { boot, closeAll, listen, platforms } from '../../support/apps.js';
import { TestClock } from '../../support/test-clock.js';
import { ANSWERS, EXHAUSTED, INNER, Quotes, SHUTTING_DOWN, SUBSTITUTE, answer, outage } from './support/quotes.js';
import type { Quote } from './support/quotes.js';
import { Socket, withSockets } from './support/socket.js';
import { failureOf } from './support/tcp.js';

interface Message {
  event: string;
  data: Quote;
  degraded?: boolean;
}

/** Says who it is instead of what ours says. */
@Catch(FallbackExhaustedError)
class OwnFilter implements ExceptionFilter {
  catch(error: FallbackExhaustedError, host: ArgumentsHost): void {
    host
      .switchToWs()
      .getClient<WebSocket>()
      .send(JSON.stringify({ own: error.chain }));
  }
}

@WebSocketGateway()
class QuotesGateway {
  constructor(private readonly quotes: Quotes) {}

  @SubscribeMessage('service')
  async service(@MessageBody() symbol: string): Promise<Message> {
    return { event: 'quote', data: await this.quotes.live(symbol) };
  }

  @SubscribeMessage('handler')
  @FallbackChain([{ method: 'delayed', name: INNER }], { name: 'handler', breaker: { threshold: Infinity } })
  @Degraded({
    substitute: { event: 'quote', data: { price: 0 } },
    mark: (message: Message) => ({ ...message, data: { ...message.data, degraded: true } }),
  })
  async handler(@MessageBody() symbol: string): Promise<Message> {
    return { event: 'quote', data: answer(0, symbol.length) };
  }

  async delayed(symbol: string): Promise<Message> {
    return { event: 'quote', data: answer(1, symbol.length * 10) };
  }

  @SubscribeMessage('strict')
  async strict(@MessageBody() symbol: string): Promise<Message> {
    return { event: 'quote', data: await this.quotes.strict(symbol) };
  }

  @SubscribeMessage('own filter')
  @UseFilters(OwnFilter)
  async ownFilter(@MessageBody() symbol: string): Promise<Message> {
    return this.strict(symbol);
  }
}

@WebSocketGateway({ path: '/own' })
@UseFilters(OwnFilter)
class OwnGateway {
  constructor(private readonly quotes: Quotes) {}

  @SubscribeMessage('strict')
  async strict(@MessageBody() symbol: string): Promise<Message> {
    return { event: 'quote', data: await this.quotes.strict(symbol) };
  }
}

describe.each(platforms)('a WebSocket gateway beside $name', (platform) => {
  beforeEach(() => {
    outage.failing = 0;
  });
  afterEach(closeAll);

  const start = async (path = '') => {
    const parts = { providers: [Quotes, QuotesGateway, OwnGateway], fallback: { clock: new TestClock() } };
    const { app, url } = await listen(platform, parts, withSockets);
    return { app, url, socket: await Socket.open(`${url}${path}`) };
  };

  it.each(['service', 'handler'])('a message is answered by the ladder of a %s', async (event) => {
    const { socket } = await start();
    for (const [failing, data] of ANSWERS.entries()) {
      outage.failing = failing;
      expect(await socket.ask(event, 'ACME')).toStrictEqual({ event: 'quote', data });
    }
  });

  it('the client of an exhausted call is told when to come back, and nothing of candidates and causes', async () => {
    const { socket } = await start();
    outage.failing = 2;
    expect(await socket.ask('strict', 'ACME')).toStrictEqual({ event: 'exception', data: EXHAUSTED });
    expect(await socket.ask('service', 'ACME')).toStrictEqual({ event: 'quote', data: SUBSTITUTE });
  });

  it('the client of an application that shuts down is told so', async () => {
    const { app, socket } = await start();
    await app.get(FallbackService).drain();
    expect(await socket.ask('service', 'ACME')).toStrictEqual({ event: 'exception', data: SHUTTING_DOWN });
  });

  it("a handler's and a gateway's own filters come first", async () => {
    const { url, socket } = await start();
    const own = await Socket.open(`${url}/own`);
    outage.failing = 2;
    expect(await socket.ask('own filter', 'ACME')).toStrictEqual({ own: 'strict' });
    expect(await own.ask('strict', 'ACME')).toStrictEqual({ own: 'strict' });
  });
});

describe('a client of socket.io', () => {
  afterEach(closeAll);

  it('is sent the event that Nest sends it for other exceptions', async () => {
    const module = await boot({ providers: [Quotes, QuotesGateway], fallback: { clock: new TestClock() } });
    outage.failing = 2;
    const error = await failureOf(module.get(Quotes).strict('ACME'));
    const sent: unknown[] = [];
    const client = { emit: (...message: unknown[]) => sent.push(message) };
    const host = { switchToWs: () => ({ getClient: () => client }) } as unknown as ArgumentsHost;
    const [filter] = Reflect.getMetadata('__exceptionFilters__', QuotesGateway) as [ExceptionFilter];
    const tell = filter.catch.bind(filter);
    tell(error, host);
    expect(sent).toStrictEqual([['exception', EXHAUSTED]]);
  });
});
