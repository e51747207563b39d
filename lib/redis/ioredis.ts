/** ioredis 5 and 6, `Redis` and `Cluster`, as a connection. */
import { ignoreErrors, reconnectIn } from './client-types.js';
import type { IoredisClient, RedisConnection } from './client-types.js';

/** What is used of it beyond what is asked of users' types. */
interface Ioredis {
  readonly isCluster?: boolean;
  readonly options: { db?: number; keyPrefix?: string };
  call(command: string, args: readonly string[]): Promise<unknown>;
  duplicate(...overrides: readonly object[]): Ioredis;
  subscribe(channel: string): Promise<unknown>;
  on(event: string, listener: (channel: string, message: string) => void): this;
  disconnect(): void;
}

/** @internal */
export function isIoredis(client: object): client is IoredisClient {
  const { call, duplicate, status } = client as Partial<IoredisClient>;
  return typeof call === 'function' && typeof duplicate === 'function' && typeof status === 'string';
}

/** @internal */
export function ioredisConnection(client: IoredisClient): RedisConnection {
  const ioredis = client as unknown as Ioredis;
  const { db, keyPrefix } = ioredis.options;
  return {
    keyspace: [String(db ?? 0), keyPrefix].filter(Boolean).join(':'),
    send: ([command, ...args]) => ioredis.call(command!, args),
    subscribe(channel, listener, onListening = ignoreErrors) {
      const own = listening(ioredis);
      own.on('error', ignoreErrors);
      // Of all that may go wrong with it, the next connection is the cure.
      own.on('ready', () => void own.subscribe(channel).then(onListening, ignoreErrors));
      own.on('message', (_channel, message) => listener(message));
      return () => own.disconnect();
    },
  };
}

/** A client like this one, which connects at once and never gives up. */
function listening(client: Ioredis): Ioredis {
  const overrides = { lazyConnect: false, enableOfflineQueue: true };
  if (client.isCluster) return client.duplicate([], { ...overrides, clusterRetryStrategy: reconnectIn });
  return client.duplicate({
    ...overrides,
    retryStrategy: reconnectIn,
    maxRetriesPerRequest: null,
    autoResubscribe: false,
    // There is nothing to wait for.
    disconnectTimeout: 50,
  });
}
