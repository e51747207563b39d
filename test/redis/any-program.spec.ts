/** Random programs, played on Redis and on the functions by which one process decides. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import type { CircuitOutcome, OutcomeKind } from '../../lib/core/index.js';
import { RULINGS } from '../../lib/core/verdict.js';
import { RedisHealthStore } from '../../lib/redis/index.js';
import type { RedisConnection } from '../../lib/redis/index.js';
import { describeWithRedis, startRedis } from '../support/redis-server.js';
import { ModelStore } from './model-store.js';

const START = 1_800_000_000_000;
const CONSECUTIVE = { mode: 'consecutive', window: 60_000, volume: 20, share: 0.3 } as const;
const BREAKERS: readonly CircuitOutcome['breaker'][] = [
  { threshold: 3, cooldown: 5_000, factor: 2, maxCooldown: 300_000, ...CONSECUTIVE },
  { threshold: 1, cooldown: 100, factor: 1.5, maxCooldown: 1_000.25, ...CONSECUTIVE },
  { threshold: 2, cooldown: 0, factor: 1, maxCooldown: Infinity, ...CONSECUTIVE },
  {
    threshold: Infinity,
    cooldown: 1_000,
    factor: 2,
    maxCooldown: 8_000,
    mode: 'rate',
    window: 1_000,
    volume: 3,
    share: 0.5,
  },
  { threshold: 4, cooldown: 10, factor: 3, maxCooldown: 50, mode: 'rate', window: 333.3, volume: 2, share: 1 },
];

type Step =
  | { do: 'admit'; key: string; lease: number }
  | {
      do: 'record';
      key: string;
      /** which of the epochs that were told, counted from the last */
      back: number;
      /** instead: one that was perhaps not told */
      epoch: number | undefined;
      kind: OutcomeKind;
      openFor: number | undefined;
      /** instead of the program's own, as while a new version is rolled out */
      breaker: CircuitOutcome['breaker'] | undefined;
      id: string | undefined;
    }
  | { do: 'control'; key: string; action: 'isolate' | 'restore' | 'reset' }
  | { do: 'wait'; for: number }
  /** to the moment in which the circuit may be probed, or a little before */
  | { do: 'come'; key: string; early: number };

/** Once in so many times. */
const sometimes = <T>(times: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const key = fc.oneof({ weight: 5, arbitrary: fc.constant('orders/primary') }, fc.constant('ü{}%:"\\\n'));
const kinds = fc.oneof(
  fc.constantFrom<OutcomeKind>('ok', 'transient', 'transient', 'rate-limited', 'denied', 'terminal'),
  fc.constantFrom(...(Object.keys(RULINGS) as OutcomeKind[])),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('admit'), key, lease: fc.constantFrom(1, 30.5, 1_000, Infinity) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('record'),
      key,
      back: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(3) }),
      epoch: sometimes(6, fc.constantFrom(0, -1, 7)),
      kind: kinds,
      openFor: sometimes(3, fc.constantFrom(0, 0.3, 50, 90_000, Infinity)),
      breaker: sometimes(12, fc.constantFrom(...BREAKERS)),
      id: sometimes(5, fc.constantFrom('a', 'b', 'c')),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('control'),
      key,
      action: fc.constantFrom('isolate', 'restore', 'reset'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('wait'), for: fc.constantFrom(0, 1, 50, 60, 1_000, 59_999, 60_000) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('come'), key, early: fc.constantFrom(0, 0, 0, 1) }) },
);

const steps = fc.array(step, { maxLength: 60, size: 'max' });

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

  async function play(own: CircuitOutcome['breaker'], steps: readonly Step[]): Promise<void> {
    await client.flushdb();
    const model = new ModelStore();
    const store = new RedisHealthStore(connection);
    const told: unknown[] = [];
    hearers.clear();
    store.subscribe((change) => told.push(change));
    const epochs = new Map<string, number[]>();
    const setClock = async (now: number): Promise<void> => {
      model.now = now;
      await client.mset('s', Math.floor(now / 1_000), 'us', (now % 1_000) * 1_000 + 999);
    };
    await setClock(START);
    for (const each of steps) {
      if (each.do === 'wait') await setClock(model.now + each.for);
      else if (each.do === 'come') await setClock(Math.max(model.now, model.dueAt(each.key) - each.early));
      else if (each.do === 'control') {
        model.control(each.key, each.action);
        await store.control(each.key, each.action);
      } else {
        const known = epochs.get(each.key) ?? [0];
        const answers = each.do === 'admit' ? [model, store].map((party) => party.admit(each.key, each)) : record(each);
        const [expected, actual] = await Promise.all(answers);
        expect(actual).toStrictEqual(expected);
        epochs.set(each.key, [expected!.epoch, ...known.filter((epoch) => epoch !== expected!.epoch)]);

        function record({ key: of, back, epoch, kind, openFor, breaker, id }: Step & { do: 'record' }) {
          const outcome: CircuitOutcome = {
            epoch: epoch ?? known[Math.min(back, known.length - 1)]!,
            health: RULINGS[kind].health,
            kind,
            breaker: breaker ?? own,
            ...(openFor !== undefined && { openFor }),
            ...(id !== undefined && { id }),
          };
          return [model, store].map((party) => party.record(of, outcome));
        }
      }
    }
    // The server tells in order, so whoever has heard of this has heard of all.
    model.control('the end', 'reset');
    await store.control('the end', 'reset');
    while (told.length < model.changes.length) await new Promise(setImmediate);
    expect(told).toStrictEqual(model.changes);
    await expectAllToExpire();
  }

  async function expectAllToExpire(): Promise<void> {
    const keys = (await client.keys('*')).filter((name) => name !== 's' && name !== 'us');
    const times = await Promise.all(keys.map((name) => client.pttl(name)));
    expect(times.every((time) => time > 0)).toBe(true);
  }

  it('does what one process does by itself, whatever happens in whatever order', async () => {
    await fc.assert(fc.asyncProperty(fc.constantFrom(...BREAKERS), steps, play), { seed: 7, numRuns: 600 });
  }, 60_000);
});
