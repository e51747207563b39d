import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Get, Header, Injectable, Scope, Sse } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { EMPTY, NEVER, Observable, concat, of, throwError } from 'rxjs';
import { ChainHealthService, Degraded, FallbackChain } from '../../lib/index.js';
import { gate, members } from '../support/answers.js';
import { closeAll, listen, platforms } from '../support/apps.js';
import type { Running } from '../support/apps.js';

const down = () => throwError(() => new Error('upstream is down'));
/** What was seen of the sources that are watched. */
const torn: string[] = [];
let begun = gate();
const watched = (name: string, source: Observable<object>) =>
  new Observable<object>((subscriber) => {
    begun.open();
    subscriber.add(() => torn.push(name));
    return source.subscribe(subscriber);
  });

@Controller()
class Plain {
  @Get('empty')
  @FallbackChain(['spare'], { name: 'empty' })
  empty(): Observable<object> {
    return EMPTY;
  }

  @Get('failing')
  @FallbackChain(['spare'], { name: 'failing' })
  failing(): Observable<object> {
    return down();
  }

  @Get('nobody')
  @FallbackChain(['alsoDown'], { name: 'nobody' })
  nobody(): Observable<object> {
    return down();
  }

  @Get('stalled')
  @FallbackChain(['spare'], { name: 'stalled' })
  stalled(): Observable<object> {
    return watched('stalled', NEVER);
  }

  @Get('marked')
  @FallbackChain([], { name: 'marked' })
  @Degraded({ substitute: { amount: 0 } })
  marked(): Observable<{ amount: number; degraded?: boolean }> {
    return down();
  }

  spare(): Observable<object> {
    return of({ from: 'spare' });
  }

  alsoDown(): Observable<object> {
    return down();
  }
}

@Controller('sse')
class Events {
  @Sse('healthy')
  @FallbackChain(['spare'], { name: 'healthy' })
  healthy(): Observable<{ data: string }> {
    return of({ data: 'one' }, { data: 'two' });
  }

  @Sse('failing')
  @FallbackChain(['spare'], { name: 'failing-sse' })
  failing(): Observable<{ data: string }> {
    return down();
  }

  @Sse('nobody')
  @FallbackChain(['alsoDown'], { name: 'nobody-sse' })
  nobody(): Observable<{ data: string }> {
    return down();
  }

  @Sse('degraded')
  @FallbackChain([], { name: 'degraded-sse' })
  @Degraded({ substitute: [{ data: 'spare' }], mark: 'receipt' })
  degraded(): Observable<{ data: string }> {
    return down();
  }

  @Sse('open')
  @FallbackChain(['spare'], { name: 'open-sse' })
  open(): Observable<object> {
    return watched('open', concat(of({ data: 'one' }), NEVER));
  }

  @Sse('silent')
  @FallbackChain(['spare'], { name: 'silent-sse' })
  silent(): Observable<object> {
    return watched('silent', NEVER);
  }

  spare(): Observable<{ data: string }> {
    return of({ data: 'spare' });
  }

  alsoDown(): Observable<{ data: string }> {
    return down();
  }
}

@Injectable({ scope: Scope.REQUEST })
class PerRequest {
  private static born = 0;
  readonly id = ++PerRequest.born;

  @FallbackChain(['own'], { name: 'per-request' })
  fetch(): Observable<object> {
    return down();
  }

  own(): Observable<object> {
    return of({ id: this.id });
  }
}

@Controller('per-request')
class PerRequestController {
  constructor(private readonly provider: PerRequest) {}

  @Get()
  @Header('x-kind', 'plain')
  get(): Observable<object> {
    return this.provider.fetch();
  }
}

afterEach(closeAll);

describe.each(platforms)('$name', (platform) => {
  const start = () =>
    listen(platform, {
      controllers: [Plain, Events, PerRequestController],
      providers: [PerRequest],
      fallback: { http: { receipt: 'always' } },
    });
  const get = ({ url }: Running, path: string) => fetch(`${url}/${path}`);

  it('F49 an empty chain on a plain route is no error of the server', async () => {
    const answer = await get(await start(), 'empty');
    expect([200, 204]).toContain(answer.status);
    expect(await answer.text()).toBe('');
  });

  it('a plain route whose stream fails over', async () => {
    const answer = await get(await start(), 'failing');
    expect([answer.status, await answer.json()]).toEqual([200, { from: 'spare' }]);
  });

  it('a plain route whose stream nobody gives: 503', async () => {
    const answer = await get(await start(), 'nobody');
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ error: 'FALLBACK_EXHAUSTED' });
  });

  it('a plain route with a substitute: the mark in the body and in the header', async () => {
    const answer = await get(await start(), 'marked');
    expect(await answer.json()).toEqual({ amount: 0, degraded: true });
    expect(members(answer.headers.get('degraded'))).toMatchObject([{ name: 'marked', source: 'static' }]);
  });

  it.each(['stalled', 'sse/silent', 'sse/open'])(
    '%s: the client goes away, the source is closed once',
    async (path) => {
      torn.length = 0;
      begun = gate();
      const running = await start();
      const request = http.get(`${running.url}/${path}`, { agent: false }).on('error', () => {});
      await begun.opened;
      if (path === 'sse/open') await once(request, 'response');
      request.destroy();
      const name = path.split('/').at(-1)!;
      await until(() => torn.length > 0);
      expect(torn).toEqual([name]);
      const { candidates } = running.app.get(ChainHealthService).snapshot(path === 'stalled' ? path : `${name}-sse`);
      expect(candidates.map(({ state, counts }) => [state, counts.transient ?? 0])).toEqual([
        ['closed', 0],
        ['closed', 0],
      ]);
    },
  );

  it('F55 a request-scoped provider: each request has its own', async () => {
    const running = await start();
    const bodies = [await (await get(running, 'per-request')).json(), await (await get(running, 'per-request')).json()];
    expect(bodies).toEqual([{ id: expect.any(Number) }, { id: expect.any(Number) }]);
    expect((bodies[0] as { id: number }).id).not.toBe((bodies[1] as { id: number }).id);
  });

  it.each([
    ['healthy', ['one', 'two']],
    ['failing', ['spare']],
  ])('@Sse %s: all events, from who answered', async (path, events) => {
    const answer = await get(await start(), `sse/${path}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    expect(dataOf(await answer.text())).toEqual(events);
  });

  it('@Sse nobody: an honest 503 before the first event', async () => {
    const answer = await get(await start(), 'sse/nobody');
    expect(answer.status).toBe(503);
  });

  it('@Sse: headers name who answered', async () => {
    const running = await start();
    const served = (await get(running, 'sse/failing')).headers.get('served-by');
    expect(served).toContain('spare');
    const degraded = await get(running, 'sse/degraded');
    expect(dataOf(await degraded.text())).toEqual(['spare']);
    expect(members(degraded.headers.get('degraded'))).toMatchObject([{ name: 'degraded-sse', source: 'static' }]);
  });
});

function dataOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice('data: '.length));
}

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 5_000;
  while (!condition() && Date.now() < end) await sleep(5);
}
