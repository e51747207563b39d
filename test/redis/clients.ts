/** The clients that the stores must work with, each behind the few things that tests do with one. */
import { once } from 'node:events';
import { Redis as Ioredis6 } from 'ioredis';
import { Redis as Ioredis5 } from 'ioredis-5';
import { createClient as createRedis6 } from 'redis';
import { createClient as createRedis5 } from 'redis-5';
import type { RedisClient } from '../../lib/redis/index.js';

export interface Opened {
  readonly client: RedisClient;
  /** when it may be used; with a server that refuses it, soon */
  readonly ready: Promise<unknown>;
  readonly close: () => void;
}

export interface ClientKind {
  readonly name: string;
  /** It has no listener for errors. */
  readonly open: (url: string, options?: { password?: string; bounded?: boolean }) => Opened;
}

/** Soon, so that tests need not wait. */
const AGAIN_IN = 20;

const ioredis = (name: string, Client: typeof Ioredis6): ClientKind => ({
  name,
  open(url, { password, bounded = false } = {}) {
    const client = new Client(url, {
      retryStrategy: () => AGAIN_IN,
      ...(password !== undefined && { password }),
      ...(bounded && { enableOfflineQueue: false }),
    });
    const ready = Promise.race([once(client, 'ready'), once(client, 'close')]).catch(() => {});
    return { client, ready, close: () => client.disconnect() };
  },
});

const nodeRedis = (name: string, create: typeof createRedis6): ClientKind => ({
  name,
  open(url, { password, bounded = false } = {}) {
    const client = create({
      url,
      socket: { reconnectStrategy: () => AGAIN_IN },
      ...(password !== undefined && { password }),
      ...(bounded && { commandsQueueMaxLength: 8, disableOfflineQueue: true }),
    });
    const ready = once(client, 'ready').catch(() => {});
    client.connect().catch(() => {});
    return { client, ready, close: () => client.destroy() };
  },
});

export const clientKinds: readonly ClientKind[] = [
  ioredis('ioredis 6', Ioredis6),
  ioredis('ioredis 5', Ioredis5 as unknown as typeof Ioredis6),
  nodeRedis('redis 6', createRedis6),
  nodeRedis('redis 5', createRedis5 as unknown as typeof createRedis6),
];
