/** F55: the interceptor wherever Nest runs handlers: HTTP, messages over TCP, and whatever else calls one through Nest. */
import { Controller, Injectable, NotFoundException, Scope, UseInterceptors } from '@nestjs/common';
import type { CallHandler, NestInterceptor } from '@nestjs/common';
import { ExternalContextCreator } from '@nestjs/core';
import { ClientProxyFactory, MessagePattern, Payload, Transport } from '@nestjs/microservices';
import type { Server } from 'node:net';
import { firstValueFrom, map } from 'rxjs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ChainHealthService, Degraded, FallbackChain, FallbackInterceptor } from '../../../lib/index.js';
import { down } from '../../support/answers.js';
import { boot, building, closeAll, closeLater } from '../../support/apps.js';
import { ORDERS } from '../surfaces/everywhere/host.js';
import { MESSAGES } from '../surfaces/everywhere/messages.js';
import { OVER_HTTP } from '../surfaces/everywhere/over-http.js';
import { expectProtected } from '../surfaces/everywhere/surface.js';
import type { Surface } from '../surfaces/everywhere/surface.js';

/** The surface's method behind the interceptor; what Nest does not run as a handler goes on as before. */
const behind = (surface: Surface): Surface => {
  const { beside = [], ...shape } = surface.shape ?? {};
  return { ...surface, shape: { ...shape, beside: [...beside, UseInterceptors(FallbackInterceptor)] } };
};

describe.each(ORDERS)('behind the interceptor, with our decorators %s the others', (order) => {
  afterEach(closeAll);

  const handlers = OVER_HTTP.filter(({ shape }) => shape?.beside !== undefined);
  it.each(handlers)('$name', (surface) => expectProtected(behind(surface), order));

  it.each(MESSAGES)('$name', (surface) => expectProtected(behind(surface), order));
});

class Mapping implements NestInterceptor {
  intercept(_context: unknown, next: CallHandler) {
    return next.handle().pipe(map((value) => `mapped ${String(value)}`));
  }
}

let isDown = false;

class Handlers {
  bodies = 0;

  @MessagePattern('read')
  @FallbackChain(['backup'], { name: 'read' })
  @Degraded({ substitute: 'substitute', mark: 'receipt' })
  async read(@Payload() id: string): Promise<string> {
    this.bodies++;
    if (id === 'missing') throw new NotFoundException('no such cat');
    return isDown ? down() : `body ${id}`;
  }

  async backup(id: string): Promise<string> {
    return `backup ${id}`;
  }
}

describe.each([['singleton', Scope.DEFAULT] as const, ['request-scoped', Scope.REQUEST] as const])(
  'a %s handler of messages over TCP',
  (_name, scope) => {
    afterEach(closeAll);

    const start = async () => {
      class Cats extends Handlers {}
      UseInterceptors(FallbackInterceptor, Mapping)(Cats);
      Controller({ scope })(Cats);
      const host = '127.0.0.1';
      const module = await building({ controllers: [Cats], providers: [Mapping] }).compile();
      const app = module.createNestMicroservice({
        transport: Transport.TCP,
        options: { host, port: 0 },
        logger: false,
      });
      await app.listen();
      closeLater(app);
      const { port } = app.unwrap<Server>().address() as { port: number };
      const client = ClientProxyFactory.create({ transport: Transport.TCP, options: { host, port } });
      closeLater({ close: async () => void (await client.close()) });
      return {
        send: (id: string): Promise<string> => firstValueFrom(client.send<string>('read', id)),
        health: app.get(ChainHealthService),
      };
    };

    it('is answered by the mapped body, then by the backup, then again', async () => {
      isDown = false;
      const { send, health } = await start();
      expect(await send('1')).toBe('mapped body 1');
      isDown = true;
      expect(await send('2')).toBe('backup 2');
      health.isolate('read', 'read');
      expect(await send('3')).toBe('backup 3');
      expect(health.snapshot('read').candidates.map(({ counts }) => counts)).toEqual([
        { ok: 1, transient: 1, isolated: 1 },
        { ok: 2 },
      ]);
    });

    it('throws what is terminal', async () => {
      const { send, health } = await start();
      await expect(send('missing')).rejects.toBeDefined();
      expect(health.snapshot('read').candidates.map(({ counts }) => counts)).toEqual([{ terminal: 1 }, {}]);
    });
  },
);

describe('whatever calls a handler through Nest', () => {
  afterEach(closeAll);

  type External = (...args: unknown[]) => Promise<unknown>;
  const call = (creator: ExternalContextCreator, cats: Handlers, type: string): External => {
    const create = creator.create.bind(creator) as unknown as (...args: unknown[]) => External;
    const none = undefined;
    return create(
      cats,
      (cats as unknown as Record<string, unknown>)['read'],
      'read',
      none,
      none,
      none,
      none,
      none,
      type,
    );
  };

  it.each(['graphql', 'ws', 'rpc', 'job'])('of type %s', async (type) => {
    class Cats extends Handlers {}
    Injectable()(Cats);
    UseInterceptors(FallbackInterceptor, Mapping)(Cats);
    const module = await boot({ providers: [Cats, Mapping] });
    const cats = module.get(Cats);
    const read = call(module.get(ExternalContextCreator), cats, type);
    isDown = false;
    expect(await read('1')).toBe('mapped body 1');
    isDown = true;
    expect(await read('2')).toBe('backup 2');
    await expect(read('missing')).rejects.toBeInstanceOf(NotFoundException);
    expect(cats.bodies).toBe(3);
  });
});
