import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import KeyvRedis from '@keyv/redis';
import { Keyv } from 'keyv';
import { Redis } from 'ioredis';
import { Degraded, FallbackService } from '../../lib/index.js';
import type { CacheLike, FallbackEvent, ValueStore } from '../../lib/index.js';
import { RedisValueStore } from '../../lib/redis/index.js';
import { boot, closeAll } from '../support/apps.js';
import { VALUE, known } from '../support/quotes.js';
import { describeWithRedis, startRedis } from '../support/redis-server.js';
import { clientKinds } from './clients.js';
import { until } from './until.js';

const STORE_TIMEOUT = 150;
/** What a busy machine may add. */
const SLACK = 400;

@Injectable()
class Quotes {
  isDown = false;

  @Degraded({ lastKnownGood: known, substitute: 'static', mark: 'receipt' })
  async quote(_id: string): Promise<unknown> {
    if (this.isDown) throw new Error('down');
    return VALUE;
  }
}

interface OpenedStore {
  readonly store: ValueStore | CacheLike;
  readonly isReady: () => boolean;
  close(): unknown;
}

const stores: readonly { name: string; open(url: string): Promise<OpenedStore> }[] = [
  ...clientKinds.map((kind) => ({
    name: `RedisValueStore with ${kind.name}`,
    open: async (url: string) => {
      const { client, ready, close } = kind.open(url);
      const store = new RedisValueStore(client);
      await ready;
      const state = client as { isReady?: boolean; status?: string };
      return { store, isReady: () => state.isReady ?? state.status === 'ready', close };
    },
  })),
  {
    name: 'a Keyv with @keyv/redis',
    open: async (url: string) => {
      const adapter = new KeyvRedis({ url, socket: { reconnectStrategy: () => 20 } });
      const keyv = new Keyv({ store: adapter, useKeyPrefix: false });
      await adapter.getClient();
      const client = adapter.client as unknown as { isReady: boolean; destroy(): void };
      return { store: keyv, isReady: () => client.isReady, close: () => client.destroy() };
    },
  },
];

describeWithRedis('values in Redis', () => {
  const loose: unknown[] = [];
  const note = (error: unknown): void => void loose.push(error);
  const closing: (() => unknown)[] = [];

  afterEach(async () => {
    await closeAll();
    for (const close of closing.splice(0)) await close();
    process.off('unhandledRejection', note).off('uncaughtException', note);
    expect(loose.splice(0)).toEqual([]);
  });

  const start = async (open: (url: string) => Promise<OpenedStore>) => {
    process.on('unhandledRejection', note).on('uncaughtException', note);
    const server = await startRedis();
    const { store, isReady, close } = await open(server.url);
    closing.push(close, () => server.close());
    const events: FallbackEvent[] = [];
    const observers = [(event: FallbackEvent) => void events.push(event)];
    const app = await boot({
      providers: [Quotes],
      fallback: { defaults: { whenOpen: 'ignore' }, valueStore: store, storeTimeout: STORE_TIMEOUT, observers },
    });
    const host = app.get(Quotes);
    /** What a call gives, and whether it took no longer than a store may. */
    const ask = async (isDown: boolean) => {
      host.isDown = isDown;
      const since = performance.now();
      const { value, receipt } = await app.get(FallbackService).withReceipt(() => host.quote('a'));
      const took = performance.now() - since;
      expect(took).toBeLessThan(isDown ? STORE_TIMEOUT + SLACK : SLACK);
      return [value, receipt?.source];
    };
    const told = () =>
      events.filter(({ name }) => name.startsWith('store.')).map(({ name, operation }) => [name, operation].join(' '));
    return { server, isReady, ask, told, store };
  };

  describe.each(stores)('$name', ({ open }) => {
    it('B19 (a) one that is stopped: the substitute in time, one event for each operation, and it heals', async () => {
      const { server, ask, told } = await start(open);
      expect(await ask(false)).toEqual([VALUE, 'candidate']);
      await until(async () => (await ask(true))[1] === 'last-known-good');
      expect(await ask(true)).toEqual([VALUE, 'last-known-good']);
      expect(told()).toEqual([]);
      server.stop();
      expect(await ask(true)).toEqual(['static', 'static']);
      expect(told()).toEqual(['store.failed get']);
      expect(await ask(false)).toEqual([VALUE, 'candidate']);
      await until(() => told().length > 1);
      expect(told()).toEqual(['store.failed get', 'store.failed set']);
      server.resume();
      await until(async () => (await ask(true))[1] === 'last-known-good');
      expect(told().filter((each) => each.startsWith('store.recovered'))).toHaveLength(1);
      expect(await ask(true)).toEqual([VALUE, 'last-known-good']);
    });

    it('B19 (c) one that is killed and comes back empty', async () => {
      const { server, ask, told, isReady } = await start(open);
      await ask(false);
      await until(async () => (await ask(true))[1] === 'last-known-good');
      expect(told()).toEqual([]);
      await server.kill();
      await until(() => !isReady());
      expect(await ask(true)).toEqual(['static', 'static']);
      expect(told()).toEqual(['store.failed get']);
      expect(await ask(false)).toEqual([VALUE, 'candidate']);
      await until(() => told().length > 1);
      expect(told()).toEqual(['store.failed get', 'store.failed set']);
      await server.start();
      await until(isReady);
      // What was written meanwhile may have waited in the client; otherwise the value is simply not there.
      expect(['static', VALUE]).toContainEqual((await ask(true))[0]);
      await ask(false);
      await until(async () => (await ask(true))[1] === 'last-known-good');
      expect(told()).toEqual(['store.failed get', 'store.failed set', 'store.recovered ']);
    });
  });

  describe.each(clientKinds)('RedisValueStore with $name', ({ open }) => {
    it('keeps texts under its prefix, until their time is over', async () => {
      const server = await startRedis();
      const { client, close, ready } = open(server.url);
      await ready;
      const admin = new Redis(server.url);
      closing.push(
        close,
        () => admin.disconnect(),
        () => server.close(),
      );
      const store = new RedisValueStore(client, { prefix: 'shop' });
      expect(await store.get('a')).toBeUndefined();
      expect(await store.set('a', 'ä"{}\n', 0.2)).toBe(true);
      await until(async () => (await store.get('a')) === undefined);
      for (const [key, ttl] of [
        ['b', 1_000.5],
        ['c', undefined],
        ['d', Infinity],
        ['e', 0],
      ] as const) {
        await store.set(key, 'ä"{}\n', ttl);
      }
      expect(await store.get('b')).toBe('ä"{}\n');
      const kept = (await admin.keys('*')).sort();
      expect(kept).toEqual(['b', 'c', 'd', 'e'].map((key) => `shop:value:${key}`));
      const days = await Promise.all(kept.map(async (key) => Math.ceil((await admin.pttl(key)) / 86_400_000)));
      expect(days).toEqual([1, 1, 3_650, 1]);
      await store.delete('b');
      expect(await store.delete('b')).toBe(true);
      expect(await store.get('b')).toBeUndefined();
      await expect(store.set('x', 1)).rejects.toThrow(TypeError);
    });
  });
});
