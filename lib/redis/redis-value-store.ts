/** Last known good values in Redis: one text per value, and Redis forgets it when its time is over. */
import type { ValueStore } from '../core/index.js';
import type { RedisClient, RedisConnection } from './client-types.js';
import { connectionOf } from './connection.js';
import { prefixOf } from './redis-store-options.js';
import type { RedisStoreOptions } from './redis-store-options.js';

const DAY = 86_400_000;
/** Redis refuses times that end after its calendar. */
const LONGEST_TTL = 3_650 * DAY;

/**
 * Keeps last known good values in Redis. Values are texts; a value without a `ttl` is kept for a day. Errors of Redis
 * reject: the application goes on without the value, and tells `store.failed`.
 * @example FallbackModule.forRoot({ valueStore: new RedisValueStore(new Redis()) })
 * @publicApi
 */
export class RedisValueStore implements ValueStore {
  private readonly connection: RedisConnection;
  private readonly prefix: string;

  constructor(client: RedisClient, options: RedisStoreOptions = {}) {
    this.connection = connectionOf('RedisValueStore', client);
    this.prefix = prefixOf('RedisValueStore', options);
  }

  async get(key: string): Promise<string | undefined> {
    const text = (await this.connection.send(['GET', this.keyOf(key)])) as string | Buffer | null;
    return text === null ? undefined : String(text);
  }

  async set(key: string, value: unknown, ttl: number = DAY): Promise<boolean> {
    if (typeof value !== 'string') throw new TypeError('RedisValueStore keeps texts only: turn the value into one');
    const lasting = ttl > 0 ? Math.ceil(Math.min(ttl, LONGEST_TTL)) : DAY;
    await this.connection.send(['SET', this.keyOf(key), value, 'PX', String(lasting)]);
    return true;
  }

  async delete(key: string): Promise<boolean> {
    await this.connection.send(['DEL', this.keyOf(key)]);
    return true;
  }

  private keyOf(key: string): string {
    return `${this.prefix}:value:${key}`;
  }
}
