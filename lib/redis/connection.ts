/** From what a user gives to a connection, or a sentence that says what is expected. */
import { ignoreErrors } from './client-types.js';
import type { RedisClient, RedisConnection } from './client-types.js';
import { ioredisConnection, isIoredis } from './ioredis.js';
import { isNodeRedis, nodeRedisConnection } from './node-redis.js';

const EXPECTED =
  'expects a client of ioredis 5 or 6 (new Redis(), new Cluster()), one of redis 5 or 6 (createClient()), ' +
  'or a RedisConnection of your own ({ send, subscribe })';

/** @param store who asks, for the error @internal */
export function connectionOf(store: string, client: RedisClient): RedisConnection {
  if (typeof client !== 'object' || client === null) throw new TypeError(`${store} ${EXPECTED}, got ${shown(client)}`);
  if (isConnection(client)) return client;
  const isKnown = isIoredis(client);
  if (!isKnown && !isNodeRedis(client)) throw new TypeError(`${store} ${EXPECTED}`);
  hearErrors(client);
  return isKnown ? ioredisConnection(client) : nodeRedisConnection(client);
}

/** What it is, not what it says: an address may hold a password. */
function shown(client: unknown): string {
  return client === null || client === undefined ? String(client) : `a value of type ${typeof client}`;
}

function isConnection(client: RedisClient): client is RedisConnection {
  const { send, subscribe } = client as Partial<RedisConnection>;
  return typeof send === 'function' && typeof subscribe === 'function';
}

/** Once, however many stores a client has. */
function hearErrors(client: Exclude<RedisClient, RedisConnection>): void {
  const { listeners } = client as { listeners?: (event: string) => unknown[] };
  if (listeners?.call(client, 'error').includes(ignoreErrors)) return;
  client.on('error', ignoreErrors);
}
