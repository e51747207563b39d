import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { terminal } from '../../lib/index.js';
import { CHAIN, open } from '../support/ladder.js';
import type { Ladder, Setup } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';
import type { Play } from '../support/plays.js';

const down = fails(new Error('down'));
const up = gives('a');

/** Two candidates; the first opens at its first failure and is tried again by the next call. */
const two = (plays: Play, more: Partial<Setup> = {}) =>
  open({
    rungs: [
      { name: 'a', plays, breaker: { threshold: 1, cooldown: '1s', factor: 1 } },
      { name: 'b', plays: gives('b') },
    ],
    ...more,
  });

/** One candidate without a circuit, and a substitute behind it. */
const substituted = (plays: Play) =>
  open({ rungs: [{ name: 'a', plays, whenOpen: 'ignore' }], degraded: { substitute: 's' } });

/** `degraded 30000`: what was told of the chain, and when. */
function told(ladder: Ladder, bornAt: number): string[] {
  return ladder
    .eventsNamed('chain.degraded', 'chain.recovered')
    .map(({ name, at }) => `${name.replace('chain.', '')} ${at - bornAt}`);
}

async function timeline(ladder: Ladder, calls: readonly number[], end: number): Promise<string[]> {
  const bornAt = ladder.clock.wall();
  for (const at of calls) {
    await ladder.goTo(at);
    await ladder.call();
  }
  await ladder.goTo(end);
  return told(ladder, bornAt);
}

