import { Controller, Get, Injectable, Param, ServiceUnavailableException } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ChainHealthService, Degraded, Fallback } from '../../lib/index.js';
import { PLATFORMS, closeApps, startServer } from '../support/nest-app.js';
import type { StartedServer } from '../support/nest-app.js';
import { TestClock, settle } from '../support/test-clock.js';

let isDown: { A: boolean; B: boolean };
let calls: { A: number; B: number };

async function answerOf(candidate: 'A' | 'B'): Promise<string> {
  calls[candidate]++;
  if (isDown[candidate]) throw new Error(`${candidate} is down`);
  return candidate;
}

const options = { breaker: { threshold: 1, cooldown: '60s' } } as const;

@Injectable()
class Plain {
  @Fallback('B', { ...options, name: 'plain', primary: { name: 'A' } })
  read(): Promise<string> {
    return answerOf('A');
  }

  B(): Promise<string> {
    return answerOf('B');
  }
}

@Injectable()
class Standing {
  @Fallback('B', { ...options, name: 'standing', primary: { name: 'A' } })
  @Degraded({ substitute: 'popular', mark: 'receipt' })
  read(): Promise<string> {
    return answerOf('A');
  }

  B(): Promise<string> {
    return answerOf('B');
  }
}

@Controller('health')
class HealthController {
  constructor(private readonly health: ChainHealthService) {}

  @Get(':chain')
  check(@Param('chain') chain: string) {
    const report = this.health.check(chain);
    if (report[chain]!.status === 'down') throw new ServiceUnavailableException(report);
    return report;
  }
}

describe.each(PLATFORMS)('B24: health that restarts healthy pods, or hides dead ones (%s)', (platform) => {
  let clock: TestClock;
  let server: StartedServer;
  const read = async (type: typeof Plain | typeof Standing) =>
    server.app
      .get(type)
      .read()
      .catch(() => 'nobody');
  const health = async (chain: string) => {
    const { status, json } = await server.get(`/health/${chain}`);
    return { status, entry: (json() as Record<string, unknown>)[chain] };
  };

  beforeEach(async () => {
    clock = new TestClock();
    isDown = { A: true, B: true };
    calls = { A: 0, B: 0 };
    server = await startServer(platform, {
      providers: [Plain, Standing],
      controllers: [HealthController],
      options: { clock, logger: false },
    });
  });

  afterEach(closeApps);

  it('B24: untouched, it is up', async () => {
    expect(await health('plain')).toEqual({
      status: 200,
      entry: {
        status: 'up',
        candidates: [
          { candidate: 'A', state: 'closed' },
          { candidate: 'B', state: 'closed' },
        ],
      },
    });
  });

  it('B24 (a): A cooling, B fine: 200, up, degraded, with the ms that remain', async () => {
    isDown.B = false;
    await read(Plain);
    await clock.advance(15_000);
    expect(await health('plain')).toEqual({
      status: 200,
      entry: {
        status: 'up',
        degraded: true,
        candidates: [
          { candidate: 'A', state: 'open', coolingFor: 45_000 },
          { candidate: 'B', state: 'closed' },
        ],
      },
    });
  });

  it('B24 (b): both cooling and nothing behind them: 503, down', async () => {
    await read(Plain);
    expect(await health('plain')).toMatchObject({ status: 503, entry: { status: 'down' } });
    expect(server.health.status()).toBe('down');
  });

  it('B24 (c): both cooling, a static substitute behind them: 200, up, degraded', async () => {
    await read(Standing);
    expect(await health('standing')).toMatchObject({ status: 200, entry: { status: 'up', degraded: true } });
    expect(server.health.status()).toBe('degraded');
  });

  it('B24 (d): a chain that does not exist: 503, down, named', async () => {
    const { status, entry } = await health('nothing');
    expect(status).toBe(503);
    expect(entry).toEqual({
      status: 'down',
      message: expect.stringContaining("no chain is called 'nothing'") as unknown,
    });
  });

  it.each([
    ['one of two', ['A'], 'degraded', 200],
    ['both', ['A', 'B'], 'down', 503],
  ] as const)('B24: isolated like cooling: %s', async (_which, isolated, status, code) => {
    isDown = { A: false, B: false };
    for (const candidate of isolated) server.health.isolate('plain', candidate);
    for (const candidate of ['A', 'B']) server.health.isolate('standing', candidate);
    expect(server.health.snapshot('plain').status).toBe(status);
    expect(await health('plain')).toMatchObject({ status: code, entry: { candidates: [{ state: 'isolated' }, {}] } });
    expect(await health('standing')).toMatchObject({ status: 200, entry: { degraded: true } });
    for (const candidate of isolated) server.health.restore('plain', candidate);
    expect(await health('plain')).toMatchObject({ status: 200, entry: { status: 'up' } });
  });

  it('B24: one isolated and one cooling is down; when the cooldown is over it could answer', async () => {
    await read(Plain);
    server.health.isolate('plain', 'A');
    expect(server.health.snapshot('plain').status).toBe('down');
    await clock.advance(60_000);
    expect(server.health.snapshot('plain').status).toBe('degraded');
  });

  it('B24 (e) (f): reading it a thousand times changes nothing and is never negative', async () => {
    await read(Plain);
    server.health.isolate('standing', 'A');
    const before = JSON.stringify(server.health.snapshot());
    const events = server.events.length;
    for (let time = 0; time < 1_000; time++) {
      server.health.check();
      server.health.status();
      server.health.snapshot('plain');
    }
    expect(JSON.stringify(server.health.snapshot())).toBe(before);
    expect(server.events).toHaveLength(events);
    for (const ahead of [59_999.5, 0.5, 3_600_000]) {
      await clock.advance(ahead);
      for (let time = 0; time < 1_000; time++) server.health.check();
      for (const { coolingFor } of server.health.snapshot('plain').candidates) {
        expect(coolingFor).toBeGreaterThanOrEqual(0);
        expect(Number.isInteger(coolingFor)).toBe(true);
      }
    }
    expect(calls).toEqual({ A: 1, B: 1 });

    isDown = { A: false, B: false };
    const both = [read(Plain), read(Plain)];
    await settle();
    // The probe was still to be had, and there was one of each.
    expect(await Promise.all(both)).toEqual(['A', 'B']);
    expect(calls).toEqual({ A: 2, B: 2 });
  });
});
