import { expect, it } from '@jest/globals';
import { until } from './crew.js';
import type { Hand } from './crew.js';
import { FOUND_OUT, LIMIT, all, areAll, describeFleet, untilAll, wave } from './scene.js';

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

describeFleet('Redis is killed', (scene) => {
  it(
    'calls are answered as without it; that is told once, and once that it is back; then all agree again',
    async () => {
      const { upstream } = scene();
      const hands = await scene().startAll(['ioredis', 'node-redis']);
      await wave(hands, 1);
      await scene().redis.kill();
      upstream.requests = 0;
      // Each by its own memory.
      for (const hand of hands) expect(await scene().breakDown(hand)).toEqual(FOUND_OUT);
      expect(await wave(hands, 20)).toEqual({ 'primary:cooling backup:ok': 40 });
      await untilStores(hands, ['store.failed']);
      await untilAll(hands, 'half-open');
      expect(await wave(hands, 5)).toEqual({ 'primary:transient backup:ok': 2, 'primary:cooling backup:ok': 8 });
      expect(upstream.requests).toBe(8);

      await scene().redis.start();
      await untilStores(hands, ['store.failed', 'store.recovered']);
      upstream.mood = 'well';
      await until('both have closed it', async () => {
        await wave(hands, 1);
        return areAll(hands, 'closed');
      });
      expect(await wave(hands, 5)).toEqual({ 'primary:ok': 10 });
      expect(await scene().breakDown(hands[0]!)).toEqual(FOUND_OUT);
      await untilAll(hands, 'open');
      for (const hand of hands) expect((await hand.see()).troubles).toEqual([]);
      expect(await all(hands, (hand) => hand.close())).toEqual(hands.map(() => ({ code: 0, stderr: '' })));
    },
    LIMIT,
  );

  it.each(['ioredis', 'node-redis'] as const)(
    'a process whose application is closed ends by itself, with or without Redis: %s',
    async (client) => {
      const [first, second] = (await scene().startAll([client, client])) as [Hand, Hand];
      await wave([first, second], 1);
      expect(await first.close()).toEqual({ code: 0, stderr: '' });
      await scene().redis.kill();
      expect(await scene().breakDown(second)).toEqual(FOUND_OUT);
      await untilStores([second], ['store.failed']);
      expect(await second.close()).toEqual({ code: 0, stderr: '' });
    },
    LIMIT,
  );
});
