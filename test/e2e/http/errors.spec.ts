import {
  Catch,
  ConflictException,
  Controller,
  Get,
  HttpException,
  Injectable,
  NotFoundException,
  Param,
  ServiceUnavailableException,
  UseFilters,
} from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Degraded, FallbackChain, FallbackExhaustedError } from '../../../lib/index.js';
import { down } from '../../support/answers.js';
import { closeAll, listen, platforms } from '../../support/apps.js';
import { TestClock } from '../../support/test-clock.js';

const SECRET = 'sk-live-0815 said the upstream';
const BODY = { statusCode: 503, message: 'Service Unavailable', error: 'FALLBACK_EXHAUSTED' };

@Injectable()
class Search {
  problem: Error = new Error(SECRET);

  @FallbackChain([{ method: 'archive', breaker: { threshold: 1, cooldown: '10s' } }], {
    name: 'search',
    primary: { name: 'internal-host-7', breaker: { threshold: 1, cooldown: '30s' } },
  })
  async cooling(): Promise<string> {
    return down(SECRET);
  }

  async archive(): Promise<string> {
    return down(SECRET);
  }

  @FallbackChain(['archive'], { name: 'patient', whenOpen: 'ignore' })
  async patient(): Promise<string> {
    return down(SECRET);
  }

  @FallbackChain(['archive'], { name: 'talkative', detail: 'messages' })
  async talkative(): Promise<string> {
    return down(SECRET);
  }

  @FallbackChain(['other'], { name: 'strict' })
  @Degraded({ substitute: 'substitute', mark: 'receipt' })
  async strict(): Promise<string> {
    throw this.problem;
  }

  async other(): Promise<string> {
    return 'other';
  }
}

@Catch(FallbackExhaustedError)
class OwnFilter implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}

  catch(error: FallbackExhaustedError, context: ArgumentsHost): void {
    this.host.httpAdapter.reply(context.switchToHttp().getResponse(), { own: error.chain }, 502);
  }
}

@Controller()
class SearchController {
  constructor(private readonly search: Search) {}

  @Get('search/:name')
  find(@Param('name') name: 'cooling' | 'patient' | 'talkative' | 'strict'): Promise<string> {
    return this.search[name]();
  }

  @Get('handler')
  @FallbackChain([], { name: 'handler' })
  async handler(): Promise<string> {
    return down(SECRET);
  }

  @Get('own-filter')
  @UseFilters(OwnFilter)
  own(): Promise<string> {
    return this.search.patient();
  }
}

describe.each(platforms)('$name: calls that nobody answers', (platform) => {
  afterEach(closeAll);

  const start = async (fallback = {}) => {
    const clock = new TestClock();
    const { app, url } = await listen(platform, {
      controllers: [SearchController],
      providers: [Search, OwnFilter],
      fallback: { clock, ...fallback },
    });
    return { clock, search: app.get(Search), get: (path: string) => fetch(`${url}/${path}`) };
  };

  it('become 503 with Retry-After and a body that tells nothing of the candidates', async () => {
    const { get } = await start();
    const response = await get('search/cooling');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('10');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.has('degraded')).toBe(false);
    const head = JSON.stringify([...response.headers]);
    for (const inner of ['sk-live', 'internal-host-7', 'archive']) expect(head).not.toContain(inner);
    expect(await response.json()).toStrictEqual(BODY);
  });

  it('Retry-After is the soonest reopening, in whole seconds and never too early', async () => {
    const { clock, get } = await start({ defaults: { whenOpen: 'skip' } });
    await get('search/cooling');
    await clock.advance(4_500);
    expect((await get('search/cooling')).headers.get('retry-after')).toBe('6');
  });

  it('have no Retry-After when nothing is known to reopen', async () => {
    const { get } = await start();
    const response = await get('search/patient');
    expect(response.status).toBe(503);
    expect(response.headers.has('retry-after')).toBe(false);
    expect(await response.json()).toStrictEqual(BODY);
  });

  it("tell clients nothing of the candidates' messages, even with detail: 'messages'", async () => {
    const { get } = await start();
    const response = await get('search/talkative');
    expect(response.status).toBe(503);
    expect(await response.json()).toStrictEqual(BODY);
  });

  it('become 503 for a decorated handler too', async () => {
    const { get } = await start();
    const response = await get('handler');
    expect(response.status).toBe(503);
    expect(await response.json()).toStrictEqual(BODY);
  });

  it('become 503 also with `http: false`', async () => {
    const { get } = await start({ http: false });
    const response = await get('search/cooling');
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('10');
    expect(await response.json()).toStrictEqual(BODY);
  });

  it("leave room for the application's own filter", async () => {
    const { get } = await start();
    const response = await get('own-filter');
    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({ own: 'patient' });
  });

  it.each([
    [404, new NotFoundException('no such book'), { statusCode: 404, message: 'no such book', error: 'Not Found' }],
    [409, new ConflictException({ reason: 'sold' }), { reason: 'sold' }],
    [418, new HttpException('teapot', 418), { statusCode: 418, message: 'teapot' }],
  ])('a terminal %s passes unchanged: no candidate, no substitute, no mark', async (status, problem, body) => {
    const { search, get } = await start();
    search.problem = problem;
    const response = await get('search/strict');
    expect(response.status).toBe(status);
    expect(response.headers.has('degraded')).toBe(false);
    expect(response.headers.has('retry-after')).toBe(false);
    expect(await response.json()).toEqual(body);
  });

  it('a 503 of a candidate is no terminal error', async () => {
    const { search, get } = await start();
    search.problem = new ServiceUnavailableException();
    expect(await (await get('search/strict')).text()).toBe('other');
  });
});
