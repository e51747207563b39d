/** Observables of message handlers: every element is sent. */
import { Controller, UseInterceptors } from '@nestjs/common';
import type { NestInterceptor } from '@nestjs/common';
import { ClientProxyFactory, MessagePattern, Payload, Transport } from '@nestjs/microservices';
import type { Server } from 'node:net';
import { Observable, delay, lastValueFrom, map, of, throwError, toArray } from 'rxjs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ChainHealthService, FallbackChain, FallbackInterceptor } from '../../../lib/index.js';
import { building, closeAll, closeLater } from '../../support/apps.js';

const broken = throwError(() => new Error('down'));

describe('a handler of messages that gives an Observable', () => {
  afterEach(closeAll);

  it('sends every element, of the body or of the backup', async () => {
    let isDown = false;
    const mapping: NestInterceptor = {
      intercept: (_context, next) => next.handle().pipe(map((value) => `mapped ${value}`)),
    };
    @UseInterceptors(FallbackInterceptor, mapping)
    @Controller()
    class Cats {
      @MessagePattern('read')
      @FallbackChain(['backup'], { name: 'read' })
      read(@Payload() id: string): Observable<string> {
        return isDown ? broken : of(`one ${id}`, `two ${id}`).pipe(delay(1));
      }

      backup(id: string): Observable<string> {
        return of(`backup one ${id}`, `backup two ${id}`);
      }
    }
    const host = '127.0.0.1';
    const module = await building({ controllers: [Cats] }).compile();
    const app = module.createNestMicroservice({ transport: Transport.TCP, options: { host, port: 0 }, logger: false });
    await app.listen();
    closeLater(app);
    const { port } = app.unwrap<Server>().address() as { port: number };
    const client = ClientProxyFactory.create({ transport: Transport.TCP, options: { host, port } });
    closeLater({ close: async () => void (await client.close()) });
    const read = (): Promise<unknown> => lastValueFrom(client.send('read', '1').pipe(toArray()));
    expect(await read()).toEqual(['mapped one 1', 'mapped two 1']);
    isDown = true;
    expect(await read()).toEqual(['backup one 1', 'backup two 1']);
    expect(
      app
        .get(ChainHealthService)
        .snapshot('read')
        .candidates.map(({ counts }) => counts),
    ).toEqual([{ ok: 1, transient: 1 }, { ok: 1 }]);
  });
});
