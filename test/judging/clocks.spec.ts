import { describe, expect, it } from '@jest/globals';
import { open } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';

const down = new Error('down');
const HOUR = 3_600_000;

const opened = async () => {
  const ladder = await open({
    rungs: [
      { name: 'A', plays: [fails(down), gives('a')] },
      { name: 'B', plays: gives('b') },
    ],
    options: { breaker: { threshold: 1, cooldown: '30s' } },
  });
  expect((await ladder.call()).value).toBe('b');
  return ladder;
};

/** An answer of A is kept; then all fail. */
const kept = async () => {
  const ladder = await open({
    rungs: [{ name: 'A', plays: [gives({ n: 1 }), fails(down)] }],
    degraded: { lastKnownGood: { maxAge: '60s' }, substitute: { n: 0 } },
  });
  await ladder.call('q');
  return ladder;
};

describe('B15: the wall clock jumps', () => {
  it('B15 (a): back 2 h while 30 s pass: the next call probes A', async () => {
    const ladder = await opened();
    ladder.clock.setWall(ladder.clock.wall() - 2 * HOUR);
    await ladder.clock.advance(29_999);
    expect((await ladder.call()).attempts).toEqual(['A:skipped(cooling)', 'B:ok']);
    await ladder.clock.advance(1);
    expect((await ladder.call()).value).toBe('a');
  });

  it('B15 (b): forward 2 h while 1 s passes: A is still cooling', async () => {
    const ladder = await opened();
    ladder.clock.setWall(ladder.clock.wall() + 2 * HOUR);
    await ladder.clock.advance(1_000);
    expect((await ladder.call()).attempts).toEqual(['A:skipped(cooling)', 'B:ok']);
    const [health] = ladder.health.snapshot('ladder').candidates;
    expect(health).toMatchObject({ coolingFor: 29_000, openUntil: ladder.clock.wall() + 29_000 });
  });

  it('B15 (c): back 2 h, all fail: the last known good is a miss, the static substitute is served', async () => {
    const ladder = await kept();
    ladder.clock.setWall(ladder.clock.wall() - 2 * HOUR);
    const call = await ladder.call('q');
    expect(call.value).toEqual({ n: 0 });
    expect(call.receipt).toMatchObject({ source: 'static' });
  });

  it('B15 (d): back 3 s only: served, of age 0', async () => {
    const ladder = await kept();
    ladder.clock.setWall(ladder.clock.wall() - 3_000);
    const call = await ladder.call('q');
    expect(call.value).toEqual({ n: 1 });
    expect(call.receipt).toMatchObject({ source: 'last-known-good', age: 0 });
  });

  it('B15: durations and timeouts are told by the monotonic clock', async () => {
    const ladder = await open({
      rungs: [
        { name: 'A', plays: gives('late', 100), timeout: 20 },
        { name: 'B', plays: gives('b', 10) },
      ],
    });
    const call = ladder.begin();
    await ladder.clock.advance(10);
    ladder.clock.setWall(ladder.clock.wall() - 2 * HOUR);
    await ladder.clock.advance(20);
    expect(call).toMatchObject({ outcome: { value: 'b' }, took: 30 });
    expect(call.receipt?.attempts.map(({ duration }) => duration)).toEqual([20, 10]);
    expect(call.receipt?.duration).toBe(30);
  });
});
