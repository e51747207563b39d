import KeyvRedis from '@keyv/redis';
import { createCache } from 'cache-manager';
import { Redis } from 'ioredis';
import { Keyv } from 'keyv';
import { createClient } from 'redis';
import type { CacheLike, ValueStore } from '../../lib/index.js';
import { RedisValueStore } from '../../lib/redis/index.js';
import { settle } from './test-clock.js';

type Store = ValueStore | CacheLike;

/** A store, and how it is let go of. */
interface Opened {
  readonly store: Store;
  close(): unknown;
}

const keyvRedis = (url: string): Keyv => new Keyv({ store: new KeyvRedis(url) });
const ends = (): void => {};

/** Stores in this process. `undefined` is the default. */
export const LOCAL_STORES: readonly [string, () => Store | undefined][] = [
  ['the default', () => undefined],
  ['a Map', () => new Map<string, unknown>()],
  ['a Keyv', () => new Keyv()],
  ['a cache of cache-manager', () => createCache()],
];

/** Stores in a Redis. */
export const REDIS_STORES: readonly [string, (url: string) => Opened | Promise<Opened>][] = [
  [
    'a Keyv in Redis',
    (url) => {
      const store = keyvRedis(url);
      return { store, close: () => store.disconnect() };
    },
  ],
  [
    'a cache of cache-manager in Redis',
    (url) => {
      const keyv = keyvRedis(url);
      return { store: createCache({ stores: [keyv] }), close: () => keyv.disconnect() };
    },
  ],
  [
    'a RedisValueStore with ioredis',
    (url) => {
      const client = new Redis(url);
      return { store: new RedisValueStore(client), close: () => client.quit() };
    },
  ],
  [
    'a RedisValueStore with node-redis',
    async (url) => {
      const client = await createClient({ url }).connect();
      return { store: new RedisValueStore(client), close: () => client.close() };
    },
  ],
];

/** What stands in a store's way: it is asked, or not, and answers something else. */
export type Hurdle = (operation: 'get' | 'set' | 'delete', ask: () => unknown) => unknown;

/** A store that somebody can stand in the way of, and of which is known when it has nothing more to do. */
export class Watched implements ValueStore {
  hurdle: Hurdle | null = null;
  private underWay = 0;
  private readonly inner: Store;

  constructor(inner: Store = new Map<string, unknown>()) {
    this.inner = inner;
  }

  get(key: string): unknown {
    return this.pass('get', () => this.inner.get(key));
  }

  set(key: string, value: unknown, ttl?: number): unknown {
    return this.pass('set', () => this.inner.set(key, value, ttl));
  }

  delete(key: string): unknown {
    return this.pass('delete', () => ('delete' in this.inner ? this.inner.delete(key) : this.inner.del(key)));
  }

  /** Resolves when it has answered all that it was asked. */
  async isIdle(): Promise<void> {
    do await settle();
    while (this.underWay > 0);
    await settle();
  }

  private pass(operation: 'get' | 'set' | 'delete', ask: () => unknown): unknown {
    if (this.hurdle !== null) return this.hurdle(operation, ask);
    this.underWay++;
    const answer = Promise.resolve(ask());
    answer.then(ends, ends).finally(() => this.underWay--);
    return answer;
  }
}
