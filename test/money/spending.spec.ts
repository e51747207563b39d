/** What counts against a chain's budget, and for how long. */
import { describe, expect, it } from '@jest/globals';
import { fails, gives, hangs } from '../support/plays.js';
import { free, paid, serve, spending, untiered } from './spending.js';

const down = new Error('down');
const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('budget: what counts', () => {
  it('attempts that failed, as receipts say', async () => {
    const ladder = await spending(
      [{ ...paid, plays: fails(down) }, { name: 'dear', plays: gives('dear'), cost: 2 }, free],
      {
        budget: { limit: 3, per: '1m' },
      },
    );
    const call = await ladder.call();
    expect([call.value, call.receipt!.cost]).toEqual(['dear', 3]);
    expect(await serve(ladder, 1)).toEqual(['free']);
  });

  it('each try of an attempt; a further one needs money too', async () => {
    const retrying = { ...paid, plays: fails(refused), retries: 5, breaker: { threshold: 9 } };
    const ladder = await spending([retrying, free], { budget: { limit: 3, per: '1h' } });
    const call = await ladder.call(undefined, 10_000);
    expect([call.value, call.receipt!.cost]).toEqual(['free', 3]);
    expect(call.receipt!.attempts).toMatchObject([{ candidate: 'paid', tries: 3, cost: 3 }, {}]);
    expect(ladder.calls.paid).toBe(3);
    expect((await ladder.call()).attempts).toEqual(['paid:skipped(budget)', 'free:ok']);
  });

  it('F21 an attempt that timed out, once, whether its answer still comes or not', async () => {
    const ladder = await spending([{ ...paid, timeout: 10, plays: [gives('late', 30), hangs] }, free]);
    expect((await ladder.call('q', 10)).attempts).toEqual(['paid:timeout', 'free:ok']);
    await ladder.goTo(40);
    expect(ladder.eventsNamed('attempt.late')).toMatchObject([{ candidate: 'paid', kind: 'paid-late' }]);
    expect((await ladder.call('q', 10)).attempts).toEqual(['paid:timeout', 'free:ok']);
    expect((await ladder.call('q', 10)).attempts).toEqual(['paid:skipped(budget)', 'free:ok']);
  });

  it('F20 an empty answer that was paid for', async () => {
    const ladder = await spending([{ ...paid, plays: gives([]) }, free]);
    expect(await serve(ladder, 3)).toEqual([[], [], 'free']);
  });

  it('not what is skipped', async () => {
    const ladder = await spending([
      { ...paid, supports: () => false },
      { ...paid, name: 'gated', on: ['denied'] },
      free,
    ]);
    await serve(ladder, 5);
    expect((await ladder.call()).attempts).toEqual(['paid:skipped(unsupported)', 'gated:skipped(gated)', 'free:ok']);
  });

  it('what is free or has no price adds nothing', async () => {
    const ladder = await spending([untiered, free]);
    expect(new Set(await serve(ladder, 10))).toEqual(new Set(['untiered']));
  });

  it('sums of prices that are no exact numbers reach it', async () => {
    const ladder = await spending([{ ...paid, cost: 0.7 }, { ...paid, cost: 0.1, name: 'second' }, free], {
      order: (names, [first]: unknown[]) => (first === 'second' ? ['second', 'paid', 'free'] : names),
      budget: { limit: 0.8, per: '1m' },
    });
    await ladder.call();
    await ladder.call('second');
    expect(0.7 + 0.1).toBeLessThan(0.8);
    expect(await serve(ladder, 1)).toEqual(['free']);
  });

  it('the attempt that reaches it may go over it: the next may not', async () => {
    const ladder = await spending([{ ...paid, cost: 1.5 }, free]);
    expect(await serve(ladder, 3)).toEqual(['paid', 'paid', 'free']);
  });

  it('Infinity is no ceiling', async () => {
    const ladder = await spending([paid], { budget: { limit: Infinity, per: '1m' } });
    expect(new Set(await serve(ladder, 9))).toEqual(new Set(['paid']));
  });
});

describe('budget: the window slides', () => {
  it('money comes back when it has been spent for as long as the window is, not before', async () => {
    const ladder = await spending([paid, free]);
    await serve(ladder, 1);
    await ladder.goTo(40_000);
    await serve(ladder, 1);
    await ladder.goTo(59_999);
    expect(await serve(ladder, 1)).toEqual(['free']);
    await ladder.goTo(60_000);
    expect(await serve(ladder, 2)).toEqual(['paid', 'free']);
    await ladder.goTo(99_999);
    expect(await serve(ladder, 1)).toEqual(['free']);
    await ladder.goTo(100_000);
    expect(await serve(ladder, 2)).toEqual(['paid', 'free']);
  });

  it('never more than the limit in any time of its length, however the calls fall', async () => {
    const ladder = await spending([paid, free], { budget: { limit: 5, per: 10_000 } });
    const paidAt: number[] = [];
    for (let at = 0; at < 60_000; at += 37) {
      await ladder.goTo(at);
      if ((await ladder.call()).value === 'paid') paidAt.push(at);
    }
    const most = paidAt.map((from) => paidAt.filter((at) => at >= from && at < from + 10_000).length);
    expect(Math.max(...most)).toBe(5);
    // An expense may count for a hundredth longer than the window, no more.
    expect(paidAt.length).toBeGreaterThanOrEqual(25);
  });

  it('runs on monotonic time', async () => {
    const ladder = await spending([paid, free]);
    await serve(ladder, 2);
    ladder.clock.setWall(ladder.clock.wall() + 86_400_000);
    expect(await serve(ladder, 1)).toEqual(['free']);
  });

  it('reset and restore bring no money', async () => {
    const ladder = await spending([paid, free]);
    await serve(ladder, 2);
    ladder.health.reset('ladder');
    expect(await serve(ladder, 1)).toEqual(['free']);
  });
});
