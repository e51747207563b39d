import { Args, Query, Resolver, Subscription } from '@nestjs/graphql';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { Degraded, FallbackChain } from '../../../lib/index.js';
import type { FallbackEvent } from '../../../lib/index.js';
import { gate } from '../../support/answers.js';
import { closeAll, listen, platforms } from '../../support/apps.js';
import { apollo } from './support/graphql.js';
import { QuoteType } from './support/quotes-resolver.js';
import { INNER, answer, outage } from './support/quotes.js';
import type { Quote } from './support/quotes.js';
import { Subscriber } from './support/subscriber.js';

const resolve = (quote: Quote): Quote => quote;

@Resolver(() => QuoteType)
class PricesResolver {
  readonly closed = gate();

  @Query(() => String)
  name(): string {
    return 'prices';
  }

  @Subscription(() => QuoteType, { resolve })
  @FallbackChain([{ method: 'delayed', name: INNER }], { name: 'prices', breaker: { threshold: Infinity } })
  @Degraded({ substitute: [{ price: 0 }] })
  async *prices(@Args('symbol') symbol: string): AsyncGenerator<QuoteType> {
    yield answer(0, symbol.length);
    yield { price: 5 };
  }

  async *delayed(symbol: string): AsyncGenerator<QuoteType> {
    yield answer(1, symbol.length * 10);
  }

  @Subscription(() => QuoteType, { resolve })
  @FallbackChain(['delayed'], { name: 'endless' })
  async *endless(@Args('symbol') symbol: string): AsyncGenerator<QuoteType> {
    try {
      for (;;) {
        yield answer(0, symbol.length);
        await setImmediate();
      }
    } finally {
      this.closed.open();
    }
  }
}

const ASK = (field: string) => `subscription { ${field}(symbol: "ACME") { price degraded } }`;

describe.each(platforms)('GraphQL subscriptions by Apollo on $name', (platform) => {
  beforeEach(() => {
    outage.failing = 0;
  });
  afterEach(closeAll);

  const start = async () => {
    const events: FallbackEvent[] = [];
    const observers = [(event: FallbackEvent): void => void events.push(event)];
    const { app, url } = await listen(platform, {
      imports: [apollo({ subscriptions: { 'graphql-ws': true } })],
      providers: [PricesResolver],
      fallback: { observers },
    });
    return { url, events, resolver: app.get(PricesResolver) };
  };

  it.each([
    [0, [{ price: 4 }, { price: 5 }]],
    [1, [{ price: 40 }]],
    [2, [{ price: 0, degraded: true }]],
  ])('with %d candidates that fail', async (failing, expected) => {
    const { url } = await start();
    outage.failing = failing;
    const messages = await (await Subscriber.open(url)).ask(ASK('prices'));
    expect(messages.map(({ type, payload }) => payload ?? type)).toEqual([
      ...expected.map((quote) => ({ data: { prices: { degraded: null, ...quote } } })),
      'complete',
    ]);
  });

  it('a client that leaves ends the source', async () => {
    const { url, events, resolver } = await start();
    const subscriber = await Subscriber.open(url);
    expect(await subscriber.ask(ASK('endless'), 2)).toHaveLength(2);
    subscriber.close();
    await resolver.closed.opened;
    const settled = events.filter(({ name }) => name === 'attempt.settled');
    expect(settled).toMatchObject([{ chain: 'endless', candidate: 'endless', kind: 'ok' }]);
  });
});
