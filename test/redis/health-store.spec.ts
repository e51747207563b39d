import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import type { CircuitReading } from '../../lib/core/index.js';
import { RedisHealthStore } from '../../lib/redis/index.js';
import { describeWithRedis, startRedis } from '../support/redis-server.js';
import type { RedisServer } from '../support/redis-server.js';
import { clientKinds } from './clients.js';
import type { Opened } from './clients.js';
import { BREAKER, SOON, failure, success } from './outcomes.js';
import { until } from './until.js';

const LEASE = { lease: 30_000 };
const KEY = 'orders/primary';

describeWithRedis('RedisHealthStore', () => {
  let server: RedisServer;
  let admin: Redis;

  beforeAll(async () => {
    server = await startRedis();
    admin = new Redis(server.url, { retryStrategy: () => 20 });
    admin.on('error', () => {});
  });
  afterAll(() => admin.disconnect());

  const listening = async (): Promise<number> => Number((await admin.pubsub('NUMSUB', CHANNEL))[1]);
  const connections = async (...which: string[]): Promise<number> =>
    String(await admin.call('CLIENT', 'LIST', ...which))
      .split('\n')
      .filter(Boolean).length;

  describe.each(clientKinds)('with $name', ({ open }) => {
    const opened: Opened[] = [];
    const stores: RedisHealthStore[] = [];
    const another = async (prefix?: string): Promise<RedisHealthStore> => {
      const each = open(server.url);
      await each.ready;
      opened.push(each);
      const made = new RedisHealthStore(each.client, prefix === undefined ? {} : { prefix });
      stores.push(made);
      return made;
    };
    let store: RedisHealthStore;
    beforeEach(async () => {
      await admin.flushall();
      store = await another();
    });
    afterEach(async () => {
      stores.splice(0).forEach((each) => each.disconnect());
      opened.splice(0).forEach((each) => each.close());
      await until(async () => (await connections()) === 1);
    });

    /** What a store is told from now on. */
    const hearing = async (by: RedisHealthStore): Promise<(CircuitReading & { key: string })[]> => {
      const heard: (CircuitReading & { key: string })[] = [];
      const before = await listening();
      by.subscribe((change) => heard.push(change));
      await until(async () => (await listening()) > before);
      return heard;
    };

    it('knows nothing of a key, writes nothing, and lets in', async () => {
      expect(await store.admit(KEY, LEASE)).toEqual({
        granted: true,
        probe: false,
        epoch: 0,
        retryIn: 0,
        state: 'closed',
        insists: false,
      });
      expect(await admin.dbsize()).toBe(0);
    });

    it('opens, lets one probe in, and closes; other processes hear of it', async () => {
      const other = await another();
      const heard = await hearing(other);
      const first = await store.record(KEY, failure(0));
      expect(first).toMatchObject({ state: 'closed', failures: 1, openUntil: 0, retryIn: 0 });
      expect(Math.abs(first.epoch - Date.now())).toBeLessThan(5_000);
      const second = await other.record(KEY, failure(first.epoch, { breaker: SOON }));
      expect(second).toMatchObject({ epoch: first.epoch + 1, failures: 2, insists: false, kind: 'transient' });
      await until(async () => (await other.admit(KEY, LEASE)).probe);
      const refused = await store.admit(KEY, LEASE);
      expect(refused).toMatchObject({ granted: false, probe: false, state: 'half-open', epoch: first.epoch + 2 });
      expect(refused.retryIn).toBeGreaterThan(20_000);
      expect(await other.record(KEY, success(refused.epoch))).toMatchObject({ state: 'closed', failures: 0 });
      const after = await store.admit(KEY, LEASE);
      expect(after).toMatchObject({ granted: true, probe: false, epoch: first.epoch + 3 });
      expect(Math.abs(after.lastServedAt! - Date.now())).toBeLessThan(5_000);
      await until(() => heard.length === 3);
      expect(heard.map(({ state, failures }) => [state, failures])).toEqual([
        ['closed', 1],
        [expect.stringMatching('open'), 2],
        ['closed', 0],
      ]);
      expect(heard[1]).toEqual({ ...second, key: KEY, state: heard[1]!.state, retryIn: heard[1]!.retryIn });
    });

    it('advice, denial and isolation', async () => {
      const advised = await store.record(KEY, failure(-1, { kind: 'rate-limited', openFor: 90_000.5 }));
      expect(advised).toMatchObject({ state: 'open', insists: true, retryIn: 90_000.5 });
      await store.control(KEY, 'isolate');
      expect(await store.admit(KEY, LEASE)).toMatchObject({ granted: false, state: 'isolated', retryIn: Infinity });
      await store.control(KEY, 'restore');
      expect(await store.admit(KEY, LEASE)).toMatchObject({ granted: false, state: 'open', insists: true });
      await store.control(KEY, 'reset');
      expect(await store.admit(KEY, LEASE)).toMatchObject({ granted: true, state: 'closed' });
      const denied = await store.record(KEY, failure(0, { kind: 'denied' }));
      expect(denied).toMatchObject({ state: 'open', insists: true, retryIn: 300_000, kind: 'denied' });
    });

    it('of 200 who ask at once after a cooldown, over 4 connections, one is the probe', async () => {
      const all = [store, await another(), await another(), await another()];
      for (let round = 0; round < 3; round++) {
        const { epoch } = await store.admit(KEY, LEASE);
        await store.record(KEY, failure(epoch, { breaker: SOON }));
        await until(async () => (await store.record(KEY, failure(-1))).state === 'half-open');
        const permits = await Promise.all(Array.from({ length: 200 }, (_, place) => all[place % 4]!.admit(KEY, LEASE)));
        expect(permits.filter(({ granted }) => granted)).toHaveLength(1);
        expect(permits.filter(({ probe }) => probe)).toHaveLength(1);
      }
    });

    it('an outcome told again counts once', async () => {
      const told = await Promise.all([1, 2, 3].map(() => store.record(KEY, failure(0, { id: 'a' }))));
      expect(told.map(({ failures }) => failures)).toEqual([1, 1, 1]);
      expect((await store.record(KEY, failure(0, { id: 'b' }))).state).toBe('open');
    });

    it('sends its scripts anew to a server that has forgotten them', async () => {
      await store.record(KEY, failure(0));
      await admin.script('FLUSH');
      expect((await store.record(KEY, failure(0))).state).toBe('open');
      await server.restart();
      await until(async () => (await store.admit(KEY, LEASE).catch(() => null))?.state === 'closed');
      await store.control(KEY, 'isolate');
      expect((await store.admit(KEY, LEASE)).state).toBe('isolated');
    });

    it('hears every change once, also after its connection was lost', async () => {
      const heard = await hearing(store);
      for (let round = 1; round <= 3; round++) {
        await store.control(KEY, 'reset');
        await until(() => heard.length === round);
        await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
        await until(async () => (await listening()) === 1);
      }
      await store.control(KEY, 'isolate');
      await until(() => heard.length === 4);
      await store.control(KEY, 'restore');
      await until(() => heard.length === 5);
      expect(heard.map(({ state }) => state)).toEqual(['closed', 'closed', 'closed', 'isolated', 'closed']);
    });

    it('listens by one connection, from the first listener to the last', async () => {
      const stops = [store.subscribe(() => {}), store.subscribe(() => {})];
      await until(async () => (await listening()) === 1);
      expect(await connections('TYPE', 'pubsub')).toBe(1);
      stops[0]!();
      stops[0]!();
      await store.admit(KEY, LEASE);
      expect(await listening()).toBe(1);
      stops[1]!();
      await until(async () => (await connections('TYPE', 'pubsub')) === 0);
      // Its user's client is its user's.
      expect((await store.admit(KEY, LEASE)).granted).toBe(true);
      const heard = await hearing(store);
      await store.control(KEY, 'reset');
      await until(() => heard.length === 1);
    });

    it('one that is closed before it has connected does not connect afterwards', async () => {
      for (let round = 0; round < 5; round++) {
        const stop = store.subscribe(() => {});
        if (round > 0) await pause(round);
        stop();
      }
      await until(async () => (await connections()) === 2);
      const heard = await hearing(store);
      await store.control(KEY, 'reset');
      await until(() => heard.length === 1);
      expect(await connections()).toBe(3);
    });

    it('what others say on its channel is nothing', async () => {
      const heard = await hearing(store);
      const OURS = { key: KEY, state: 'open', epoch: '5', openUntil: '7', retryIn: '2', failures: '1', insists: true };
      const foreign = ['', 'x', '1', 'null', '[]', '{}', ...Object.keys(OURS).flatMap((name) => withOut(OURS, name))];
      for (const message of foreign) await admin.publish(CHANNEL, message);
      await admin.publish(CHANNEL, JSON.stringify({ ...OURS, more: 1 }));
      await until(() => heard.length > 0);
      expect(heard).toEqual([{ ...OURS, epoch: 5, openUntil: 7, retryIn: 2, failures: 1 }]);
    });

    it('everything that it writes expires', async () => {
      const rate = { ...BREAKER, mode: 'rate' } as const;
      await store.record(KEY, failure(0, { id: 'a', breaker: rate }));
      await store.record('served', success(0));
      await store.record('for ever', failure(0, { kind: 'denied', breaker: { ...BREAKER, maxCooldown: Infinity } }));
      await store.control('isolated', 'isolate');
      const day = 86_400_000;
      const keys = (await admin.keys('*')).toSorted((a, b) => (a < b ? -1 : 1));
      const kept = await Promise.all(keys.map(async (key) => [key, await admin.pttl(key)] as const));
      expect(kept.map(([key, ttl]) => [key, Math.round(ttl / 60_000)])).toEqual([
        ['nestjs-fallback:{circuit:for ever}', (3_650 * day) / 60_000],
        ['nestjs-fallback:{circuit:isolated}', (30 * day) / 60_000],
        ['nestjs-fallback:{circuit:orders/primary}', (30 * day) / 60_000],
        ['nestjs-fallback:{circuit:orders/primary}:id:a', 10],
        ['nestjs-fallback:{circuit:orders/primary}:window', 2],
        ['nestjs-fallback:{circuit:served}', (30 * day) / 60_000],
      ]);
    });

    it('stores of another prefix are apart', async () => {
      const other = await another('shop');
      const heard = await hearing(store);
      await other.control(KEY, 'isolate');
      expect((await store.admit(KEY, LEASE)).state).toBe('closed');
      await store.control(KEY, 'reset');
      await until(() => heard.length > 0);
      expect(heard.map(({ state }) => state)).toEqual(['closed']);
      expect(await admin.keys('shop*')).toEqual([`shop:{circuit:${KEY}}`]);
    });
  });
});

const CHANNEL = 'nestjs-fallback:changes:0';

/** Without one of its fields, and with nonsense in it, as messages. */
function withOut(fields: Readonly<Record<string, unknown>>, name: string): string[] {
  const { [name]: _out, ...rest } = fields;
  return name === 'insists' ? [] : [rest, { ...rest, [name]: {} }].map((each) => JSON.stringify(each));
}
