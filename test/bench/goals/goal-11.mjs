/** Health that is shared through a real Redis, while all is well: what it costs a call. */
import { Redis } from 'ioredis';
import { compare } from '../measure.mjs';
import { startRedis } from '../redis.mjs';
import { row } from '../rows.mjs';
import { bad, decorated, fresh, good, load, STURDY } from '../subjects.mjs';

const LIMIT = { slack: 1 };

export async function measure({ rounds }) {
  const server = await startRedis();
  if (server === null) return [row(11, 'skipped: redis-server is not installed', 'skipped', 'info')];
  const client = new Redis(server.port, '127.0.0.1');
  const { RedisHealthStore } = await load('redis/index.js');
  const shared = { healthStore: new RedisHealthStore(client) };
  const { ratio } = await compare(
    {
      alone: await decorated([good(), good()]),
      shared: await decorated([good(), good()], {}, shared),
      'timed alone': await decorated([good(), good()], { timeout: 1_001 }),
      'timed shared': await decorated([good(), good()], { timeout: 1_002 }, shared),
      'failing alone': await decorated([bad(), fresh()], STURDY),
      'failing shared': await decorated([bad(), fresh()], STURDY, shared),
    },
    { rounds: 3 * rounds },
  );
  client.disconnect();
  await server.close();
  return [
    row(11, 'no timeout: shared health / in-process', ratio('shared', 'alone'), 'itself', 1.1, LIMIT),
    row(11, 'timeout: shared health / in-process', ratio('timed shared', 'timed alone'), 'itself', 1.1, LIMIT),
    row(11, 'first fails: shared health / in-process', ratio('failing shared', 'failing alone').toFixed(2), 'info'),
  ];
}
