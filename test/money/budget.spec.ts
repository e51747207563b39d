/** Our own ceiling on what a chain spends: what counts, for how long, and what happens when it is reached. */
import { describe, expect, it } from '@jest/globals';
import { BudgetExhaustedError, FallbackExhaustedError, receiptOf } from '../../lib/index.js';
import type { ChainOptions } from '../../lib/index.js';
import { attemptsOf, open } from '../support/ladder.js';
import type { Ladder, Setup } from '../support/ladder.js';
import { fails, gives, hangs } from '../support/plays.js';

const down = new Error('down');
const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const budget = { limit: 2, per: '1m' } as const;
const paid = { name: 'paid', plays: gives('paid'), cost: 1 };
const free = { name: 'free', plays: gives('free'), cost: 0 };
const untiered = { name: 'untiered', plays: gives('untiered') };

const spending = (rungs: Setup['rungs'], options: ChainOptions = {}, more: Omit<Setup, 'rungs' | 'options'> = {}) =>
  open({ rungs, options: { budget, ...options }, ...more });
/** What so many calls gave, one after another. */
async function serve(ladder: Ladder, times: number): Promise<unknown[]> {
  const given: unknown[] = [];
  for (let nth = 0; nth < times; nth++) {
    const { outcome } = await ladder.call();
    given.push('value' in outcome! ? outcome.value : (outcome as { error: { code?: string } }).error.code);
  }
  return given;
}

describe('budget: when it is reached', () => {
  it.each([true, false])('watched %s: what costs is skipped, what is free goes on', async (isWatched) => {
    const ladder = await spending([paid, untiered, free], {}, { isWatched });
    expect(await serve(ladder, 4)).toEqual(['paid', 'paid', 'free', 'free']);
    expect(ladder.calls).toEqual({ paid: 2, untiered: 0, free: 2 });
    expect(ladder.circuits).toEqual({ paid: 'closed 0', untiered: 'closed 0', free: 'closed 0' });
    expect(ladder.health.snapshot('ladder').candidates.map(({ counts }) => counts)).toEqual([
      { ok: 2, budget: 2 },
      { budget: 2 },
      { ok: 2 },
    ]);
  });

  it('the receipt says who was skipped and why; a free answer is whole, and a failover', async () => {
    const ladder = await spending([paid, untiered, free]);
    await serve(ladder, 2);
    const { receipt, attempts } = await ladder.call();
    expect(attempts).toEqual(['paid:skipped(budget)', 'untiered:skipped(budget)', 'free:ok']);
    expect(receipt).toMatchObject({ servedBy: 'free', failedOver: true, degraded: false, cost: 0 });
    expect(receipt).not.toHaveProperty('stoppedBy');
    expect(ladder.eventsNamed('attempt.skipped')).toMatchObject([
      { candidate: 'paid', reason: 'budget' },
      { candidate: 'untiered', reason: 'budget' },
    ]);
  });

  it('nobody is free: exhausted, like any call that nobody answered', async () => {
    const ladder = await spending([paid, untiered]);
    await serve(ladder, 2);
    const { error } = await ladder.call();
    expect(error).toBeInstanceOf(FallbackExhaustedError);
    expect((error as Error).message).toBe('All 2 fallback candidates failed (paid: budget; untiered: budget)');
  });

  it('a substitute is served, because of the budget', async () => {
    const ladder = await spending([paid], {}, { degraded: { substitute: 'popular', on: ['budget'] } });
    await serve(ladder, 2);
    const { value, receipt } = await ladder.call();
    expect(value).toBe('popular');
    expect(receipt).toMatchObject({ source: 'static', degraded: true, reason: 'budget', servedBy: null });
  });

  it('a free candidate may answer for a spent budget only', async () => {
    const ladder = await spending([paid, { ...free, on: ['budget'] }]);
    expect(await serve(ladder, 3)).toEqual(['paid', 'paid', 'free']);
  });

  it('who does not support the arguments, or is gated, is that, and not too dear', async () => {
    const ladder = await spending([
      paid,
      { ...untiered, supports: () => false },
      { ...paid, name: 'gated', on: ['denied'] },
      free,
    ]);
    await serve(ladder, 2);
    expect((await ladder.call()).attempts).toEqual([
      'paid:skipped(budget)',
      'untiered:skipped(unsupported)',
      'gated:skipped(gated)',
      'free:ok',
    ]);
  });

  it('who is open is too dear all the same, takes no probe, and is no last resort', async () => {
    const ladder = await spending([
      { ...paid, cost: 2, plays: [fails(down), gives('paid')], breaker: { threshold: 1 } },
      { ...free, plays: fails(down) },
    ]);
    expect(await serve(ladder, 2)).toEqual(['FALLBACK_EXHAUSTED', 'FALLBACK_EXHAUSTED']);
    await ladder.goTo(5_000);
    const { error } = await ladder.call();
    expect(attemptsOf(receiptOf(error as object)!)).toEqual(['paid:skipped(budget)', 'free:transient']);
    expect(ladder.calls.paid).toBe(1);
    await ladder.goTo(60_000);
    expect((await ladder.call()).value).toBe('paid');
  });

  it('is reached while others were tried: no last resort either', async () => {
    const ladder = await spending(
      [
        { ...paid, name: 'open', plays: [fails(down), gives('open')], breaker: { threshold: 1 } },
        { ...paid, plays: fails(down) },
      ],
      { budget: { limit: 3, per: '1m' } },
    );
    await ladder.call();
    const { error } = await ladder.call();
    expect(attemptsOf(receiptOf(error as object)!)).toEqual(['open:skipped(cooling)', 'paid:transient']);
    expect(ladder.calls).toEqual({ open: 1, paid: 2 });
  });
});

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

