/** Health that is shared through a real Redis, while all is well: what it costs a call. */
import { Redis } from 'ioredis';
import { compare } from '../measure.mjs';
import { startRedis } from '../redis.mjs';
import { row } from '../rows.mjs';
import { decorated, good, load } from '../subjects.mjs';

const LIMIT = { slack: 1 };

export async function measure({ rounds }) {
  const server = await startRedis();
  if (server === null) return [row(11, 'skipped: redis-server is not installed', 'skipped', 'info')];
  const client = new Redis(server.port, '127.0.0.1');
  const { RedisHealthStore } = await load('redis/index.js');
  const shared = { healthStore: new RedisHealthStore(client) };
  // Two of each: how one function happens to be compiled makes more difference than what is looked for.
  const quiet = await compare(
    {
      'shared 1': await decorated([good(), good()], {}, shared),
      'alone 1': await decorated([good(), good()]),
      'alone 2': await decorated([good(), good()]),
      'shared 2': await decorated([good(), good()], {}, shared),
      'timed shared 1': await decorated([good(), good()], { timeout: 1_001 }, shared),
      'timed alone 1': await decorated([good(), good()], { timeout: 1_002 }),
      'timed alone 2': await decorated([good(), good()], { timeout: 1_003 }),
      'timed shared 2': await decorated([good(), good()], { timeout: 1_004 }, shared),
    },
    { rounds: 3 * rounds },
  );
  const healthy = (each = '') =>
    quiet.perRound((at) => {
      const both = (who) => at(`${each}${who} 1`) + at(`${each}${who} 2`);
      return both('shared') / both('alone');
    });
  client.disconnect();
  await server.close();
  return [
    row(11, 'no timeout: shared health / in-process', healthy(), 'itself', 1.1, LIMIT),
    row(11, 'timeout: shared health / in-process', healthy('timed '), 'itself', 1.1, LIMIT),
  ];
}
