import { Controller, Get, Injectable } from '@nestjs/common';
import { ExternalContextCreator } from '@nestjs/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import { FallbackChain, FallbackExhaustedError } from '../../lib/index.js';
import { down } from '../support/answers.js';
import { PLATFORMS, closeApps, startApp, startServer } from '../support/nest-app.js';

@Injectable()
class Orders {
  @FallbackChain([], { name: 'orders' })
  async read(): Promise<string> {
    return down();
  }
}

@Controller()
class OrdersController {
  constructor(private readonly orders: Orders) {}
  @Get('orders') read(): Promise<string> {
    return this.orders.read();
  }
}

/** Resolvers, queue workers and commands: whatever calls a handler through Nest, filters included. */
describe('an exhausted call outside HTTP stays a rejection', () => {
  afterEach(closeApps);

  type External = (...args: unknown[]) => Promise<unknown>;
  const call = (creator: ExternalContextCreator, orders: Orders, type?: string) => {
    const handler = () => orders.read();
    const made =
      type === undefined
        ? creator.create(orders, handler, 'read')
        : creator.create(orders, handler, 'read', undefined, undefined, undefined, undefined, undefined, type);
    return (made as unknown as External)({}, {}, () => {});
  };

  it.each(['graphql', 'rmq', 'http', undefined])('of type %s, in an application without HTTP', async (type) => {
    const { app } = await startApp({ providers: [Orders] });
    const work = call(app.get(ExternalContextCreator), app.get(Orders), type);
    await expect(work).rejects.toBeInstanceOf(FallbackExhaustedError);
  });

  it.each(PLATFORMS.flatMap((platform) => ['graphql', 'rmq'].map((type) => [platform, type] as const)))(
    '%s: of type %s, beside an HTTP server that answers 503',
    async (platform, type) => {
      const { app, get } = await startServer(platform, { providers: [Orders], controllers: [OrdersController] });
      const work = call(app.get(ExternalContextCreator), app.get(Orders), type);
      await expect(work).rejects.toBeInstanceOf(FallbackExhaustedError);
      expect((await get('/orders')).status).toBe(503);
    },
  );
});
