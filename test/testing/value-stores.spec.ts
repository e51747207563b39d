import KeyvRedis from '@keyv/redis';
import { createCache } from 'cache-manager';
import { Redis } from 'ioredis';
import { Keyv } from 'keyv';
import { createClient } from 'redis';
import type { CacheLike, ValueStore } from '../../lib/index.js';
import { RedisValueStore } from '../../lib/redis/index.js';
import { StoreCheckError, TestClock, assertValueStore, checkValueStore } from '../../lib/testing/index.js';
import { describeWithRedis, startRedis } from '../support/redis-server.js';
import { ownFindings } from './broken/own-findings.js';
import { BROKEN, Shelf } from './broken/value-stores.js';

type Store = ValueStore | CacheLike;

describe('checkValueStore has nothing against', () => {
  it.each<[string, () => Store]>([
    ['Map', () => new Map<string, unknown>()],
    ['Keyv', () => new Keyv()],
    ['The store', () => createCache()],
  ])('%s', async (name, make) => {
    const report = await assertValueStore(make());
    expect(report).toMatchObject({ store: name, findings: [], unchecked: [] });
  });

  it('a store by a test clock', async () => {
    const clock = new TestClock();
    const report = await assertValueStore(new Shelf(clock), { wait: (ms) => clock.advance(ms) });
    expect(report).toMatchObject({ store: 'Shelf', findings: [], unchecked: [] });
  });
});

describeWithRedis('checkValueStore has nothing against a store in Redis:', () => {
  const ends: (() => unknown)[] = [];

  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  const keyvOf = (url: string): Keyv => {
    const keyv = new Keyv({ store: new KeyvRedis(url) });
    ends.push(() => keyv.disconnect());
    return keyv;
  };

  it.each<[string, (url: string) => Store | Promise<Store>]>([
    ['Keyv', keyvOf],
    ['cache-manager', (url) => createCache({ stores: [keyvOf(url)] })],
    [
      'RedisValueStore with ioredis',
      (url) => {
        const client = new Redis(url);
        ends.push(() => client.quit());
        return new RedisValueStore(client);
      },
    ],
    [
      'RedisValueStore with node-redis',
      async (url) => {
        const client = await createClient({ url }).connect();
        ends.push(() => client.close());
        return new RedisValueStore(client);
      },
    ],
  ])('%s, of two processes', async (_, make) => {
    const { url } = await startRedis();
    const { findings, unchecked } = await checkValueStore(() => make(url));
    expect({ findings, unchecked }).toEqual({ findings: [], unchecked: [] });
  });
});

describe('checkValueStore finds a store that', () => {
  it.each(BROKEN)('%s: %j', async (_, codes, Broken) => {
    const clock = new TestClock();
    const { findings } = await checkValueStore(new Broken(clock), { wait: (ms) => clock.advance(ms), patience: 300 });
    expect(ownFindings(findings, codes)).toEqual(codes);
  });

  it('breaks any rule', async () => {
    const clock = new TestClock();
    const { checked } = await checkValueStore(new Shelf(clock), { wait: (ms) => clock.advance(ms) });
    const broken = new Set<string>(BROKEN.flatMap(([, codes]) => codes));
    expect(checked.filter((code) => !broken.has(code))).toEqual(['not-shared']);
  });

  it('is two stores: a function must make handles of one', async () => {
    const clock = new TestClock();
    const make = () => new Shelf(clock);
    const { findings, checked } = await checkValueStore(make, { wait: (ms) => clock.advance(ms) });
    expect(findings.map(({ code }) => code)).toEqual(['not-shared']);
    expect(checked).toContain('sets-mixed');
  });
});

describe('assertValueStore', () => {
  it('throws everything that was found, with what to do', async () => {
    const clock = new TestClock();
    const [, , Broken] = BROKEN.find(([what]) => what === 'counts in whole seconds')!;
    const asserted = assertValueStore(new Broken(clock), { wait: (ms) => clock.advance(ms) });
    const error = await asserted.catch((thrown: unknown) => thrown as StoreCheckError);
    expect(error).toBeInstanceOf(StoreCheckError);
    expect((error as StoreCheckError).message).toBe(
      'The store is no good store yet:\n' +
        '- lost-in-seconds: 1200 ms after it was set with a `ttl` of 1500 ms, a text is gone: take `ttl` in ms: ' +
        'a store that counts in seconds must round up',
    );
  });
});
