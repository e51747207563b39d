/** Exactly one of interceptor and wrapper runs the ladder of a call, wherever the interceptor stands and whatever calls what. */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  Controller,
  ForbiddenException,
  Get,
  Inject,
  Injectable,
  Module,
  Param,
  Scope,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { APP_INTERCEPTOR, REQUEST } from '@nestjs/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import { FallbackChain, FallbackInterceptor, FallbackModule } from '../../../lib/index.js';
import { down, members } from '../../support/answers.js';
import { closeAll, platforms } from '../../support/apps.js';
import { ask as get, Script, serve } from './route.js';

const GLOBAL = { provide: APP_INTERCEPTOR, useClass: FallbackInterceptor };

describe.each(platforms)('$name: one ladder per call', (platform) => {
  afterEach(closeAll);

  it.each<[string, Parameters<typeof serve>[2]]>([
    ['on the class and on the method', { onMethod: [UseInterceptors(FallbackInterceptor)] }],
    ['twice on the class', { interceptors: [FallbackInterceptor, FallbackInterceptor] }],
    ['for all routes and on the class', { parts: { providers: [GLOBAL] } }],
    ['for all routes', { interceptors: [], parts: { providers: [GLOBAL] } }],
    ['twice for all routes', { interceptors: [], parts: { providers: [GLOBAL, { ...GLOBAL }] } }],
    [
      'B25 a: with the module imported twice',
      { fallback: { observers: [] }, parts: { imports: [FallbackModule.forRoot({ logger: false, observers: [] })] } },
    ],
  ])('with the interceptor %s', async (_where, parts) => {
    const script = new Script();
    const { ask, counts } = await serve(platform, script, parts);
    expect((await ask()).text).toBe('mapped body <1>');
    script.body = () => down();
    expect((await ask()).text).toBe('backup <1>');
    expect(script.seen.filter((each) => each === 'body')).toHaveLength(2);
    expect(counts()).toEqual([{ ok: 1, transient: 1 }, { ok: 1 }]);
  });

  it('B25 a: one event per outcome with the module imported twice', async () => {
    const script = new Script();
    script.body = () => down();
    const events: string[] = [];
    const fallback = {
      logger: false,
      observers: [({ name }: { name: string }): void => void events.push(name)],
    } as const;
    @Module({ imports: [FallbackModule.forRoot(fallback)] })
    class Feature {}
    const { ask } = await serve(platform, script, { fallback, parts: { imports: [Feature] } });
    await ask();
    expect(events).toEqual(['attempt.settled', 'attempt.settled', 'call.served']);
    expect(script.seen.filter((each) => each === 'body')).toHaveLength(1);
  });

  it('lets handlers without a ladder pass, and their failures', async () => {
    @Controller('plain')
    class Plain {
      @Get() read(): string {
        return 'plain';
      }

      @Get('failing') failing(): never {
        throw new ForbiddenException();
      }
    }
    const { url, events } = await serve(platform, new Script(), {
      interceptors: [],
      parts: { providers: [GLOBAL], controllers: [Plain] },
    });
    expect((await get(`${url}/plain`)).text).toBe('plain');
    expect((await get(`${url}/plain/failing`)).status).toBe(403);
    expect(events).toEqual([]);
  });

  it('keeps 50 requests at once apart', async () => {
    const script = new Script();
    script.body = async (id) => {
      await new Promise(setImmediate);
      return Number(id.slice(1, -1)) % 2 === 0 ? down() : `body ${id}`;
    };
    const { ask, counts } = await serve(platform, script, { options: { breaker: { threshold: Infinity } } });
    const ids = Array.from({ length: 50 }, (_, id) => id);
    const texts = await Promise.all(ids.map(async (id) => (await ask(`/${id}`)).text));
    expect(texts).toEqual(ids.map((id) => (id % 2 === 0 ? `backup <${id}>` : `mapped body <${id}>`)));
    expect(counts()).toEqual([{ ok: 25, transient: 25 }, { ok: 25 }]);
  });

  it('leaves guards outside', async () => {
    const script = new Script();
    const guard = { canActivate: () => false };
    const { ask, events } = await serve(platform, script, {
      onMethod: [UseGuards(guard)],
      degraded: { substitute: 'substitute', mark: 'receipt' },
    });
    expect((await ask()).status).toBe(403);
    expect([script.seen, events]).toEqual([[], []]);
  });

  it('gives recursion inside the handler, and services that it calls, their own ladders', async () => {
    const seen: string[] = [];
    @Injectable()
    class Service {
      @FallbackChain(['stale'], { name: 'service' })
      async read(): Promise<string> {
        return down();
      }

      async stale(): Promise<string> {
        return 'from the service';
      }
    }
    @UseInterceptors(FallbackInterceptor)
    @Controller('deep')
    class Recursive {
      constructor(private readonly service: Service) {}

      @Get(':depth')
      @FallbackChain(['backup'], { name: 'recursive', breaker: { threshold: Infinity } })
      async read(@Param('depth') depth: string): Promise<string> {
        seen.push(`body ${depth}`);
        if (depth === '0') return down();
        if (depth === '1') return `${await this.service.read()}, ${await this.read('0')}`;
        return this.read(String(Number(depth) - 1));
      }

      async backup(depth: string): Promise<string> {
        return `backup ${depth}`;
      }
    }
    const { url, health, events } = await serve(platform, new Script(), {
      fallback: { http: { receipt: 'always' } },
      parts: { controllers: [Recursive], providers: [Service] },
    });
    const { text, headers } = await get(`${url}/deep/2`);
    expect(text).toBe('from the service, backup 0');
    expect(seen).toEqual(['body 2', 'body 1', 'body 0']);
    const served = events.filter(({ name }) => name === 'call.served').map(({ chain, servedBy }) => [chain, servedBy]);
    expect(served).toEqual([
      ['service', 'stale'],
      ['recursive', 'backup'],
      ['recursive', 'read'],
      ['recursive', 'read'],
    ]);
    expect(health.snapshot('recursive').candidates.map(({ counts }) => counts)).toEqual([
      { ok: 2, transient: 1 },
      { ok: 1 },
    ]);
    expect(members(headers.get('served-by'))).toEqual([{ name: 'recursive', by: 'read' }]);
  });

  it('serves a request-scoped controller on its own instance', async () => {
    @Controller({ path: 'scoped', scope: Scope.REQUEST })
    class Scoped {
      constructor(@Inject(REQUEST) private readonly request: { url: string }) {}

      @Get(':id')
      @UseInterceptors(FallbackInterceptor)
      @FallbackChain(['backup'], { name: 'scoped', breaker: { threshold: Infinity } })
      async read(): Promise<string> {
        return down();
      }

      async backup(): Promise<string> {
        return this.request.url;
      }
    }
    const { url, health } = await serve(platform, new Script(), { parts: { controllers: [Scoped] } });
    const texts = await Promise.all([1, 2, 3].map(async (id) => (await get(`${url}/scoped/${id}`)).text));
    expect(texts).toEqual(['/scoped/1', '/scoped/2', '/scoped/3']);
    expect(health.snapshot('scoped').candidates.map(({ counts }) => counts)).toEqual([{ transient: 3 }, { ok: 3 }]);
  });

  it('works without scopes of requests', async () => {
    const script = new Script();
    script.body = () => down();
    const { ask, counts } = await serve(platform, script, { fallback: { http: false } });
    expect((await ask()).text).toBe('backup <1>');
    expect(counts()).toEqual([{ transient: 1 }, { ok: 1 }]);
  });

  it('B04: shows every candidate the context that inner interceptors opened', async () => {
    const storage = new AsyncLocalStorage<string>();
    const script = new Script();
    const seen: unknown[] = [];
    script.inner = (context, next) => {
      const { url } = context.switchToHttp().getRequest<{ url: string }>();
      return storage.run(url, () => next.handle());
    };
    script.body = () => {
      seen.push(storage.getStore());
      return down();
    };
    script.backup = async (id) => {
      seen.push(storage.getStore());
      return id;
    };
    const { ask } = await serve(platform, script, { options: { primary: { retries: 1 } } });
    await ask('/7');
    expect(seen).toEqual(['/7', '/7', '/7']);
  });
});
