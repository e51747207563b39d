/** Two applications and one Redis that fails: they answer as without it, say so once, and agree again when it is well. */
import { Injectable } from '@nestjs/common';
import { afterEach, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { ChainHealthService, FallbackChain } from '../../lib/index.js';
import type { FallbackEvent } from '../../lib/index.js';
import { RedisHealthStore } from '../../lib/redis/index.js';
import { boot, closeAll } from '../support/apps.js';
import { describeWithRedis, startRedis } from '../support/redis-server.js';
import type { RedisServer } from '../support/redis-server.js';
import { unhandledDuring } from '../support/rejections.js';
import { clientKinds } from './clients.js';
import { until } from './until.js';

const provider = { isDown: false };

@Injectable()
class Shop {
  @FallbackChain([() => Promise.resolve('backup')], {
    name: 'shop',
    timeout: '1s',
    breaker: { threshold: 2, cooldown: 300, factor: 1 },
  })
  async find(): Promise<string> {
    if (provider.isDown) throw new Error('down');
    return 'primary';
  }
}

const closing: (() => unknown)[] = [];

afterEach(async () => {
  await closeAll();
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(url: string, kind: string) {
  const { client, ready, close } = clientKinds.find(({ name }) => name === kind)!.open(url);
  closing.push(close);
  await ready;
  const events: FallbackEvent[] = [];
  const observers = [(event: FallbackEvent) => void events.push(event)];
  const healthStore = new RedisHealthStore(client);
  const app = await boot({ providers: [Shop], fallback: { healthStore, observers, storeTimeout: 500 } });
  const state = () => app.get(ChainHealthService).snapshot('shop').candidates[0]!.state;
  const told = () => events.filter(({ name }) => name.startsWith('store')).map(({ name }) => name);
  return { ask: () => app.get(Shop).find(), state, told };
}

/** Says something to a Redis, as its owner. */
async function say(server: RedisServer, password: string | undefined, ...commands: string[][]): Promise<void> {
  const admin = new Redis(server.url, password === undefined ? {} : { password });
  for (const [command, ...args] of commands) await admin.call(command!, args);
  admin.disconnect();
}

interface Fault {
  readonly breaks: (server: RedisServer) => unknown;
  readonly mends: (server: RedisServer) => unknown;
}

const FAULTS: Readonly<Record<string, Fault>> = {
  'is killed and comes back empty': {
    breaks: (server) => server.kill(),
    mends: (server) => server.start(),
  },
  'is stopped': {
    breaks: (server) => server.stop(),
    mends: (server) => server.resume(),
  },
  'wants a password': {
    breaks: (server) =>
      say(server, undefined, ['CONFIG', 'SET', 'requirepass', 'secret'], ['CLIENT', 'KILL', 'TYPE', 'normal']),
    mends: (server) => say(server, 'secret', ['CONFIG', 'SET', 'requirepass', '']),
  },
  'may not be written to': {
    breaks: (server) => say(server, undefined, ['REPLICAOF', '127.0.0.1', '1']),
    mends: (server) => say(server, undefined, ['REPLICAOF', 'NO', 'ONE']),
  },
  'is out of memory': {
    breaks: (server) => say(server, undefined, ['CONFIG', 'SET', 'maxmemory', '1']),
    mends: (server) => say(server, undefined, ['CONFIG', 'SET', 'maxmemory', '0']),
  },
};

describeWithRedis('applications whose Redis', () => {
  it.each(Object.entries(FAULTS))('%s', async (_what, { breaks, mends }) => {
    provider.isDown = false;
    const server = await startRedis();
    closing.push(() => server.close());
    const apps = [await start(server.url, 'ioredis 6'), await start(server.url, 'redis 6')] as const;
    const unhandled = await unhandledDuring(async () => {
      for (const { ask } of apps) expect(await ask()).toBe('primary');
      await breaks(server);
      provider.isDown = true;
      for (const { ask, state, told } of apps) {
        for (let turn = 0; turn < 5; turn++) expect(await ask()).toBe('backup');
        expect(state()).not.toBe('closed');
        await until(() => told().length > 0);
      }
      expect(apps.map(({ told }) => told())).toEqual([['store.failed'], ['store.failed']]);
      await mends(server);
      await until(() => apps.every(({ told }) => told().length > 1));
      expect(apps.map(({ told }) => told())).toEqual(apps.map(() => ['store.failed', 'store.recovered']));
      provider.isDown = false;
      await until(async () => {
        for (const { ask } of apps) expect(['primary', 'backup']).toContain(await ask());
        return apps.every(({ state }) => state() === 'closed');
      });
      expect(await Promise.all(apps.map(({ ask }) => ask()))).toEqual(['primary', 'primary']);
    });
    expect(unhandled).toEqual([]);
  });
});