describe("onBudget: 'stop'", () => {
  const stopping = (rungs: Setup['rungs'], more: Omit<Setup, 'rungs' | 'options'> = {}) =>
    spending(rungs, { onBudget: 'stop', assess: (value: unknown) => (value === 'thin' ? 'thin' : undefined) }, more);

  it('the call ends with BudgetExhaustedError; not even free candidates are tried', async () => {
    const ladder = await stopping([paid, free]);
    await serve(ladder, 2);
    const { error } = await ladder.call();
    expect(error).toBeInstanceOf(BudgetExhaustedError);
    expect(error).toMatchObject({ code: 'BUDGET_EXHAUSTED', name: 'BudgetExhaustedError' });
    const receipt = receiptOf(error as object)!;
    expect(receipt).toMatchObject({ servedBy: null, degraded: false, stoppedBy: 'budget', reason: 'budget', cost: 0 });
    expect(attemptsOf(receipt)).toEqual(['paid:skipped(budget)']);
    expect(ladder.calls).toEqual({ paid: 2, free: 0 });
    expect(ladder.eventsNamed('call.stopped')).toMatchObject([{ kind: 'budget' }]);
    expect(ladder.circuits).toEqual({ paid: 'closed 0', free: 'closed 0' });
  });

  it('a free one before it answers as ever', async () => {
    const ladder = await stopping([{ ...free, plays: [fails(down), fails(down), gives('free')] }, paid, untiered]);
    expect(await serve(ladder, 3)).toEqual(['paid', 'paid', 'free']);
  });

  it.each([
    ['thin', { degraded: true, stoppedBy: 'budget', servedBy: 'free' }],
    [[], { degraded: false, servedBy: 'free' }],
  ])('an answer that is held (%j) is served first', async (held, wanted) => {
    const ladder = await stopping([{ ...free, plays: gives(held) }, paid, untiered]);
    await serve(ladder, 2);
    const { value, receipt, attempts } = await ladder.call();
    expect(value).toEqual(held);
    expect(receipt).toMatchObject(wanted);
    expect(attempts.slice(1)).toEqual(['paid:skipped(budget)']);
  });

  it('a substitute is served first', async () => {
    const ladder = await stopping([paid, free], { degraded: { substitute: 'popular', on: ['budget'] } });
    await serve(ladder, 2);
    const { value, receipt } = await ladder.call();
    expect(value).toBe('popular');
    expect(receipt).toMatchObject({ source: 'static', degraded: true, reason: 'budget', stoppedBy: 'budget' });
    expect(ladder.calls.free).toBe(0);
  });

  it('no open candidate is tried as the last resort', async () => {
    const ladder = await stopping([
      { ...free, plays: [fails(down), gives('free')], breaker: { threshold: 1 } },
      { ...paid, cost: 2 },
    ]);
    expect(await serve(ladder, 2)).toEqual(['paid', 'BUDGET_EXHAUSTED']);
    expect(ladder.calls.free).toBe(1);
  });

  it('goes on when there is money again', async () => {
    const ladder = await stopping([paid]);
    expect(await serve(ladder, 3)).toEqual(['paid', 'paid', 'BUDGET_EXHAUSTED']);
    await ladder.goTo(60_000);
    expect(await serve(ladder, 1)).toEqual(['paid']);
  });
});
