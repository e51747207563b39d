/** node-redis 5 and 6, what `createClient` makes, as a connection. */
import { ignoreErrors, reconnectIn } from './client-types.js';
import type { NodeRedisClient, RedisConnection } from './client-types.js';

/** What is used of it beyond what is asked of users' types. */
interface NodeRedis {
  readonly isReady: boolean;
  readonly options?: { database?: number; socket?: object };
  sendCommand(command: readonly string[]): Promise<unknown>;
  duplicate(overrides: object): NodeRedis;
  connect(): Promise<unknown>;
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>;
  on(event: string, listener: (error: unknown) => void): this;
  unref(): void;
  destroy(): void;
}

/** Not its pools, clusters and sentinels, which take commands in another way. @internal */
export function isNodeRedis(client: object): client is NodeRedisClient {
  const { sendCommand, duplicate, isPubSubActive } = client as Partial<NodeRedisClient>;
  return typeof sendCommand === 'function' && typeof duplicate === 'function' && typeof isPubSubActive === 'boolean';
}

/** @internal */
export function nodeRedisConnection(client: NodeRedisClient): RedisConnection {
  const redis = client as unknown as NodeRedis;
  return {
    keyspace: String(redis.options?.database ?? 0),
    send: (command) => redis.sendCommand(command),
    subscribe(channel, listener, onListening = ignoreErrors) {
      let isOver = false;
      const reconnectStrategy = (tries: number): number | false => (isOver ? false : reconnectIn(tries));
      const own = redis.duplicate({
        socket: { ...redis.options?.socket, reconnectStrategy },
        disableOfflineQueue: false,
        // A short one has no room for what a client says when it connects.
        commandsQueueMaxLength: undefined,
      });
      own.on('error', ignoreErrors);
      // One that is destroyed while it connects would connect all the same.
      own.on('ready', () =>
        isOver ? own.destroy() : void own.subscribe(channel, listener).then(onListening, ignoreErrors),
      );
      own.unref();
      own.connect().catch(ignoreErrors);
      return () => {
        isOver = true;
        if (own.isReady) own.destroy();
      };
    },
  };
}
