import { expect, it } from '@jest/globals';
import { commandsOf } from '../support/redis-commands.js';
import { until } from './crew.js';
import type { Hand } from './crew.js';
import type { Settings, Tally } from './orders.js';
import { FOUND_OUT, LIMIT, all, describeFleet, sum, untilAll, wave } from './scene.js';

async function lastServedBy(hand: Hand): Promise<number> {
  return (await hand.see()).circuits[0]!.lastServedAt ?? 0;
}

function difference(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  const counts = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

describeFleet('four processes and one Redis', (scene) => {
  it.each<[string, Settings['client'][]]>([
    ['ioredis', ['ioredis', 'ioredis', 'ioredis', 'ioredis']],
    ['ioredis and node-redis', ['ioredis', 'node-redis', 'ioredis', 'node-redis']],
  ])(
    'one finds an outage out, one probes it, all know of both: %s',
    async (_clients, clients) => {
      const { upstream } = scene();
      const hands = await scene().startAll(clients);
      expect(await wave(hands, 1)).toEqual({ 'primary:ok': 4 });
      upstream.requests = 0;

      expect(await scene().breakDown(hands[1]!)).toEqual(FOUND_OUT);
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
    'one that dies with the probe locks nobody out',
    async () => {
      const { upstream } = scene();
      const settings = { cooldown: 500, timeout: 1_000 };
      const [one, two] = (await scene().startAll(['ioredis', 'node-redis'], settings)) as [Hand, Hand];
      expect(await scene().breakDown(one)).toEqual(FOUND_OUT);
      await untilAll([one, two], 'half-open');
      upstream.requests = 0;
      upstream.mood = 'well';
      const answer = upstream.hold();
      await until('it probes', async () => {
        void one.ask('calls', { count: 1 }).catch(() => {});
        await one.see();
        return upstream.requests > 0;
      });
      await one.kill();
      answer();
      expect(await wave([two], 5)).toEqual({ 'primary:cooling backup:ok': 5 });
      await until('the other probes', async () => {
        await wave([two], 1);
        return (await two.stateOf('primary')) === 'closed';
      });
      expect(upstream.requests).toBeGreaterThan(1);
    },
    LIMIT,
  );

  it(
    'one that starts while the circuit is open never calls the upstream',
    async () => {
      const { upstream } = scene();
      expect(await scene().breakDown(await scene().start('ioredis', { cooldown: 60_000 }))).toEqual(FOUND_OUT);
      for (const client of ['ioredis', 'node-redis'] as const) {
        const late = await scene().start(client, { cooldown: 60_000, callsAtStart: 20 });
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
      const hands = await scene().startAll(['ioredis', 'node-redis']);
      await wave(hands, 1);
      const servedAt = Math.max(...(await all(hands, lastServedBy)));
      await all(hands, (hand) => hand.close());
      const again = await scene().start('ioredis');
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
      const hand = await scene().start('ioredis');
      const before = await commandsOf(scene().redis.port);
      const started = performance.now();
      expect(await hand.ask('calls', { count: 2_000, inTurn: true })).toEqual({ 'primary:ok': 2_000 });
      const seconds = (performance.now() - started) / 1_000;
      const {
        evalsha = 0,
        eval: whole = 0,
        set = 0,
        ...others
      } = difference(before, await commandsOf(scene().redis.port));
      // Who they are, when it last served, each once more for a script that the server does not know yet.
      expect(evalsha + whole).toBeLessThan(10);
      // The last known good of the one key, once a second.
      expect(set).toBeLessThanOrEqual(seconds + 3);
      expect(others).toEqual(expect.not.objectContaining({ get: expect.anything(), publish: expect.anything() }));
    },
    LIMIT,
  );
});