describe('chain.degraded and chain.recovered', () => {
  it('degraded is told when an open circuit has lasted for 30 s, with no call needed', async () => {
    const ladder = await two(down);
    expect(await timeline(ladder, [0], 29_999)).toEqual([]);
    await ladder.goTo(300_000);
    expect(ladder.eventsNamed('chain.degraded')).toEqual([
      { name: 'chain.degraded', chain: CHAIN, status: 'degraded', since: expect.any(Number), at: expect.any(Number) },
    ]);
    const [event] = ladder.eventsNamed('chain.degraded');
    expect(event!.at - Number(event!.since)).toBe(30_000);
  });

  it('recovered is told when all has been well for 30 s, and degraded again only after another 30 s', async () => {
    const plays = [down, up, down, up];
    const ladder = await two(plays);
    expect(await timeline(ladder, [0, 50_000, 100_000, 140_000], 500_000)).toEqual([
      'degraded 30000',
      'recovered 80000',
      'degraded 130000',
      'recovered 170000',
    ]);
  });

  it('nothing is told of trouble that does not last, however often it comes back', async () => {
    const plays = Array.from({ length: 40 }, (_, call) => (call % 2 === 0 ? down : up));
    const ladder = await two(plays);
    // In trouble for 12 s, well for 8 s, and so on.
    const calls = plays.map((_, call) => Math.floor(call / 2) * 20_000 + (call % 2) * 12_000);
    expect(await timeline(ladder, calls, 1_000_000)).toEqual([]);
  });

  it('no recovery is told of a calm that does not last', async () => {
    const plays = [down, up, down, up, down, up];
    const ladder = await two(plays);
    const calls = [0, 40_000, 60_000, 61_000, 90_000, 95_000];
    expect(await timeline(ladder, calls, 500_000)).toEqual(['degraded 30000', 'recovered 125000']);
  });

  it('degraded answers are trouble, with every circuit closed, until an answer in full', async () => {
    const ladder = await substituted([down, up]);
    expect(await timeline(ladder, [0, 60_000], 500_000)).toEqual(['degraded 30000', 'recovered 90000']);
    expect(ladder.health.snapshot(CHAIN).status).toBe('up');
  });

  it('so are exhausted calls', async () => {
    const ladder = await open({ rungs: [{ name: 'a', plays: [down, up], whenOpen: 'ignore' }] });
    expect(await timeline(ladder, [0, 60_000], 500_000)).toEqual(['degraded 30000', 'recovered 90000']);
  });

  it('a call that is stopped says nothing about the chain', async () => {
    const ladder = await substituted(fails(terminal('no such thing')));
    expect(await timeline(ladder, [0, 20_000, 40_000], 500_000)).toEqual([]);
  });

  it('one degraded answer in three lasts, too', async () => {
    const plays = Array.from({ length: 60 }, (_, call) => (call % 3 === 0 ? down : up));
    const ladder = await substituted(plays);
    const calls = plays.map((_, call) => call * 1_000);
    expect(await timeline(ladder, calls, 500_000)).toEqual(['degraded 30000', `recovered ${57_000 + 1_000 + 30_000}`]);
  });

  it('a calm of 5 s ends it', async () => {
    const ladder = await substituted([down, up, down, up]);
    expect(await timeline(ladder, [0, 20_000, 25_000, 50_000], 500_000)).toEqual([]);
  });

  it('the state is told: down, where nothing could answer', async () => {
    const ladder = await open({ rungs: [{ name: 'a', plays: down, breaker: { threshold: 1, cooldown: '1h' } }] });
    expect(await timeline(ladder, [0], 30_000)).toEqual(['degraded 30000']);
    expect(ladder.eventsNamed('chain.degraded')[0]).toMatchObject({ status: 'down' });
  });

  it('reset is the beginning of recovery', async () => {
    const ladder = await two(down);
    const bornAt = ladder.clock.wall();
    await ladder.call();
    await ladder.goTo(40_000);
    ladder.health.reset(CHAIN);
    await ladder.goTo(500_000);
    expect(told(ladder, bornAt)).toEqual(['degraded 30000', 'recovered 70000']);
  });

  it('a candidate that was isolated by hand is trouble until it is restored', async () => {
    const ladder = await two(up);
    const bornAt = ladder.clock.wall();
    ladder.health.isolate(CHAIN, 'a');
    await ladder.goTo(40_000);
    ladder.health.restore(CHAIN, 'a');
    await ladder.goTo(500_000);
    expect(told(ladder, bornAt)).toEqual(['degraded 30000', 'recovered 70000']);
  });

  it('waits by the injected clock, keeps nothing alive, and leaves nothing behind', async () => {
    const ladder = await two(down);
    await ladder.call();
    expect([ladder.clock.refd, ladder.clock.timers]).toEqual([0, 1]);
    await ladder.close();
    expect(ladder.clock.timers).toBe(0);
    await ladder.clock.advance(100_000);
    expect(ladder.eventsNamed('chain.degraded')).toEqual([]);
  });

  it('sets no timer where nobody would be told', async () => {
    const ladder = await two(down, { isWatched: false });
    await ladder.call();
    expect(ladder.clock.timers).toBe(0);
  });

  it('one timer does for all chains of an application', async () => {
    const ladder = await two([down, up, down, up, down]);
    for (let time = 0; time < 100_000; time += 2_000) {
      await ladder.call();
      expect(ladder.clock.timers).toBeLessThanOrEqual(1);
      await ladder.clock.advance(2_000);
    }
  });

  it('reading health tells nothing and changes nothing', async () => {
    const ladder = await two(down);
    await ladder.call();
    await ladder.goTo(29_999);
    const before = ladder.events.length;
    for (let times = 0; times < 100; times++) {
      ladder.health.snapshot();
      ladder.health.check();
      ladder.health.status();
      ladder.health.describe(CHAIN);
    }
    expect(ladder.events.length).toBe(before);
    expect(ladder.calls).toEqual({ a: 1, b: 1 });
    await ladder.goTo(30_000);
    expect(ladder.eventsNamed('chain.degraded')).toHaveLength(1);
  });

  it('the log says both', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    const log = jest.spyOn(Logger.prototype, 'log').mockImplementation(() => {});
    const ladder = await two([down, up], { isWatched: false, module: { logger: undefined as never } });
    await timeline(ladder, [0, 50_000], 80_000);
    expect(warn.mock.calls.map(([line]) => line)).toContain('ladder: degraded for 30 s; see its health');
    expect(log.mock.calls.map(([line]) => line)).toContain('ladder: answers in full again, for 30 s');
    warn.mockRestore();
    log.mockRestore();
  });
});
