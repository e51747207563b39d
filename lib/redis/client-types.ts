/** What the stores need of Redis, and what the clients look like that give it. None of their packages is imported. */

/**
 * What the stores need of Redis. Write one for a client that is not known here, or for a cluster of node-redis, and give it
 * to the stores in the client's place.
 * @example
 * const connection: RedisConnection = {
 *   send: (command) => cluster.sendCommand(keyOf(command), false, command),
 *   subscribe(channel, listener) {
 *     void cluster.subscribe(channel, listener);
 *     return () => void cluster.unsubscribe(channel, listener);
 *   },
 * };
 * @publicApi
 */
export interface RedisConnection {
  /**
   * Sends one command: `GET`, `SET`, `DEL` with the key in place 1, `EVALSHA` or `EVAL` with it in place 3; all keys of a
   * command are in one hash slot. Rejects with an `Error` that has the server's own message.
   */
  send(command: readonly string[]): PromiseLike<unknown>;
  /**
   * Hears a channel until the returned function is called, also after the connection was lost. Needs a connection of its
   * own with most clients. It must not throw, and nobody waits for it. `onListening` is told whenever it hears again: what
   * was published before may not have been heard.
   */
  subscribe(channel: string, listener: (message: string) => void, onListening?: () => void): () => void;
  /** what sets apart the keys of two connections to one server, beside the keys themselves: a database, a prefix */
  readonly keyspace?: string;
}

/** What a client of ioredis 5 or 6 looks like, `Redis` or `Cluster`. @publicApi */
export interface IoredisClient {
  readonly status: string;
  call(command: string, args: string[]): Promise<unknown>;
  duplicate(): IoredisClient;
  on(event: 'error', listener: (error: unknown) => void): unknown;
}

/** What a client of node-redis 5 or 6 looks like: what `createClient` makes. @publicApi */
export interface NodeRedisClient {
  readonly isPubSubActive: boolean;
  sendCommand(command: string[]): Promise<unknown>;
  duplicate(): NodeRedisClient;
  on(event: 'error', listener: (error: unknown) => void): unknown;
}

/** @publicApi */
export type RedisClient = RedisConnection | IoredisClient | NodeRedisClient;

/** How both clients come back after a connection was lost, ms: those that only listen never give up. @internal */
export function reconnectIn(tries: number): number {
  return Math.min(50 * 2 ** Math.min(tries, 10), 1_000);
}

/** An `error` event that nobody listens to would end the process; what failed is told to whoever asked. @internal */
export function ignoreErrors(): void {}
