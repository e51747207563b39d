import { once } from 'node:events';
import http from 'node:http';
import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { ConsoleLogger, Controller, Sse } from '@nestjs/common';
import type { MessageEvent } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { NEVER, Observable, concat, of } from 'rxjs';
import { ChainHealthService, FallbackChain } from '../../../lib/index.js';
import { closeAll, listen, platforms } from '../../support/apps.js';

@Controller()
class Events {
  @Sse('observable')
  @FallbackChain([], { name: 'observable' })
  observable(): Observable<MessageEvent> {
    return concat(of({ data: 'first' }), NEVER);
  }

  @Sse('generator')
  @FallbackChain([], { name: 'generator' })
  async *generator(): AsyncGenerator<MessageEvent> {
    yield { data: 'first' };
    await new Promise(() => {});
  }
}

class Errors extends ConsoleLogger {
  readonly seen: unknown[] = [];

  override error(...about: unknown[]): void {
    this.seen.push(about);
  }
}

afterEach(closeAll);

/** Bare Nest logs nothing when a browser leaves, and neither does a ladder. */
describe.each(platforms)('a client that leaves an open stream of events, $name', (platform) => {
  it.each(['observable', 'generator'])('%s: nothing is logged as an error', async (path) => {
    const errors = new Errors();
    const { app, url } = await listen(platform, { controllers: [Events] }, (made) => made.useLogger(errors));
    const request = http.get(`${url}/${path}`, { agent: false }).on('error', () => {});
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await once(response, 'data');
    request.destroy();
    const settled = () => {
      const { ok = 0, cancelled = 0 } = app.get(ChainHealthService).snapshot(path).candidates[0]!.counts;
      return ok + cancelled;
    };
    for (let turn = 0; settled() === 0 && turn < 1_000; turn++) await setTimeout(5);
    await setTimeout(20);
    expect(settled()).toBe(1);
    expect(errors.seen).toEqual([]);
  });
});
