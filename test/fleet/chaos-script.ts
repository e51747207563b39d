/** What happens to the upstream and to Redis during a run, by a seed. */
import { setTimeout as pause } from 'node:timers/promises';
import { command } from '../support/redis-commands.js';
import type { RedisServer } from '../support/redis-process.js';
import { numbersOf } from './numbers.js';
import type { Mood, Upstream } from './upstream.js';

type Between = (least: number, most: number) => number;

function chanceOf(seed: number): { next: () => number; between: Between } {
  const next = numbersOf(seed);
  return { next, between: (least, most) => Math.round(least + next() * (most - least)) };
}

/** All of them, in an order of its own, again and again. */
function* shuffled<T>(all: readonly T[], next: () => number): Generator<T, never> {
  for (;;) {
    const left = [...all];
    while (left.length > 0) yield left.splice(Math.floor(next() * left.length), 1)[0]!;
  }
}

const MOODS: readonly Mood[] = ['down', 'hanging', 'limiting', 'flaky', 'well', 'well'];

/** Ends well. */
export async function moods(upstream: Upstream, seed: number, until: number): Promise<void> {
  const { next, between } = chanceOf(seed);
  upstream.chance = next;
  for (const mood of shuffled(MOODS, next)) {
    if (performance.now() > until) break;
    upstream.mood = mood;
    await pause(between(500, 2_500));
  }
  upstream.mood = 'well';
}

const FAULTS: Record<string, (redis: RedisServer, between: Between) => Promise<void>> = {
  async killed(redis, between) {
    await redis.kill();
    await pause(between(300, 2_500));
    await redis.start();
  },
  async frozen(redis, between) {
    redis.stop();
    await pause(between(300, 2_500));
    redis.resume();
  },
  'restarted empty': (redis) => redis.restart(),
  async slow(redis, between) {
    for (let turn = 0; turn < 10; turn++) {
      await command(redis.port, 'CLIENT', 'PAUSE', String(between(50, 300)), 'ALL');
      await pause(200);
    }
  },
};

/** Ends with a server that is well; how often there was each fault. */
export async function faults(redis: RedisServer, seed: number, until: number): Promise<Record<string, number>> {
  const { next, between } = chanceOf(seed);
  const counts: Record<string, number> = {};
  for (const fault of shuffled(Object.keys(FAULTS), next)) {
    await pause(between(300, 1_500));
    if (performance.now() > until) break;
    counts[fault] = (counts[fault] ?? 0) + 1;
    await FAULTS[fault]!(redis, between);
  }
  return counts;
}
