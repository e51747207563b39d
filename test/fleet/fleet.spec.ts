import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { compileProgram } from '../support/child-program.js';
import type { ChildProgram } from '../support/child-program.js';
import { commandsOf } from '../support/redis-commands.js';
import { describeWithRedis, startRedis } from '../support/redis-server.js';
import type { RedisServer } from '../support/redis-server.js';
import { Hand, killAll, until } from './crew.js';
import type { Settings, Tally } from './orders.js';
import { Upstream } from './upstream.js';

const LIMIT = 60_000;
const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

let program: ChildProgram;
let redis: RedisServer;
let upstream: Upstream;

beforeAll(async () => {
  const parts = ['member-app.ts', 'member-load.ts', 'loop-delay.ts', 'numbers.ts'].map(fileOf);
  program = await compileProgram(fileOf('member.ts'), parts);
}, LIMIT);
afterAll(() => program.remove());

async function start(client: Settings['client'], more: Partial<Settings> = {}): Promise<Hand> {
  const settings = { redis: redis.port, client, upstream: upstream.address, cooldown: 1_500, timeout: 5_000, ...more };
  return Hand.start(program.path, settings);
}

const all = <T>(hands: readonly Hand[], act: (hand: Hand) => Promise<T>): Promise<T[]> => Promise.all(hands.map(act));

const untilAll = (hands: readonly Hand[], state: string): Promise<void> =>
  until(`everybody is ${state}`, async () => {
    const states = await all(hands, (hand) => hand.stateOf('primary'));
    return states.every((each) => each === state);
  });

const sum = (tallies: readonly Tally[]): Tally => {
  const total: Tally = {};
  for (const [tried, count] of tallies.flatMap(Object.entries)) total[tried] = (total[tried] ?? 0) + count;
  return total;
};

const wave = async (hands: readonly Hand[], count: number): Promise<Tally> =>
  sum(await all(hands, (hand) => hand.ask('calls', { count })));

const startAll = (clients: readonly Settings['client'][]): Promise<Hand[]> =>
  Promise.all(clients.map((client) => start(client)));

async function lastServedBy(hand: Hand): Promise<number> {
  return (await hand.see()).circuits[0]!.lastServedAt ?? 0;
}

/** What each process has told of the store of health; that of values tells no operation of its own. */
async function untilStores(hands: readonly Hand[], expected: readonly string[]): Promise<void> {
  let told: string[][] = [];
  await until('that of the stores is told', async () => {
    told = await all(hands, healthStoreEvents);
    return told.every((names) => names.length >= expected.length);
  });
  expect(told).toEqual(hands.map(() => expected));
}

async function healthStoreEvents(hand: Hand): Promise<string[]> {
  const { events } = await hand.see();
  return events.filter(({ operation }) => /admit|record|control/.test(String(operation))).map(({ name }) => name);
}

