import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Degraded, Fallback, FallbackChain, from, terminal } from '../../lib/index.js';
import { CHAIN, open } from '../support/ladder.js';
import type { Ladder, Setup } from '../support/ladder.js';
import { closeApps, startApp } from '../support/nest-app.js';
import { fails, gives } from '../support/plays.js';
import type { Play } from '../support/plays.js';
import { TestClock } from '../support/test-clock.js';

afterEach(closeApps);

const down = fails(new Error('down'));

function ratesOf(ladder: Ladder) {
  const { failoverRate, degradedRate, paidShare } = ladder.health.snapshot(CHAIN);
  return [failoverRate, degradedRate, paidShare];
}

async function calls(ladder: Ladder, many: number): Promise<void> {
  for (let call = 0; call < many; call++) await ladder.call();
}

describe.each([
  ['watched', true],
  ['unwatched', false],
])('rates over the last minute, %s', (_how, isWatched) => {
  const openTwo = (a: Play, b: Play, more: Partial<Setup> = {}) =>
    open({
      rungs: [
        { name: 'a', plays: a, whenOpen: 'ignore' },
        { name: 'b', plays: b, whenOpen: 'ignore' },
      ],
      isWatched,
      ...more,
    });

  it('are 0 before the first call, and with healthy calls', async () => {
    const ladder = await openTwo(gives('a'), gives('b'));
    expect(ratesOf(ladder)).toEqual([0, 0, 0]);
    await calls(ladder, 3);
    expect(ratesOf(ladder)).toEqual([0, 0, 0]);
  });

  it('failoverRate: another than the first supported candidate answered', async () => {
    const ladder = await openTwo([gives('a'), gives('a'), gives('a'), down], gives('b'));
    await calls(ladder, 4);
    expect(ratesOf(ladder)).toEqual([0.25, 0, 0]);
  });

  it('degradedRate: substitutes, and candidates declared degraded', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: [gives('a'), down], whenOpen: 'ignore' },
        { name: 'b', plays: [gives('b'), down], degraded: true, whenOpen: 'ignore' },
      ],
      degraded: { substitute: 's' },
      isWatched,
    });
    await calls(ladder, 4);
    // a; b, failed over and degraded; s; s
    expect(ratesOf(ladder)).toEqual([0.25, 0.75, 0]);
  });

  it('thin answers are degraded, also those that were held', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: gives('a'), assess: () => 'thin' },
        { name: 'b', plays: [gives('b'), down], whenOpen: 'ignore' },
      ],
      isWatched,
    });
    await calls(ladder, 2);
    expect(ratesOf(ladder)).toEqual([0.5, 0.5, 0]);
  });

  it('paidShare: money was spent, whoever answered', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: [gives('a'), down], cost: 0, whenOpen: 'ignore' },
        { name: 'b', plays: [gives('b'), down], cost: 0.5, whenOpen: 'ignore' },
        { name: 'c', plays: gives('c'), cost: 0 },
      ],
      isWatched,
    });
    await calls(ladder, 1);
    expect(ratesOf(ladder)).toEqual([0, 0, 0]);
    await calls(ladder, 3);
    expect(ratesOf(ladder)).toEqual([0.75, 0, 0.75]);
  });

  it('a paid primary, and an untiered one', async () => {
    const paid = await open({ rungs: [{ name: 'a', plays: gives('a'), cost: 0.002 }], isWatched });
    await calls(paid, 2);
    expect(ratesOf(paid)).toEqual([0, 0, 1]);
  });

  it('calls that nobody answered are in no rate', async () => {
    const ladder = await openTwo([gives('a'), down, fails(terminal('no'))], down);
    await calls(ladder, 3);
    expect(ratesOf(ladder)).toEqual([0, 0, 0]);
    const other = await openTwo([down, gives('a')], [down, gives('b')]);
    await calls(other, 2);
    expect(ratesOf(other)).toEqual([0, 0, 0]);
  });

  it('old calls fall out: none counts for more than a minute, all count for 55 s', async () => {
    for (const start of [0, 1_234, 4_999, 5_000]) {
      const ladder = await openTwo([down, gives('a')], gives('b'));
      await ladder.goTo(start);
      await calls(ladder, 2);
      await ladder.goTo(start + 54_999);
      expect(ratesOf(ladder)).toEqual([0.5, 0, 0]);
      await ladder.goTo(start + 60_000);
      expect(ratesOf(ladder)).toEqual([0, 0, 0]);
      await calls(ladder, 1);
      expect(ratesOf(ladder)).toEqual([0, 0, 0]);
    }
  });

  it('slide on: the calls of the last minute count, in every second of it', async () => {
    // Failing for a minute, then well.
    const plays = Array.from({ length: 120 }, (_, second) => (second < 60 ? down : gives('a')));
    const ladder = await openTwo(plays, gives('b'));
    const seen: number[] = [];
    for (let second = 0; second < 120; second++) {
      await ladder.goTo(second * 1_000);
      await ladder.call();
      seen.push(ratesOf(ladder)[0]!);
    }
    expect(seen.slice(0, 60).every((rate) => rate === 1)).toBe(true);
    for (let second = 60; second < 120; second++) {
      expect(seen[second]).toBeLessThan(seen[second - 1]! + 1e-9);
      expect(Math.abs(seen[second]! - (119 - second) / 60)).toBeLessThan(0.1);
    }
    expect(seen[119]).toBe(0);
  });

  it('a wall clock that is set changes nothing', async () => {
    const ladder = await openTwo([down, gives('a')], gives('b'));
    await calls(ladder, 2);
    ladder.clock.setWall(0);
    expect(ratesOf(ladder)).toEqual([0.5, 0, 0]);
    ladder.clock.setWall(Date.UTC(2099, 0, 1));
    expect(ratesOf(ladder)).toEqual([0.5, 0, 0]);
  });

  it('since is when counting began: at the start, or at the last reset', async () => {
    const clock = new TestClock();
    const ladder = await openTwo(down, gives('b'));
    expect(ladder.health.snapshot(CHAIN).since).toBe(clock.wall());
    await ladder.goTo(5_000);
    await calls(ladder, 1);
    expect(ladder.health.snapshot(CHAIN).since).toBe(clock.wall());
    ladder.health.reset(CHAIN);
    expect(ladder.health.snapshot(CHAIN)).toMatchObject({ since: clock.wall() + 5_000, failoverRate: 0 });
  });
});

describe('chains inside chains', () => {
  const clock = new TestClock();

  @Injectable()
  class Inner {
    @Fallback('spare', { name: 'inner' })
    @Degraded({ substitute: { by: 'nobody' }, mark: 'receipt' })
    async answer(isDown: boolean): Promise<{ by: string }> {
      if (isDown) throw new Error('down');
      return { by: 'inner' };
    }

    async spare(): Promise<{ by: string }> {
      throw new Error('down too');
    }
  }

  @Injectable()
  class Outer {
    @FallbackChain([from(Inner, 'answer')], { name: 'outer' })
    async answer(_isDown: boolean): Promise<{ by: string }> {
      throw new Error('the outer one is down');
    }
  }

  it('each chain counts its own calls, inner ones too', async () => {
    const { app, health } = await startApp({ providers: [Inner, Outer], options: { clock } });
    await app.get(Inner).answer(false);
    await app.get(Outer).answer(true);
    expect(health.snapshot('inner')).toMatchObject({ failoverRate: 0, degradedRate: 0.5 });
    expect(health.snapshot('outer')).toMatchObject({ failoverRate: 1, degradedRate: 1 });
  });
});
