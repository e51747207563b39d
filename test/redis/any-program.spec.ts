/** Random programs, played on Redis and on the functions by which one process decides. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { Redis } from 'ioredis';
import type { CircuitOutcome } from '../../lib/core/index.js';
import { RULINGS } from '../../lib/core/verdict.js';
import { RedisHealthStore } from '../../lib/redis/index.js';
import type { RedisConnection } from '../../lib/redis/index.js';
import { describeWithRedis, startRedis } from '../support/redis-server.js';
import { BREAKERS, EXAMPLES, programs } from './any-steps.js';
import type { Step } from './any-steps.js';
import { ModelStore } from './model-store.js';

const START = 1_800_000_000_000;

/** What one of the two has answered and told. */
interface Seen {
  readonly answers: unknown[];
  readonly changes: unknown[];
}

describeWithRedis('RedisHealthStore', () => {
  let client: Redis;
  let listening: Redis;
  const hearers = new Set<(message: string) => void>();

  beforeAll(async () => {
    const server = await startRedis();
    client = new Redis(server.url);
    listening = new Redis(server.url);
    await listening.subscribe('nestjs-fallback:changes');
    listening.on('message', (_channel, message) => hearers.forEach((hear) => hear(message)));
  });
  afterAll(() => [client, listening].forEach((each) => each.disconnect()));

  /** The server, with a clock that the test moves: the scripts ask for the time in one place. */
  const connection: RedisConnection = {
    async send([name, text, ...rest]) {
      if (name === 'EVALSHA') throw new Error('NOSCRIPT not this one');
      return client.call(name!, [text!.replace("redis.call('TIME')", "redis.call('MGET', 's', 'us')"), ...rest]);
    },
    subscribe(_channel, listener) {
      hearers.add(listener);
      return () => hearers.delete(listener);
    },
  };

  async function play(own: CircuitOutcome['breaker'], steps: readonly Step[]): Promise<[model: Seen, store: Seen]> {
    await client.flushdb();
    hearers.clear();
    const model = new ModelStore();
    const store = new RedisHealthStore(connection);
    const expected: Seen = { answers: [], changes: model.changes };
    const actual: Seen = { answers: [], changes: [] };
    store.subscribe((change) => actual.changes.push(change));
    const epochs = new Map<string, number[]>();
    const comeTo = async (now: number): Promise<void> => {
      model.now = now;
      await client.mset('s', Math.floor(now / 1_000), 'us', (now % 1_000) * 1_000 + 999);
    };
    const answered = async (key: string, answer: { epoch: number }, other: PromiseLike<unknown>): Promise<void> => {
      expected.answers.push(answer);
      actual.answers.push(await other);
      epochs.set(key, [answer.epoch, ...(epochs.get(key) ?? []).filter((epoch) => epoch !== answer.epoch)]);
    };
    const outcomeOf = ({ key, back, epoch, kind, openFor, breaker, id }: Step & { do: 'record' }): CircuitOutcome => {
      const known = epochs.get(key) ?? [0];
      return {
        epoch: epoch ?? known[Math.min(back, known.length - 1)]!,
        health: RULINGS[kind].health,
        kind,
        breaker: breaker ?? own,
        ...(openFor !== undefined && { openFor }),
        ...(id !== undefined && { id }),
      };
    };
    const control = async (key: string, action: 'isolate' | 'restore' | 'reset'): Promise<void> => {
      model.control(key, action);
      await store.control(key, action);
    };
    const take = async (step: Step): Promise<void> => {
      if (step.do === 'wait') return comeTo(model.now + step.for);
      if (step.do === 'come') return comeTo(Math.max(model.now, model.dueAt(step.key) - step.early));
      const { key } = step;
      if (step.do === 'control') return control(key, step.action);
      if (step.do === 'admit') return answered(key, model.admit(key, step), store.admit(key, step));
      const outcome = outcomeOf(step);
      return answered(key, model.record(key, outcome), store.record(key, outcome));
    };
    await comeTo(START);
    for (const step of steps) await take(step);
    // The server tells in order, so whoever has heard of this has heard of all.
    await control('the end', 'reset');
    while (actual.changes.length < expected.changes.length) await new Promise(setImmediate);
    return [expected, actual];
  }

  /** Keys that do not expire, but for the clock's. */
  async function keptForEver(): Promise<string[]> {
    const keys = await client.keys('nestjs-fallback:*');
    const times = await Promise.all(keys.map((key) => client.pttl(key)));
    return keys.filter((_key, place) => times[place]! <= 0);
  }

  it('does what one process does by itself, whatever happens in whatever order', async () => {
    const agreement = fc.asyncProperty(fc.constantFrom(...BREAKERS), programs, async (own, steps) => {
      const [expected, actual] = await play(own, steps);
      expect(actual).toStrictEqual(expected);
      expect(await keptForEver()).toEqual([]);
    });
    await fc.assert(agreement, { seed: 7, numRuns: 600, examples: EXAMPLES });
  }, 60_000);
});