function difference(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  const counts = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** The upstream fails three calls of one process: its circuit is open. */
async function breakDown(by: Hand): Promise<void> {
  upstream.mood = 'down';
  expect(await by.ask('calls', { count: 3, inTurn: true })).toEqual({ 'primary:transient backup:ok': 3 });
}

const servers: { close(): Promise<void> }[] = [];
async function serve(): Promise<void> {
  redis = await startRedis();
  upstream = await Upstream.start();
  servers.push(redis, upstream);
}

async function endAll(): Promise<void> {
  await killAll();
  await Promise.all(servers.splice(0).map((server) => server.close()));
}

describeWithRedis('four processes and one Redis', () => {
  afterEach(endAll);

  it.each<[string, Settings['client'][]]>([
    ['ioredis', ['ioredis', 'ioredis', 'ioredis', 'ioredis']],
    ['ioredis and node-redis', ['ioredis', 'node-redis', 'ioredis', 'node-redis']],
  ])(
    'one finds an outage out, one probes it, all know of both: %s',
    async (_clients, clients) => {
      await serve();
      const hands = await startAll(clients);
      expect(await wave(hands, 1)).toEqual({ 'primary:ok': 4 });
      upstream.requests = 0;

      await breakDown(hands[1]!);
      await untilAll(hands, 'open');
      expect(await wave(hands, 20)).toEqual({ 'primary:cooling backup:ok': 80 });
      expect(upstream.requests).toBe(3);

      await untilAll(hands, 'half-open');
      upstream.requests = 0;
      upstream.mood = 'well';
      const answer = upstream.hold();
      const waves: Promise<Tally>[] = [];
      await until('somebody probes', async () => {
        waves.push(wave(hands, 50));
        await hands[0]!.see();
        return upstream.requests > 0;
      });
      waves.push(wave(hands, 50));
      // Whoever was let through by then has reached it.
      await waves.at(-1);
      expect(upstream.requests).toBe(1);
      answer();
      const tried = sum(await Promise.all(waves));
      expect(tried).toEqual({ 'primary:ok': 1, 'primary:cooling backup:ok': 200 * waves.length - 1 });
      expect(upstream.requests).toBe(1);

      await untilAll(hands, 'closed');
      expect(await wave(hands, 10)).toEqual({ 'primary:ok': 40 });
    },
    LIMIT,
  );

  it(
    'one that starts while the circuit is open never calls the upstream',
    async () => {
      await serve();
      await breakDown(await start('ioredis', { cooldown: 60_000 }));
      for (const client of ['ioredis', 'node-redis'] as const) {
        const late = await start(client, { cooldown: 60_000, callsAtStart: 20 });
        expect(late.atStart).toEqual({ 'primary:cooling backup:ok': 20 });
        expect(await late.ask('calls', { count: 20 })).toEqual({ 'primary:cooling backup:ok': 20 });
      }
      expect(upstream.requests).toBe(3);
    },
    LIMIT,
  );

  it(
    'when the primary last served survives the end of all of them',
    async () => {
      await serve();
      const hands = await startAll(['ioredis', 'node-redis']);
      await wave(hands, 1);
      const servedAt = Math.max(...(await all(hands, lastServedBy)));
      await all(hands, (hand) => hand.close());
      const again = await start('ioredis');
      let seen = 0;
      await until('it is known', async () => (seen = (await lastServedBy(again)) ?? 0) > 0);
      // By the clock of the server, and it was told a moment later.
      expect(Math.abs(seen - servedAt)).toBeLessThan(1_000);
    },
    LIMIT,
  );

  it(
    'well, they ask Redis next to nothing',
    async () => {
      await serve();
      const hand = await start('ioredis');
      const before = await commandsOf(redis.port);
      const started = performance.now();
      expect(await hand.ask('calls', { count: 2_000, inTurn: true })).toEqual({ 'primary:ok': 2_000 });
      const seconds = (performance.now() - started) / 1_000;
      const { evalsha = 0, eval: whole = 0, set = 0, ...others } = difference(before, await commandsOf(redis.port));
      // Who they are, when it last served, each once more for a script that the server does not know yet.
      expect(evalsha + whole).toBeLessThan(10);
      // The last known good of the one key, once a second.
      expect(set).toBeLessThanOrEqual(seconds + 3);
      expect(others).toEqual(expect.not.objectContaining({ get: expect.anything(), publish: expect.anything() }));
    },
    LIMIT,
  );
});

describeWithRedis('Redis is killed', () => {
  afterEach(endAll);

  it(
    'calls are answered as without it; that is told once, and once that it is back; then all agree again',
    async () => {
      await serve();
      const hands = await startAll(['ioredis', 'node-redis']);
      await wave(hands, 1);
      await redis.kill();
      upstream.requests = 0;
      // Each by its own memory.
      for (const hand of hands) await breakDown(hand);
      expect(await wave(hands, 20)).toEqual({ 'primary:cooling backup:ok': 40 });
      await untilStores(hands, ['store.failed']);
      await untilAll(hands, 'half-open');
      expect(await wave(hands, 5)).toEqual({ 'primary:transient backup:ok': 2, 'primary:cooling backup:ok': 8 });
      expect(upstream.requests).toBe(8);

      await redis.start();
      await untilStores(hands, ['store.failed', 'store.recovered']);
      upstream.mood = 'well';
      await until('both have closed it', async () => {
        await wave(hands, 1);
        return (await all(hands, (hand) => hand.stateOf('primary'))).every((state) => state === 'closed');
      });
      expect(await wave(hands, 5)).toEqual({ 'primary:ok': 10 });
      await breakDown(hands[0]!);
      await untilAll(hands, 'open');
      for (const hand of hands) expect((await hand.see()).troubles).toEqual([]);
      expect(await all(hands, (hand) => hand.close())).toEqual(hands.map(() => ({ code: 0, stderr: '' })));
    },
    LIMIT,
  );

  it.each(['ioredis', 'node-redis'] as const)(
    'a process whose application is closed ends by itself, with or without Redis: %s',
    async (client) => {
      await serve();
      const [first, second] = (await startAll([client, client])) as [Hand, Hand];
      await wave([first, second], 1);
      expect(await first.close()).toEqual({ code: 0, stderr: '' });
      await redis.kill();
      await breakDown(second);
      await untilStores([second], ['store.failed']);
      expect(await second.close()).toEqual({ code: 0, stderr: '' });
    },
    LIMIT,
  );
});
