/** Money is put aside when an attempt is admitted: many calls at once spend no more than one after another. */
import { describe, expect, it } from '@jest/globals';
import type { CandidateOptions, ChainOptions } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import type { Call, Ladder } from '../support/ladder.js';
import { fails, gives, hangs } from '../support/plays.js';
import type { Play } from '../support/plays.js';

const down = new Error('down');
const reason = new Error('the caller has gone');
const ladderWith = (own: CandidateOptions, plays: Play, options: ChainOptions = {}): Promise<Ladder> =>
  open({
    rungs: [
      { cost: 1, ...own, name: 'paid', plays },
      { name: 'free', plays: gives('free'), cost: 0 },
    ],
    options: { budget: { limit: 3, per: '1m' }, ...options },
  });
const begin = (ladder: Ladder, times: number, signal?: AbortSignal): Call[] =>
  Array.from({ length: times }, () => ladder.begin('q', signal));
const valuesOf = (calls: Call[]) => calls.map(({ value }) => value);

describe('budget: calls at once', () => {
  it.each<[string, CandidateOptions]>([
    ['nothing before it', {}],
    ['a supports that thinks', { supports: async () => true }],
    ['a gate', { on: () => true }],
  ])('%s: no more attempts than the limit allows', async (_what, own) => {
    const isGated = own.on !== undefined;
    const ladder = await open({
      rungs: [
        ...(isGated ? [{ name: 'first', plays: fails(down), cost: 0, breaker: { threshold: 99 } }] : []),
        { cost: 1, ...own, name: 'paid', plays: gives('paid', 100) },
        { name: 'free', plays: gives('free'), cost: 0 },
      ],
      options: { budget: { limit: 3, per: '1m' } },
    });
    const calls = begin(ladder, 10);
    await ladder.clock.advance(100);
    expect(ladder.calls.paid).toBe(3);
    expect(valuesOf(calls).filter((value) => value === 'paid')).toHaveLength(3);
    expect(valuesOf(calls).filter((value) => value === 'free')).toHaveLength(7);
  });

  it('the limit is passed by the one attempt that reaches it, not by one each', async () => {
    const ladder = await ladderWith({ cost: 2 }, gives('paid', 100));
    begin(ladder, 10);
    await ladder.clock.advance(100);
    expect(ladder.calls).toEqual({ paid: 2, free: 8 });
  });

  it('those that fail have cost the same', async () => {
    const ladder = await ladderWith({ breaker: { threshold: 99 } }, fails(down, 100));
    begin(ladder, 3);
    await ladder.clock.advance(100);
    begin(ladder, 3);
    await ladder.clock.advance(100);
    expect(ladder.calls).toEqual({ paid: 3, free: 6 });
  });

  it('those whose callers left have cost the same', async () => {
    const ladder = await ladderWith({}, hangs);
    const caller = new AbortController();
    const calls = begin(ladder, 3, caller.signal);
    await ladder.clock.advance(10);
    caller.abort(reason);
    await ladder.clock.advance(0);
    expect(calls.map(({ error }) => error)).toEqual([reason, reason, reason]);
    expect((await ladder.call()).value).toBe('free');
  });
});

describe('budget: what was put aside for a call that was never made is given back', () => {
  it('a timeout function that gives nonsense', async () => {
    const answers: unknown[] = [0, -1, 'soon', NaN, '10ms'];
    const ladder = await ladderWith({ timeout: (() => answers.shift()) as never }, gives('paid'));
    for (let nth = 0; nth < 4; nth++) {
      const { value, receipt } = await ladder.call();
      expect(value).toBe('free');
      expect(receipt).toMatchObject({ cost: 0, attempts: [{ candidate: 'paid', kind: 'timeout' }, {}] });
      expect(receipt!.attempts[0]).not.toHaveProperty('cost');
    }
    expect((await ladder.call()).value).toBe('paid');
    expect(ladder.calls.paid).toBe(1);
  });

  it('a timeout function that ends the call', async () => {
    const callers = Array.from({ length: 5 }, () => new AbortController());
    let nth = 0;
    const timeout = () => {
      callers[nth++]?.abort(reason);
      return 10;
    };
    const ladder = await ladderWith({ timeout }, gives('paid'));
    for (const { signal } of callers) {
      const call = ladder.begin('q', signal);
      await ladder.clock.advance(0);
      expect(call.error).toBe(reason);
    }
    expect(ladder.calls.paid).toBe(0);
    expect((await ladder.call()).value).toBe('paid');
  });

  it('a supports that outlives the deadline, or says no', async () => {
    const answers = [hangs, hangs, hangs, hangs, async () => false, async () => false, async () => true] as const;
    let nth = 0;
    const supports = () => answers[nth++]!(undefined as never, undefined as never, []) as Promise<boolean>;
    const ladder = await ladderWith({ supports }, gives('paid'), { deadline: 10 });
    for (let call = 0; call < 6; call++) await ladder.call('q', 10);
    expect(ladder.calls.paid).toBe(0);
    expect((await ladder.call('q', 10)).value).toBe('paid');
  });

  it('money that is given back is there for the next', async () => {
    const answers: unknown[] = ['10ms', 'soon', '10ms', 'soon', '10ms', '10ms'];
    const ladder = await ladderWith({ timeout: (() => answers.shift()) as never }, gives('paid'));
    const calls = begin(ladder, 6);
    await ladder.clock.advance(0);
    // Whoever comes in the same moment finds it: nothing was ever spent.
    expect(valuesOf(calls)).toEqual(['paid', 'free', 'paid', 'free', 'paid', 'free']);
  });
});
