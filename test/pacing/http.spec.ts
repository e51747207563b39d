import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Controller, Get, Injectable, UseInterceptors } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AttemptSignal, Degraded, FallbackChain, FallbackInterceptor } from '../../lib/index.js';
import { Barrier } from '../support/barrier.js';
import { PLATFORMS, closeApps, startServer } from '../support/nest-app.js';

/** A provider on loopback that answers nobody before it may. */
class Backup {
  inFlight = 0;
  most = 0;
  /** three have come */
  readonly full = new Barrier(3);
  private readonly waiting: http.ServerResponse[] = [];
  private isReady = false;
  private readonly server = http.createServer((request, response) => {
    this.most = Math.max(this.most, ++this.inFlight);
    this.full.arrive();
    response.on('close', () => this.inFlight--);
    if (this.isReady) response.end('backup');
    else this.waiting.push(response);
  });

  async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  answer(): void {
    this.isReady = true;
    for (const response of this.waiting) response.end('backup');
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

const BREAKER = { threshold: 1, cooldown: '1h' } as const;
let backup: Backup;

beforeEach(async () => {
  backup = await new Backup().listen();
});
afterEach(async () => {
  await closeApps();
  await backup.close();
});

async function ask(signal?: AbortSignal): Promise<string> {
  const response = await fetch(backup.url, { signal: signal ?? null });
  return response.text();
}

@Injectable()
class Prices {
  @FallbackChain([{ method: 'fromBackup', maxConcurrent: 3 }], { name: 'prices', primary: { breaker: BREAKER } })
  @Degraded({ substitute: 'price list', mark: 'receipt' })
  async price(@AttemptSignal() _signal?: AbortSignal): Promise<string> {
    throw Object.assign(new Error('down'), { status: 503 });
  }

  fromBackup(@AttemptSignal() signal?: AbortSignal): Promise<string> {
    return ask(signal);
  }
}

@Controller()
class Shop {
  constructor(private readonly prices: Prices) {}

  @Get('price')
  price(): Promise<string> {
    return this.prices.price();
  }

  @Get('handled')
  @UseInterceptors(FallbackInterceptor)
  @FallbackChain(['listed'], { name: 'handled', primary: { maxConcurrent: 3 } })
  handled(@AttemptSignal() signal?: AbortSignal): Promise<string> {
    return ask(signal);
  }

  async listed(): Promise<string> {
    return 'list';
  }
}

describe.each(PLATFORMS)('a stampede on %s', (platform) => {
  const CROWD = 20;

  /** A crowd asks at once; the backup answers when all have been answered whom it does not keep waiting. */
  async function stampede(path: string) {
    const { get } = await startServer(platform, { controllers: [Shop], providers: [Prices] });
    const others = new Barrier(CROWD - 3);
    const answers = Array.from({ length: CROWD }, async () => {
      const answer = await get(path);
      others.arrive();
      return answer;
    });
    await Promise.all([others.wait(), backup.full.wait()]);
    backup.answer();
    return { get, answers: await Promise.all(answers) };
  }

  it('a primary that is down does not drown the next: the rest is served degraded, at once', async () => {
    const { get, answers } = await stampede('/price');
    expect(backup.most).toBe(3);
    expect(answers.filter(({ text }) => text === 'backup')).toHaveLength(3);
    const degraded = answers.filter(({ text }) => text === 'price list');
    expect(degraded).toHaveLength(CROWD - 3);
    for (const { headers } of degraded) expect(headers.get('degraded')).toMatch(/^prices;source=static;reason=/);
    expect((await get('/price')).text).toBe('backup');
  });

  it('behind the interceptor a handler that is saturated is passed over, and its body not run', async () => {
    const { get, answers } = await stampede('/handled');
    expect(backup.most).toBe(3);
    expect(answers.filter(({ text }) => text === 'list')).toHaveLength(CROWD - 3);
    expect((await get('/handled')).text).toBe('backup');
  });
});
