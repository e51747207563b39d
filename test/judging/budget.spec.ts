import { describe, expect, it } from '@jest/globals';
import { budgetExhausted, receiptOf } from '../../lib/index.js';
import type { DegradedOptions } from '../../lib/index.js';
import { attemptsOf, open } from '../support/ladder.js';
import type { Setup } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';

const spent = budgetExhausted('the money of the day is spent');
const blip = new Error('blip');
const thin = { hits: 0 };
const assess = (value: unknown) => (value === thin ? 'thin' : undefined);
const ladderOf = (rungs: Setup['rungs'], degraded?: DegradedOptions) =>
  open({ rungs, options: { assess, breaker: { threshold: 1 } }, ...(degraded && { degraded }) });

describe('F17 our own spend ceiling', () => {
  it.each([
    ['untiered', undefined],
    ['paid', 0.002],
  ])('F17 the budget error itself; a %s candidate is not tried and leaves no record', async (_tier, cost) => {
    const ladder = await ladderOf([
      { name: 'a', plays: fails(spent) },
      { name: 'b', plays: gives('b'), ...(cost !== undefined && { cost }) },
    ]);
    const call = await ladder.call();
    expect(call.error).toBe(spent);
    expect(ladder.calls).toEqual({ a: 1, b: 0 });
    expect(ladder.circuits).toEqual({ a: 'closed 0', b: 'closed 0' });
    expect(attemptsOf(receiptOf(spent)!)).toEqual(['a:budget']);
    expect(receiptOf(spent)).toMatchObject({ servedBy: null, degraded: false, stoppedBy: 'budget' });
    expect(ladder.eventsNamed('call.stopped')).toMatchObject([{ kind: 'budget' }]);
  });

  it('F17 a free candidate is still tried, and answers in full', async () => {
    const ladder = await ladderOf([
      { name: 'a', plays: fails(spent) },
      { name: 'paid', plays: gives('paid'), cost: 1 },
      { name: 'free', plays: gives('free'), cost: 0 },
    ]);
    const call = await ladder.call();
    expect(call.value).toBe('free');
    expect(call.attempts).toEqual(['a:budget', 'free:ok']);
    expect(call.receipt).toMatchObject({ servedBy: 'free', degraded: false, failedOver: true });
    expect(ladder.calls.paid).toBe(0);
  });

  it('F17 the free one fails too: the budget error', async () => {
    const ladder = await ladderOf([
      { name: 'a', plays: fails(spent) },
      { name: 'free', plays: fails(blip), cost: 0 },
      { name: 'untiered', plays: gives('u') },
    ]);
    const call = await ladder.call();
    expect(call.error).toBe(spent);
    expect(attemptsOf(receiptOf(spent)!)).toEqual(['a:budget', 'free:transient']);
    expect(ladder.calls.untiered).toBe(0);
  });

  it.each(['before', 'after'])('F17 a thin answer held %s: it is returned, degraded', async (when) => {
    const held = { name: 'thin', plays: gives(thin), cost: 0 };
    const over = { name: 'over', plays: fails(spent) };
    const rungs = when === 'before' ? [held, over] : [over, held];
    const ladder = await ladderOf([...rungs, { name: 'b', plays: gives('b') }]);
    const call = await ladder.call();
    expect(call.value).toBe(thin);
    expect(call.receipt).toMatchObject({ servedBy: 'thin', source: 'candidate', degraded: true, stoppedBy: 'budget' });
    expect(ladder.calls.b).toBe(0);
  });

  it('F17 a substitute is served, degraded', async () => {
    const ladder = await ladderOf(
      [
        { name: 'a', plays: fails(spent) },
        { name: 'b', plays: gives('b') },
      ],
      { substitute: 'popular' },
    );
    const call = await ladder.call();
    expect(call.value).toBe('popular');
    expect(call.receipt).toMatchObject({
      servedBy: null,
      source: 'static',
      degraded: true,
      stoppedBy: 'budget',
      reason: 'budget',
    });
    expect(call.attempts).toEqual(['a:budget']);
    expect(ladder.calls.b).toBe(0);
  });

  it('F17 no paid candidate is tried as the last resort either', async () => {
    const ladder = await ladderOf([
      { name: 'open', plays: fails(blip) },
      { name: 'over', plays: [gives('fine'), fails(spent)] },
    ]);
    expect((await ladder.call()).value).toBe('fine');
    expect(ladder.circuits.open).toBe('open 1 for 5000');
    expect((await ladder.call()).error).toBe(spent);
    expect(ladder.calls).toEqual({ open: 1, over: 2 });
  });

  it('F17 a ceiling that is said by a probe frees the probe', async () => {
    const ladder = await ladderOf([
      { name: 'a', plays: [fails(blip), fails(spent), gives('a')] },
      { name: 'b', plays: gives('b') },
    ]);
    await ladder.call();
    await ladder.goTo(5_000);
    expect((await ladder.call()).error).toBe(spent);
    expect((await ladder.call()).value).toBe('a');
    expect(ladder.circuits.a).toBe('closed 0');
  });
});
