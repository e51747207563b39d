import { AsyncLocalStorage } from 'node:async_hooks';
import { Controller, Get, Injectable, Module, Param } from '@nestjs/common';
import type { CallHandler, ExecutionContext, MiddlewareConsumer, NestInterceptor, NestModule } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Observable } from 'rxjs';
import { AttemptSignal, Degraded, Fallback } from '../../lib/index.js';
import type { FallbackEvent } from '../../lib/index.js';
import { Barrier } from '../support/barrier.js';
import { PLATFORMS, closeApps, startServer } from '../support/nest-app.js';

const REQUESTS = 20;
const requestId = new AsyncLocalStorage<string>();

type Reader = 'B' | 'factory' | 'key' | "A's abort listener";

/** What each reader found in the store, by the id of the request that it worked for. */
let readings: { reader: Reader; own: string; read: string | undefined }[];
/** What listeners heard, by the id that they found in the store. */
let heard: Map<string | undefined, string[]>;
let allInB: Barrier;

function note(reader: Reader, own: string): void {
  readings.push({ reader, own, read: requestId.getStore() });
}

function listen({ name, candidate, kind, source }: FallbackEvent): void {
  const id = requestId.getStore();
  const said = [name, candidate, kind, source].filter((part) => part !== undefined).join(' ');
  heard.set(id, [...(heard.get(id) ?? []), said]);
}

/** The same ladder on a service and on a handler. */
class Ladder {
  @Get('handler/:id')
  @Fallback('spare', { name: 'ladder', primary: { timeout: 20 }, breaker: { threshold: 1_000_000 } })
  @Degraded({
    lastKnownGood: {
      maxAge: '1m',
      key(id: string) {
        note('key', id);
        return id;
      },
    },
    substitute(id: string) {
      note('factory', id);
      return `substitute for ${id}`;
    },
    mark: 'receipt',
  })
  load(@Param('id') id: string, @AttemptSignal() signal?: AbortSignal): Promise<string> {
    signal?.addEventListener('abort', () => note("A's abort listener", id));
    return new Promise(() => {});
  }

  async spare(id: string): Promise<string> {
    allInB.arrive();
    await allInB.wait();
    note('B', id);
    if (failsOnB(id)) throw new Error('B is down');
    return `B for ${id}`;
  }
}

@Injectable()
class LadderService extends Ladder {}

@Controller()
class LadderController extends Ladder {
  constructor(private readonly service: LadderService) {
    super();
  }

  @Get('service/:id')
  callService(@Param('id') id: string): Promise<string> {
    return this.service.load(id);
  }
}

@Injectable()
class PassThrough implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle();
  }
}

@Module({})
class ContextModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    const open = (request: { headers: Record<string, string> }, _response: unknown, next: () => void): void =>
      requestId.run(request.headers['x-id']!, next);
    consumer.apply(open).forRoutes('{*path}');
  }
}

function failsOnB(id: string): boolean {
  return Number(id.split('-')[1]) % 2 === 0;
}

describe.each(PLATFORMS)('B04: AsyncLocalStorage context is lost on the way (%s)', (platform) => {
  beforeEach(() => {
    readings = [];
    heard = new Map();
    allInB = new Barrier(REQUESTS);
  });

  afterEach(closeApps);

  it.each(['service', 'handler'])('B04: every reader sees its own request (chain on a %s)', async (where) => {
    const { get } = await startServer(platform, {
      imports: [ContextModule],
      providers: [LadderService, { provide: APP_INTERCEPTOR, useClass: PassThrough }],
      controllers: [LadderController],
      options: { observers: [listen] },
    });
    const ids = Array.from({ length: REQUESTS }, (_, place) => `id-${place + 1}`);
    const answers = await Promise.all(ids.map((id) => get(`/${where}/${id}`, { 'x-id': id })));

    expect(answers.map(({ text }) => text)).toEqual(
      ids.map((id) => (failsOnB(id) ? `substitute for ${id}` : `B for ${id}`)),
    );
    expect(readings.filter(({ own, read }) => read !== own)).toEqual([]);

    const ownersFor = (reader: Reader): string[] =>
      readings
        .filter((reading) => reading.reader === reader)
        .map(({ own }) => own)
        .sort();
    expect(ownersFor('B')).toEqual([...ids].sort());
    expect(ownersFor("A's abort listener")).toEqual([...ids].sort());
    // Asked once by each call: to store B's answer, or to look for one to serve.
    expect(ownersFor('key')).toEqual([...ids].sort());
    expect(ownersFor('factory')).toEqual(ids.filter(failsOnB).sort());

    expect(heard.has(undefined)).toBe(false);
    expect(heard.size).toBe(REQUESTS);
    for (const id of ids) {
      expect(heard.get(id)).toEqual([
        'attempt.settled load timeout',
        failsOnB(id) ? 'attempt.settled spare transient' : 'attempt.settled spare ok',
        failsOnB(id) ? 'call.served static' : 'call.served candidate',
      ]);
    }
  });
});
