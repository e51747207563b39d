import { Catch, Controller, UseFilters } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { EventPattern, MessagePattern, Payload, RpcException } from '@nestjs/microservices';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { firstValueFrom, throwError } from 'rxjs';
import {
  Degraded,
  FallbackChain,
  FallbackExhaustedError,
  FallbackService,
  classifyFailure,
} from '../../../lib/index.js';
import type { FallbackEvent } from '../../../lib/index.js';
import { closeAll, listen, platforms } from '../../support/apps.js';
import { TestClock } from '../../support/test-clock.js';
import { ANSWERS, EXHAUSTED, INNER, Quotes, SHUTTING_DOWN, SUBSTITUTE, answer, outage } from './support/quotes.js';
import type { Quote } from './support/quotes.js';
import { ON_LOOPBACK, clientOf, failureOf, overTcp } from './support/tcp.js';

@Catch(FallbackExhaustedError)
class OwnFilter implements ExceptionFilter {
  catch(error: FallbackExhaustedError, _host: ArgumentsHost) {
    return throwError(() => ({ own: error.chain }));
  }
}

/** What event handlers have heard; nobody waits for their answers. */
const heard: unknown[] = [];

@Controller()
class QuotesController {
  constructor(private readonly quotes: Quotes) {}

  @MessagePattern('service')
  service(@Payload() symbol: string): Promise<Quote> {
    return this.quotes.live(symbol);
  }

  @MessagePattern('handler')
  @FallbackChain([{ method: 'delayed', name: INNER }], { name: 'handler', breaker: { threshold: Infinity } })
  @Degraded({ substitute: { price: 0 } })
  async handler(@Payload() symbol: string): Promise<Quote> {
    return answer(0, symbol.length);
  }

  async delayed(symbol: string): Promise<Quote> {
    return answer(1, symbol.length * 10);
  }

  @EventPattern('service moved')
  async serviceMoved(@Payload() symbol: string): Promise<void> {
    heard.push(await this.quotes.live(symbol));
  }

  @EventPattern('handler moved')
  @FallbackChain(['lateMoved'], { name: 'handler moved', breaker: { threshold: Infinity } })
  async handlerMoved(@Payload() symbol: string): Promise<void> {
    heard.push(answer(0, symbol.length));
  }

  async lateMoved(symbol: string): Promise<void> {
    heard.push(answer(1, symbol.length * 10));
  }

  @MessagePattern('strict')
  strict(@Payload() symbol: string): Promise<Quote> {
    return this.quotes.strict(symbol);
  }

  @MessagePattern('own filter')
  @UseFilters(OwnFilter)
  ownFilter(@Payload() symbol: string): Promise<Quote> {
    return this.quotes.strict(symbol);
  }

  @MessagePattern('terminal')
  @FallbackChain(['delayed'], { name: 'terminal', classify: () => 'terminal' })
  async terminal(@Payload() _symbol: string): Promise<Quote> {
    throw new RpcException('no such symbol');
  }
}

const PARTS = { controllers: [QuotesController], providers: [Quotes] };

describe('a microservice over TCP', () => {
  beforeEach(() => {
    outage.failing = 0;
    heard.length = 0;
  });
  afterEach(closeAll);

  const start = async () => {
    const events: FallbackEvent[] = [];
    const observers = [(event: FallbackEvent): void => void events.push(event)];
    const { app, client } = await overTcp({ ...PARTS, fallback: { observers, clock: new TestClock() } });
    const ask = (pattern: string): Promise<unknown> => firstValueFrom(client.send(pattern, 'ACME'));
    /** Messages of one connection are taken in their order. */
    const tell = async (pattern: string): Promise<void> => {
      await firstValueFrom(client.emit(pattern, 'ACME'), { defaultValue: undefined });
      await ask('service');
    };
    return { app, ask, tell, events };
  };

  it.each(['service', 'handler'])('a request is answered by the ladder of a %s', async (pattern) => {
    const { ask } = await start();
    for (const [failing, expected] of ANSWERS.entries()) {
      outage.failing = failing;
      expect(await ask(pattern)).toStrictEqual(expected);
    }
  });

  it('an event runs the ladder of a service', async () => {
    const { tell } = await start();
    for (outage.failing = 0; outage.failing < ANSWERS.length; outage.failing += 1) await tell('service moved');
    expect(heard).toStrictEqual([...ANSWERS]);
  });

  it('an event runs the ladder of its handler; exhausted, it is told, and the service goes on', async () => {
    const { tell, ask, events } = await start();
    for (outage.failing = 0; outage.failing < ANSWERS.length; outage.failing += 1) await tell('handler moved');
    expect(heard).toStrictEqual([{ price: 4 }, { price: 40 }]);
    expect(events.filter(({ name }) => name === 'call.exhausted')).toMatchObject([{ chain: 'handler moved' }]);
    expect(await ask('service')).toStrictEqual(SUBSTITUTE);
  });

  it('the client of an exhausted call is told when to come back, and nothing of candidates and causes', async () => {
    const { ask } = await start();
    outage.failing = 2;
    const failure = await failureOf(ask('strict'));
    expect(failure).toStrictEqual(EXHAUSTED);
    expect(classifyFailure(failure)).toStrictEqual({ kind: 'transient', retryAfter: 10_000 });
  });

  it('the client of an application that shuts down is told so', async () => {
    const { app, ask } = await start();
    await app.get(FallbackService).drain();
    expect(await failureOf(ask('service'))).toStrictEqual(SHUTTING_DOWN);
  });

  it("a handler's own filter comes first", async () => {
    const { ask } = await start();
    outage.failing = 2;
    expect(await failureOf(ask('own filter'))).toStrictEqual({ own: 'strict' });
  });

  it('a terminal RpcException passes unchanged', async () => {
    const { ask } = await start();
    expect(await failureOf(ask('terminal'))).toStrictEqual({ status: 'error', message: 'no such symbol' });
  });

  it.each([
    ['with the configuration of the application', true, EXHAUSTED],
    [
      'without it, where Nest knows no filter of the application',
      false,
      { status: 'error', message: 'Internal server error' },
    ],
  ])('beside HTTP, %s', async (_, inheritAppConfig, expected) => {
    const { app } = await listen(platforms[0]!, { ...PARTS, fallback: { clock: new TestClock() } });
    const service = app.connectMicroservice(ON_LOOPBACK, { inheritAppConfig });
    await app.startAllMicroservices();
    outage.failing = 2;
    const client = clientOf(service);
    expect(await firstValueFrom(client.send('service', 'ACME'))).toStrictEqual(SUBSTITUTE);
    expect(await failureOf(firstValueFrom(client.send('strict', 'ACME')))).toStrictEqual(expected);
  });
});
