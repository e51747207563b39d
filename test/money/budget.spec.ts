/** Our own ceiling on what a chain spends: what happens when it is reached. What counts has a file of its own. */
import { describe, expect, it } from '@jest/globals';
import { BudgetExhaustedError, FallbackExhaustedError, receiptOf } from '../../lib/index.js';
import { attemptsOf } from '../support/ladder.js';
import type { Setup } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';
import { free, paid, serve, spending, untiered } from './spending.js';

const down = new Error('down');

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
    expect(attemptsOf(receiptOf(error)!)).toEqual(['paid:skipped(budget)', 'free:transient']);
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
    expect(attemptsOf(receiptOf(error)!)).toEqual(['open:skipped(cooling)', 'paid:transient']);
    expect(ladder.calls).toEqual({ open: 1, paid: 2 });
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
    const receipt = receiptOf(error)!;
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
