/** Handlers that take the response themselves: Nest sends nothing of what is returned for them. */
import { Controller, Get, Next, Param, Res, UseInterceptors } from '@nestjs/common';
import type { NestInterceptor, Type } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { map } from 'rxjs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { FallbackChain, FallbackInterceptor } from '../../../lib/index.js';
import { down } from '../../support/answers.js';
import { closeAll, platforms } from '../../support/apps.js';
import { said } from '../../support/boot-log.js';
import { protect, faultsOf } from '../../support/faulty.js';
import { closeApps } from '../../support/nest-app.js';
import { Script, ask, serve } from './route.js';

type Reply = ServerResponse & { raw?: ServerResponse; hijack?: () => void };

const mapping: NestInterceptor = {
  intercept: (_context, next) => next.handle().pipe(map((value) => `mapped ${value}`)),
};

@UseInterceptors(FallbackInterceptor, mapping)
@Controller('own')
class Own {
  isDown = false;

  @Get('raw/:id')
  @FallbackChain(['rawBackup'], { name: 'raw' })
  async raw(@Param('id') id: string, @Res() reply: Reply): Promise<void> {
    if (this.isDown) return down();
    this.end(reply, `raw ${id}`);
  }

  async rawBackup(id: string, reply: Reply): Promise<void> {
    this.end(reply, `backup ${id}`);
  }

  @Get('passing/:id')
  @FallbackChain(['backup'], { name: 'passing' })
  async passing(@Param('id') id: string, @Res({ passthrough: true }) reply: Reply): Promise<string> {
    (reply.raw ?? reply).setHeader('X-Own', 'yes');
    return this.isDown ? down() : `body ${id}`;
  }

  async backup(id: string): Promise<string> {
    return `backup ${id}`;
  }

  private end(reply: Reply, text: string): void {
    reply.hijack?.();
    (reply.raw ?? reply).end(text);
  }
}

describe.each(platforms)('$name: @Res()', (platform) => {
  afterEach(closeAll);

  const start = () => serve(platform, new Script(), { parts: { controllers: [Own] } });

  it('without passthrough leaves the ladder to the wrapper, whose candidates write the response', async () => {
    const { url, app, health } = await start();
    expect((await ask(`${url}/own/raw/1`)).text).toBe('raw 1');
    app.get(Own).isDown = true;
    expect((await ask(`${url}/own/raw/2`)).text).toBe('backup 2');
    expect(health.snapshot('raw').candidates.map(({ counts }) => counts)).toEqual([{ ok: 1, transient: 1 }, { ok: 1 }]);
  });

  it('with passthrough is a handler like any other', async () => {
    const { url, app } = await start();
    expect((await ask(`${url}/own/passing/1`)).text).toBe('mapped body 1');
    app.get(Own).isDown = true;
    const { text, headers } = await ask(`${url}/own/passing/2`);
    expect([text, headers.get('x-own')]).toEqual(['backup 2', 'yes']);
  });
});

describe('start-up', () => {
  afterEach(closeApps);

  const taking = (parameter: ParameterDecorator, protection: Parameters<typeof protect>[1], route = Get()): Type => {
    class Cats {
      async read(_reply: unknown): Promise<unknown> {
        return undefined;
      }

      async backup(_reply: unknown): Promise<unknown> {
        return undefined;
      }
    }
    protect(Cats, protection);
    parameter(Cats.prototype, 'read', 0);
    route(Cats.prototype, 'read', Object.getOwnPropertyDescriptor(Cats.prototype, 'read')!);
    Controller('cats')(Cats);
    return Cats;
  };
  const substitutes = [
    { substitute: 'none', mark: 'receipt' },
    { substitute: () => 'none', mark: 'receipt' },
    { lastKnownGood: { maxAge: '1h', key: () => 'all' }, mark: 'receipt' },
    { skip: true },
  ];

  it.each(substitutes)('refuses a substitute that would never be sent: %j', async (degraded) => {
    for (const parameter of [Res(), Next()]) {
      expect(await faultsOf(() => said([], {}, [taking(parameter, { degraded })]))).toEqual([
        { where: 'Cats.read', message: expect.stringContaining('@Res({ passthrough: true })') },
      ]);
    }
  });

  it('warns of further candidates', async () => {
    const ladder = { candidates: ['backup'], options: { timeout: '1s' } };
    const { warn } = await said([], {}, [taking(Res(), ladder)]);
    expect(warn).toEqual([expect.stringMatching(/^Cats\.read: .*write the response itself/)]);
  });

  it('has nothing against passthrough, nor against a method that is no route', async () => {
    const protection = { candidates: ['backup'], options: { timeout: '1s' }, degraded: substitutes[0]! };
    const { warn } = await said([], {}, [
      taking(Res({ passthrough: true }), protection),
      taking(Res(), { ...protection, options: { timeout: '1s', name: 'no route' } }, () => {}),
    ]);
    expect(warn).toEqual([]);
  });
});
