import { inspect } from 'node:util';
import { ConsoleLogger, Controller, Get, Injectable, Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Fallback, FallbackEvents, FallbackExhaustedError, receiptOf } from '../../lib/index.js';
import type { FallbackEvent } from '../../lib/index.js';
import { PLATFORMS, closeApps, startApp, startServer } from '../support/nest-app.js';

const SECRET = 'sk-live-123';

/** An error as axios makes it: the whole request and the whole answer hang on it. */
function axiosError(status: number): Error {
  const url = `https://upstream.example/v1/things?api_key=${SECRET}`;
  const config = { url, headers: { Authorization: `Bearer ${SECRET}` } };
  const error = new Error(`Request to ${url} failed with status code ${status}`);
  return Object.assign(error, {
    name: 'AxiosError',
    isAxiosError: true,
    config,
    request: { path: url },
    response: { status, config, headers: {}, data: { echo: `Bearer ${SECRET}` } },
  });
}

const errorOfA = axiosError(500);
const errorOfB = axiosError(429);

@Injectable()
class Things {
  @Fallback('spare', { breaker: { threshold: 1 } })
  async load(_apiKey: string): Promise<string> {
    throw errorOfA;
  }

  async spare(_apiKey: string): Promise<string> {
    throw errorOfB;
  }
}

@Controller('things')
class ThingsController {
  private readonly logger = new Logger('ThingsController');

  constructor(private readonly things: Things) {}

  @Get()
  load(): Promise<string> {
    return this.things.load(SECRET);
  }

  /** An application that logs what it catches in every way that Nest's logger offers, and goes on. */
  @Get('logged')
  async logged(): Promise<string> {
    try {
      return await this.things.load(SECRET);
    } catch (error) {
      this.logger.error(error);
      this.logger.error('no things', (error as Error).stack);
      this.logger.warn({ error });
      throw error;
    }
  }
}

function everythingOf(value: unknown): string[] {
  return [
    String(value),
    JSON.stringify(value),
    inspect(value, { depth: null, showHidden: true }),
    inspect(value, { depth: null, showHidden: true, getters: true, compact: false }),
  ];
}

describe('B22: credentials travel with the error', () => {
  afterEach(closeApps);

  it('B22: the errors of A and B do hold the secret in message, request and answer', () => {
    for (const error of [errorOfA, errorOfB]) {
      expect(error.message).toContain(SECRET);
      expect(JSON.stringify(Object.values(error))).toContain(SECRET);
    }
  });

  it('B22: the exhausted error, receipt, events and health do not, and the originals are kept', async () => {
    const { app, events, health } = await startApp({ providers: [Things] });
    const things = app.get(Things);
    const subscribed: FallbackEvent[] = [];
    app.get(FallbackEvents).events$.subscribe((event) => subscribed.push(event));
    const error = await things.load(SECRET).then(
      () => undefined,
      (thrown: unknown) => thrown as FallbackExhaustedError,
    );

    expect(error).toBeInstanceOf(FallbackExhaustedError);
    expect(error!.message).toBe('All 2 fallback candidates failed (load: transient; spare: rate-limited)');
    for (const text of [error!.message, error!.stack, error!.toString(), ...everythingOf(error)]) {
      expect(text).not.toContain(SECRET);
    }
    for (const key of Reflect.ownKeys(error!)) {
      expect(inspect(Reflect.get(error!, key), { depth: null, showHidden: true })).not.toContain(SECRET);
    }

    const originals = error!.failures();
    expect(originals.map(({ candidate }) => candidate)).toEqual(['load', 'spare']);
    expect(originals[0]!.error).toBe(errorOfA);
    expect(originals[1]!.error).toBe(errorOfB);

    expect(receiptOf(error)).toMatchObject({ chain: 'Things.load', servedBy: null, degraded: false });
    expect(everythingOf(receiptOf(error)).join('\n')).not.toContain(SECRET);

    expect(events.map(({ name, candidate = '' }) => `${name} ${candidate}`).sort()).toEqual([
      'attempt.settled load',
      'attempt.settled spare',
      'call.exhausted ',
      'circuit.opened load',
      'circuit.opened spare',
    ]);
    expect(subscribed).toEqual(events);
    expect(everythingOf([events, subscribed]).join('\n')).not.toContain(SECRET);
    expect(everythingOf(health.describe('Things.load')).join('\n')).not.toContain(SECRET);
    expect(everythingOf(health.snapshot()).join('\n')).not.toContain(SECRET);
    expect(everythingOf(health.check()).join('\n')).not.toContain(SECRET);
  });

  describe.each(PLATFORMS)('over HTTP (%s)', (platform) => {
    let written: string[];

    beforeEach(() => {
      written = [];
      for (const stream of [process.stdout, process.stderr]) {
        jest.spyOn(stream, 'write').mockImplementation((chunk) => {
          written.push(String(chunk));
          return true;
        });
      }
    });

    afterEach(() => {
      jest.restoreAllMocks();
    });

    it.each(['/things', '/things/logged'])('B22: neither the answer of %s nor the log holds it', async (path) => {
      const { get } = await startServer(platform, {
        providers: [Things],
        controllers: [ThingsController],
        logger: new ConsoleLogger(),
      });
      const { status, headers, text, json } = await get(path);
      await closeApps();
      jest.restoreAllMocks();

      expect(status).toBe(503);
      expect(json()).toEqual({ statusCode: 503, message: 'Service Unavailable', error: 'FALLBACK_EXHAUSTED' });
      expect(headers.get('retry-after')).toBe('5');
      expect(text).not.toContain(SECRET);
      expect([...headers].flat().join('\n')).not.toContain(SECRET);

      const log = written.join('');
      // The log was really listened to: Nest's own lines and ours are there.
      expect(log).toContain('Nest application successfully started');
      expect(log).toContain('Things.load: nobody answered (last: rate-limited)');
      expect(log.includes('All 2 fallback candidates failed')).toBe(path === '/things/logged');
      expect(log).not.toContain(SECRET);
    });
  });
});
