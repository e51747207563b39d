import { Controller, ForbiddenException, Get, Injectable, NotFoundException, Param } from '@nestjs/common';
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Degraded, Fallback, receiptOf } from '../../lib/index.js';
import { PLATFORMS, candidateIn, closeApps, settledOf, startApp, startServer } from '../support/nest-app.js';
import type { StartedApp } from '../support/nest-app.js';

type NestCommon = typeof import('@nestjs/common');

let second: NestCommon;
/** what A throws next; nothing: it answers */
let fault: { error: unknown } | undefined;
let spareCalls: number;

/** An error as axios makes it. */
function axiosError(status: number): Error {
  const error = new Error(`Request failed with status code ${status}`);
  return Object.assign(error, {
    name: 'AxiosError',
    isAxiosError: true,
    code: 'ERR_BAD_REQUEST',
    response: { status },
  });
}

@Injectable()
class Articles {
  @Fallback('spare', { breaker: { threshold: 1 } })
  @Degraded({ lastKnownGood: { maxAge: '1h' }, substitute: { title: 'substitute' }, mark: 'receipt' })
  async find(_id: string): Promise<{ title: string }> {
    if (fault !== undefined) throw fault.error;
    return { title: 'from A' };
  }

  async spare(_id: string): Promise<{ title: string }> {
    spareCalls++;
    return { title: 'from B' };
  }
}

@Controller()
class ArticlesController {
  constructor(private readonly articles: Articles) {}

  @Get('articles/:id')
  find(@Param('id') id: string): Promise<object> {
    return this.articles.find(id);
  }

  /** The same failure without any chain. */
  @Get('bare/:id')
  async bare(): Promise<object> {
    throw fault?.error;
  }

  @Get('handler/:id')
  @Fallback('spare', { breaker: { threshold: 1 } })
  @Degraded({
    lastKnownGood: { maxAge: '1h', key: (id: string) => id },
    substitute: { title: 'none' },
    mark: 'receipt',
  })
  async handler(@Param('id') _id: string): Promise<object> {
    if (fault !== undefined) throw fault.error;
    return { title: 'from A' };
  }

  async spare(): Promise<object> {
    spareCalls++;
    return { title: 'from B' };
  }
}

beforeAll(async () => {
  await jest.isolateModulesAsync(async () => {
    second = await import('@nestjs/common');
  });
});

beforeEach(() => {
  fault = undefined;
  spareCalls = 0;
});

afterEach(closeApps);

const BUSINESS_ERRORS = [
  { sign: 'a', what: 'a NotFoundException', make: (): unknown => new NotFoundException() },
  {
    sign: 'b',
    what: 'a NotFoundException of a second copy of @nestjs/common',
    make: (): unknown => new second.NotFoundException(),
  },
  // A 403 of an upstream client would be `denied` and go on; a Nest exception of 4xx speaks of the request.
  { sign: 'a', what: 'a ForbiddenException', make: (): unknown => new ForbiddenException() },
  {
    sign: 'b',
    what: 'a ForbiddenException of a second copy of @nestjs/common',
    make: (): unknown => new second.ForbiddenException(),
  },
  { sign: 'c', what: 'an axios-like error with response.status 422', make: (): unknown => axiosError(422) },
];

describe('B10: business errors are papered over', () => {
  let started: StartedApp;
  let articles: Articles;

  beforeEach(async () => {
    started = await startApp({ providers: [Articles] });
    articles = started.app.get(Articles);
    // The last known good is warm.
    await articles.find('1');
    started.events.length = 0;
  });

  it('B10: the second copy is another class of the same shape', () => {
    const foreign: unknown = new second.NotFoundException();
    expect(foreign).not.toBeInstanceOf(NotFoundException);
    expect((foreign as NotFoundException).getStatus()).toBe(404);
  });

  it.each(BUSINESS_ERRORS)('B10 ($sign): $what reaches the caller as it is', async ({ make }) => {
    fault = { error: make() };
    const thrown: unknown = await articles.find('1').then(
      () => 'answered',
      (error: unknown) => error,
    );

    expect(thrown).toBe(fault.error);
    expect(spareCalls).toBe(0);
    expect(receiptOf(thrown)).toMatchObject({
      servedBy: null,
      degraded: false,
      failedOver: false,
      stoppedBy: 'terminal',
      attempts: [{ candidate: 'find', kind: 'terminal' }],
    });
    expect(receiptOf(thrown)?.attempts).toHaveLength(1);
    expect(started.events.map(({ name }) => name)).toEqual(['attempt.settled', 'call.stopped']);
    expect(candidateIn(started.health, 'Articles.find', 'find')).toMatchObject({
      state: 'closed',
      consecutiveFailures: 0,
      coolingFor: 0,
      counts: { ok: 1, terminal: 1 },
    });
  });

  it('B10 (d): a 503 of the second copy goes on to B, and A is cooling', async () => {
    fault = { error: new second.HttpException('unavailable', 503) };
    const { value, receipt } = await started.fallback.withReceipt(() => articles.find('1'));

    expect(value).toEqual({ title: 'from B' });
    expect(spareCalls).toBe(1);
    expect(receipt).toMatchObject({ servedBy: 'spare', source: 'candidate', degraded: false, failedOver: true });
    expect(settledOf(started.events, 'find')).toMatchObject([{ kind: 'transient' }]);
    expect(candidateIn(started.health, 'Articles.find', 'find')).toMatchObject({
      state: 'open',
      consecutiveFailures: 1,
    });
  });
});

describe.each(PLATFORMS)('B10: business errors over HTTP (%s)', (platform) => {
  it.each(['articles', 'handler'])('B10: /%s answers what it would answer without a chain', async (path) => {
    const { get } = await startServer(platform, { providers: [Articles], controllers: [ArticlesController] });
    expect((await get(`/${path}/1`)).json()).toEqual({ title: 'from A' });

    for (const { sign, make } of BUSINESS_ERRORS) {
      fault = { error: make() };
      const decorated = await get(`/${path}/1`);
      const bare = await get('/bare/1');
      expect({ sign, status: decorated.status, text: decorated.text }).toEqual({
        sign,
        status: bare.status,
        text: bare.text,
      });
      expect(decorated.headers.get('degraded')).toBeNull();
    }
    expect(spareCalls).toBe(0);
  });

  it('B10 (a): a NotFoundException is 404', async () => {
    const { get } = await startServer(platform, { providers: [Articles], controllers: [ArticlesController] });
    fault = { error: new NotFoundException('no such article') };
    const { status, json } = await get('/articles/1');
    expect(status).toBe(404);
    expect(json()).toEqual({ statusCode: 404, message: 'no such article', error: 'Not Found' });
  });
});
