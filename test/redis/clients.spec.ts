/** What may be given to the stores, and what their keys look like behind it. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Cluster as Cluster6, Redis } from 'ioredis';
import { Cluster as Cluster5, Redis as Redis5 } from 'ioredis-5';
import { createClient, createClientPool, createCluster, createSentinel } from 'redis';
import { createClient as createClient5 } from 'redis-5';
import { RedisHealthStore, RedisValueStore } from '../../lib/redis/index.js';
import type { RedisClient, RedisConnection } from '../../lib/redis/index.js';
import { describeWithRedis, startRedis } from '../support/redis-server.js';
import type { RedisServer } from '../support/redis-server.js';
import { OPENING } from './outcomes.js';
import { until } from './until.js';

const stores = [RedisValueStore, RedisHealthStore] as const;

describe.each(stores)('%p', (Store) => {
  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['an address', 'redis://:hunter2@127.0.0.1'],
    ['options', { host: '127.0.0.1', port: 6379 }],
    ['a Map', new Map()],
    ['a pool', createClientPool()],
    ['a cluster of node-redis', createCluster({ rootNodes: [{ url: 'redis://127.0.0.1:1' }] })],
    ['a sentinel', createSentinel({ name: 'a', sentinelRootNodes: [{ host: '127.0.0.1', port: 1 }] })],
    ['a client of another age', createClient().legacy()],
  ])('says what it expects when it is given %s', (_what, client) => {
    const wrong = () => new Store(client as RedisClient);
    expect(wrong).toThrow(TypeError);
    expect(wrong).toThrow(/^Redis(Value|Health)Store expects a client of ioredis .* or a RedisConnection/);
    // Of an address not a word: it may hold a password.
    expect(wrong).not.toThrow(/hunter2/);
  });

  it.each(['', 'a{b}', '}', 1, null])('refuses the prefix %p', (prefix) => {
    const wrong = () => new Store(createClient(), { prefix: prefix as string });
    expect(wrong).toThrow(TypeError);
    expect(wrong).toThrow('`prefix` must be');
  });

  it('puts one listener for errors on a client, however many stores there are', () => {
    const clients = [
      createClient(),
      createClient5(),
      new Redis({ lazyConnect: true }),
      new Redis5({ lazyConnect: true }),
    ];
    for (const client of clients) {
      const before = client.listenerCount('error');
      for (const Each of stores) void new Each(client);
      expect(client.listenerCount('error')).toBe(before + 1);
    }
  });
});

describeWithRedis('clients with more to them', () => {
  let server: RedisServer;
  let admin: Redis;
  const closing: (() => unknown)[] = [];
  beforeAll(async () => {
    server = await startRedis('--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1');
    admin = new Redis(server.url);
    await admin.call('CLUSTER', ['ADDSLOTSRANGE', '0', '16383']);
    await until(async () => String(await admin.call('CLUSTER', ['INFO'])).includes('cluster_state:ok'));
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  afterAll(() => admin.disconnect());

  const KEYS = ['a', '', '{', '}', '{}', 'a}b{c', '%7B', 'ü{ä}'];

  it.each([
    ['ioredis 6', (port: number) => new Cluster6([{ host: '127.0.0.1', port }])],
    ['ioredis 5', (port: number) => new Cluster5([{ host: '127.0.0.1', port }])],
  ])('a Cluster of %s: every key in one slot, whatever it is called, and changes arrive', async (_name, create) => {
    const client = create(server.port);
    const store = new RedisHealthStore(client);
    closing.push(
      () => store.disconnect(),
      () => client.disconnect(),
    );
    const heard: string[] = [];
    store.subscribe(({ key }) => heard.push(key));
    await until(async () => (await store.control('first', 'reset'), heard.length > 0));
    await store.control('last', 'reset');
    await until(() => heard.includes('last'));
    heard.length = 0;
    for (const key of KEYS) {
      await store.record(key, { ...OPENING, id: 'a' });
      expect((await store.admit(key, { lease: 1 })).state).toBe('open');
    }
    await until(() => heard.length === KEYS.length);
    expect(heard).toEqual(KEYS);
    expect(await new RedisValueStore(client).set('a', 'x', 1_000)).toBe(true);
    expect(await new RedisValueStore(client).get('a')).toBe('x');
    await admin.flushall();
  });

  it('a prefix of the client, or another database, is another world, changes included', async () => {
    const plain = await startRedis();
    const clients = [
      new Redis(plain.url),
      new Redis(plain.url, { keyPrefix: 'shop:' }),
      new Redis(plain.url, { db: 1 }),
      await createClient({ url: plain.url, database: 2 }).connect(),
      await createClient5({ url: `${plain.url}/3` }).connect(),
    ];
    const heard: string[] = [];
    const worlds = clients.map((client, place) => {
      const store = new RedisHealthStore(client);
      store.subscribe(({ key }) => heard.push(`${place} hears of ${key}`));
      closing.push(() => store.disconnect());
      return store;
    });
    closing.push(() => clients.forEach((client) => void client.disconnect()));
    const watcher = new Redis(plain.url);
    closing.push(() => watcher.disconnect());
    await until(async () => (await watcher.pubsub('CHANNELS')).length === worlds.length);
    for (const [place, store] of worlds.entries()) {
      await store.control(`key ${place}`, 'isolate');
      const others = worlds.filter((other) => other !== store);
      const permits = await Promise.all(others.map((other) => other.admit(`key ${place}`, { lease: 1 })));
      expect(permits.every(({ state }) => state === 'closed')).toBe(true);
    }
    await until(() => heard.length === worlds.length);
    expect(heard.toSorted()).toEqual(worlds.map((_store, place) => `${place} hears of key ${place}`));
    expect(await watcher.keys('shop:*')).toEqual(['shop:nestjs-fallback:{circuit:key 1}']);
  });

  it('a connection of your own', async () => {
    const said: (readonly string[])[] = [];
    const connection: RedisConnection = {
      async send(command) {
        said.push(command);
        return admin.call(command[0]!, command.slice(1));
      },
      subscribe: () => () => {},
    };
    const store = new RedisHealthStore(connection);
    expect((await store.admit('a', { lease: 1 })).granted).toBe(true);
    expect(said[0]!.slice(2, 5)).toEqual(['3', 'nestjs-fallback:{circuit:a}', 'nestjs-fallback:{circuit:a}:window']);
  });
});
