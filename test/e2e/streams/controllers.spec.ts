import { once } from 'node:events';
import http from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { Controller, Get, Injectable, Sse, StreamableFile } from '@nestjs/common';
import type { MessageEvent } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Observable, concat, of, throwError } from 'rxjs';
import { ChainHealthService, FallbackChain, FallbackConfigurationError } from '../../../lib/index.js';
import { building, closeAll, listen, platforms } from '../../support/apps.js';
import type { Running } from '../../support/apps.js';

const sendsGenerators = process.env.NEST !== '11';

@Injectable()
class Models {
  @FallbackChain(['spare'], { name: 'chat' })
  async *chat(how: string): AsyncGenerator<string> {
    if (how === 'early') throw new Error('down before the first token');
    yield 'to';
    if (how === 'middle') throw new Error('down in the middle');
    yield 'ken';
  }

  @FallbackChain(['spare'], { name: 'endless' })
  async *endless(): AsyncGenerator<string> {
    yield 'first';
    await new Promise(() => {});
  }

  async *spare(): AsyncGenerator<string> {
    yield 'spare';
  }
}

@Controller()
class Routes {
  constructor(private readonly models: Models) {}

  @Get('file')
  file(): StreamableFile {
    return new StreamableFile(Readable.from(this.models.chat('early')));
  }

  @Sse('events/generator')
  @FallbackChain(['events'], { name: 'generator-events' })
  async *generator(): AsyncGenerator<MessageEvent> {
    yield* [] as MessageEvent[];
    throw new Error('down before the first event');
  }

  @Sse('events/promised')
  @FallbackChain(['events'], { name: 'promised-events' })
  async promised(): Promise<Observable<MessageEvent>> {
    throw new Error('down before there is a stream');
  }

  @Sse('events/middle')
  @FallbackChain(['events'], { name: 'broken-events' })
  middle(): Observable<MessageEvent> {
    return concat(
      of({ data: 'first' }),
      throwError(() => new Error('down in the middle')),
    );
  }

  events(): Observable<MessageEvent> {
    return of({ data: 'spare' });
  }
}

@Controller()
class Generators {
  constructor(private readonly models: Models) {}

  @Get('decorated')
  @FallbackChain(['spare'], { name: 'decorated-route' })
  async *decorated(): AsyncGenerator<string> {
    yield* [] as string[];
    throw new Error('down');
  }

  @Get('called')
  called(): AsyncIterable<string> {
    return this.models.chat('early');
  }

  @Get('middle')
  middle(): AsyncIterable<string> {
    return this.models.chat('middle');
  }

  @Get('endless')
  endless(): AsyncIterable<string> {
    return this.models.endless();
  }

  async *spare(): AsyncGenerator<string> {
    yield 'sp';
    yield 'are';
  }
}

afterEach(closeAll);

describe.each(platforms)('streams through controllers, $name', (platform) => {
  const start = (...controllers: never[]) =>
    listen(platform, {
      controllers: [Routes, ...controllers],
      providers: [Models],
      fallback: { http: { receipt: 'always' } },
    });
  const text = async ({ url }: Running, path: string) => (await fetch(`${url}/${path}`)).text();

  it('a StreamableFile made of a stream chain', async () => {
    expect(await text(await start(), 'file')).toBe('spare');
  });

  it.each(['generator', 'promised'])('@Sse on a handler that is a %s', async (path) => {
    const answer = await fetch(`${(await start()).url}/events/${path}`);
    expect(answer.headers.get('served-by')).toBe(`${path}-events;by=events`);
    expect(await answer.text()).toContain('data: spare');
  });

  it('@Sse: an error after the first event is told in the stream, and nothing is spliced', async () => {
    const running = await start();
    const body = await text(running, 'events/middle');
    expect(body).toContain('data: first');
    expect(body).toContain('event: error');
    expect(body).not.toContain('spare');
    const [candidate] = running.app.get(ChainHealthService).snapshot('broken-events').candidates;
    expect(candidate).toMatchObject({ consecutiveFailures: 1, counts: { transient: 1 } });
  });

  // Where they are refused, the last test says so.
  const generators = sendsGenerators ? describe : () => {};
  generators('async generators (this Nest sends them)', () => {
    it.each([
      ['decorated', 'spare'],
      ['called', 'spare'],
    ])('%s: the body is what the spare gives', async (path, body) => {
      expect(await text(await start(Generators as never), path)).toBe(body);
    });

    it('one that breaks in the middle ends the response short', async () => {
      const { url } = await start(Generators as never);
      const answer = await fetch(`${url}/middle`);
      await expect(answer.text()).rejects.toThrow('terminated');
    });

    it('a client that goes away closes the source', async () => {
      const { app, url } = await start(Generators as never);
      const request = http.get(`${url}/endless`, { agent: false }).on('error', () => {});
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      await once(response, 'data');
      request.destroy();
      const snapshot = () => app.get(ChainHealthService).snapshot('endless').candidates[0]!;
      await until(() => (snapshot().counts.ok ?? 0) + (snapshot().counts.cancelled ?? 0) === 1);
      expect(snapshot()).toMatchObject({ state: 'closed', consecutiveFailures: 0 });
    });
  });

  if (!sendsGenerators) {
    it('an async generator on a route is refused, since this Nest would answer {}', async () => {
      const booting = building({ controllers: [Generators], providers: [Models] }).compile();
      const app = platform.create(await booting);
      const error: unknown = await app.init().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(FallbackConfigurationError);
      expect(String(error)).toMatch(/Generators\.decorated.*use @Sse/s);
    });
  }
});

/** Waits for what the server notices by itself; gives up before the test does. */
async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; !condition(); turn++) {
    if (turn === 1_000) throw new Error('it never came to be');
    await setTimeout(5);
  }
}
