import { Controller, Get, Header, Injectable, NotFoundException, Param, Post, Res } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Degraded, FallbackChain, deferred } from '../../../lib/index.js';
import { down, members } from '../../support/answers.js';
import { closeAll, listen, platforms } from '../../support/apps.js';
import { TestClock } from '../../support/test-clock.js';

interface Price {
  amount: number;
  degraded?: boolean;
}

@Injectable()
class Prices {
  isUp = true;

  @FallbackChain([], { name: 'price' })
  @Degraded({ lastKnownGood: { maxAge: '1h' }, substitute: () => ({ amount: 0 }) })
  async of(_product: string): Promise<Price> {
    return this.isUp ? { amount: 7 } : down();
  }

  @FallbackChain([], { name: 'order' })
  @Degraded({ substitute: () => deferred({ amount: 1 }) })
  async order(): Promise<Price> {
    return down();
  }
}

type Replying = { header?(name: string, value: string): void; setHeader?(name: string, value: string): void };

@Controller()
class PriceController {
  constructor(private readonly prices: Prices) {}

  @Get('price/:products')
  async several(@Param('products') products: string): Promise<Price[]> {
    return Promise.all(products.split('+').map((product) => this.prices.of(product)));
  }

  @Get('own-by-decorator')
  @Header('cache-control', 'max-age=60')
  ownByDecorator(): Promise<Price> {
    return this.prices.of('none');
  }

  @Get('own-by-response')
  async ownByResponse(@Res({ passthrough: true }) response: Replying & { raw?: Replying }): Promise<Price> {
    response.header?.('Cache-Control', 'private');
    return this.prices.of('none');
  }

  @Get('own-by-node')
  async ownByNode(@Res({ passthrough: true }) response: Replying & { raw?: Replying }): Promise<Price> {
    (response.raw ?? response).setHeader!('Cache-Control', 'private');
    return this.prices.of('none');
  }

  @Get('order')
  look(): Promise<Price> {
    return this.prices.order();
  }

  @Post('order')
  order(): Promise<Price> {
    return this.prices.order();
  }

  @Post('order-then-404')
  async orderOfNothing(): Promise<Price> {
    await this.prices.order();
    throw new NotFoundException();
  }
}

describe.each(platforms)('$name: Age, Cache-Control and the status', (platform) => {
  afterEach(closeAll);

  const start = async () => {
    const clock = new TestClock();
    const parts = { controllers: [PriceController], providers: [Prices], fallback: { clock } };
    const { app, url } = await listen(platform, parts);
    return { clock, prices: app.get(Prices), get: (path: string, init?: RequestInit) => fetch(`${url}/${path}`, init) };
  };

  it('tells the age of a last known good in seconds', async () => {
    const { clock, prices, get } = await start();
    expect((await get('price/book')).headers.has('age')).toBe(false);
    prices.isUp = false;
    await clock.advance(12_000);
    const response = await get('price/book');
    expect(response.headers.get('degraded')).toBe('price;source=last-known-good;reason=transient;age=12');
    expect(response.headers.get('age')).toBe('12');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual([{ amount: 7, degraded: true }]);
  });

  it('tells the largest of several ages', async () => {
    const { clock, prices, get } = await start();
    await get('price/old');
    await clock.advance(30_000);
    await get('price/young');
    await clock.advance(10_000);
    prices.isUp = false;
    for (const path of ['price/old+young', 'price/young+old', 'price/none+old+young']) {
      const response = await get(path);
      expect(response.headers.get('age')).toBe('40');
    }
    const ages = members((await get('price/young+old+none')).headers.get('degraded')).map(({ age }) => age);
    expect(ages).toEqual([10, 40, undefined]);
  });

  it('tells no age of other substitutes', async () => {
    const { prices, get } = await start();
    prices.isUp = false;
    const response = await get('price/none');
    expect(response.headers.get('degraded')).toBe('price;source=static;reason=transient');
    expect(response.headers.has('age')).toBe(false);
  });

  it.each([
    ['own-by-decorator', 'max-age=60'],
    ['own-by-response', 'private'],
    ['own-by-node', 'private'],
  ])("%s: the handler's own Cache-Control is kept", async (path, value) => {
    const { prices, get } = await start();
    expect((await get(path)).headers.get('cache-control')).toBe(value);
    prices.isUp = false;
    const response = await get(path);
    expect(response.headers.has('degraded')).toBe(true);
    expect(response.headers.get('cache-control')).toBe(value);
  });

  it('a deferred answer is 202', async () => {
    const { get } = await start();
    const response = await get('order');
    expect(response.status).toBe(202);
    expect(response.headers.get('degraded')).toBe('order;source=deferred;reason=transient');
    expect(await response.json()).toEqual({ amount: 1, degraded: true });
  });

  it('a deferred answer to a POST, which would have been 201, is 202', async () => {
    const { get } = await start();
    expect((await get('order', { method: 'POST' })).status).toBe(202);
  });

  it('an error after a deferred answer keeps its status', async () => {
    const { get } = await start();
    expect((await get('order-then-404', { method: 'POST' })).status).toBe(404);
  });
});
