/** In which order candidates are tried: as declared, by price. The functions have a file of their own. */
import { describe, expect, it } from '@jest/globals';
import { receiptOf } from '../../lib/index.js';
import type { CandidateOptions, ChainOptions } from '../../lib/index.js';
import { attemptsOf, open } from '../support/ladder.js';
import type { Setup } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';
import type { Play } from '../support/plays.js';

const down = new Error('down');
const rung = (name: string, cost: number | undefined, plays: Play = fails(down), own: CandidateOptions = {}) => {
  return { ...own, name, plays, ...(cost !== undefined && { cost }) };
};
const byCost = (rungs: Setup['rungs'], more: Omit<Setup, 'rungs'> = {}) =>
  open({ rungs, ...more, options: { order: 'cost', ...more.options } });
const triedOf = async (rungs: Setup['rungs'], options: ChainOptions = {}) => {
  const ladder = await open({ rungs, options });
  return attemptsOf(receiptOf((await ladder.call()).error)!);
};
const five = [rung('dear', 3), rung('unknown', undefined), rung('free', 0), rung('same', 3), rung('cheap', 0.5)];

describe("order: 'cost'", () => {
  it('the cheapest first, equals as declared, who has no price last', async () => {
    const transient = (names: string[]) => names.map((name) => `${name}:transient`);
    expect(await triedOf(five, { order: 'cost' })).toEqual(transient(['free', 'cheap', 'dear', 'same', 'unknown']));
    const declared = transient(['dear', 'unknown', 'free', 'same', 'cheap']);
    expect(await triedOf(five, { order: 'declared' })).toEqual(declared);
    expect(await triedOf(five)).toEqual(declared);
  });

  it('without a price anywhere it is the declared order', async () => {
    const rungs = [rung('a', undefined), rung('b', undefined), rung('c', undefined)];
    expect(await triedOf(rungs, { order: 'cost' })).toEqual(['a:transient', 'b:transient', 'c:transient']);
  });

  it.each([true, false])(
    'watched %s: one candidate is called, and its place is the declared one',
    async (isWatched) => {
      const ladder = await byCost([rung('a', 1, gives('a')), rung('b', 0, gives({ of: 'b' }))], { isWatched });
      const call = await ladder.call();
      expect(call.value).toEqual({ of: 'b' });
      expect(ladder.calls).toEqual({ a: 0, b: 1 });
      expect(receiptOf(call.value as object)).toMatchObject({
        servedBy: 'b',
        failedOver: false,
        degraded: false,
        cost: 0,
        attempts: [{ candidate: 'b', index: 1, attempt: 0, kind: 'ok' }],
      });
      expect(ladder.health.snapshot('ladder')).toMatchObject({
        candidates: [{ candidate: 'a', neverServed: true }, { candidate: 'b' }],
        failoverRate: 0,
      });
    },
  );

  it('failedOver: candidate 0 answers when a cheaper one failed', async () => {
    const ladder = await byCost([rung('a', 1, gives('a')), rung('b', 0)]);
    const { value, receipt, attempts } = await ladder.call();
    expect([value, attempts]).toEqual(['a', ['b:transient', 'a:ok']]);
    expect(receipt).toMatchObject({ failedOver: true, cost: 1 });
    expect(receipt!.attempts).toMatchObject([
      { index: 1, attempt: 0 },
      { index: 0, attempt: 1 },
    ]);
  });

  it('plausible: a cheaper one that does not support the arguments is no failover', async () => {
    const ladder = await byCost([rung('a', 1, gives('a')), rung('b', 0, gives('b'), { supports: () => false })]);
    const call = await ladder.call();
    expect([call.value, call.attempts]).toEqual(['a', ['b:skipped(unsupported)', 'a:ok']]);
    expect(call.receipt!.failedOver).toBe(false);
  });

  it('F20 a cheaper empty answer leads on, one that was paid for ends, a pricier one is not asked', async () => {
    const ladder = await byCost([
      rung('dear', 2, gives(['x'])),
      rung('paid', 1, gives([])),
      rung('free', 0, gives([])),
    ]);
    const call = await ladder.call();
    expect([call.value, call.attempts]).toEqual([[], ['free:empty', 'paid:empty']]);
    expect(call.receipt).toMatchObject({ degraded: false, cost: 1 });
    expect(ladder.calls.dear).toBe(0);
  });

  it('the last resort goes the same way', async () => {
    const back = { of: 'b' };
    const ladder = await byCost([rung('a', 1), rung('b', 0, [fails(down), gives(back)])], {
      options: { breaker: { threshold: 1 } },
    });
    await ladder.call();
    const call = await ladder.call();
    expect([call.value, call.attempts]).toEqual([back, ['a:skipped(cooling)', 'b:ok']]);
    expect(ladder.calls).toEqual({ a: 1, b: 2 });
  });

  it('candidate 0 alone was asked, though not first, and others are gated: its own error', async () => {
    const ladder = await byCost([rung('a', 1), rung('b', 0, gives('b'), { on: ['timeout'] })]);
    expect((await ladder.call()).error).toBe(down);
  });

  it('a gate of a pricier one asks for the failure of a cheaper one', async () => {
    const ladder = await byCost([rung('a', 1, gives('a'), { on: ['transient'] }), rung('b', 0)]);
    expect((await ladder.call()).attempts).toEqual(['b:transient', 'a:ok']);
  });

  it('prices of overrides count, and so does an order that stands there', async () => {
    const module = { overrides: { ladder: { order: 'cost' as const, candidates: { c: { cost: 0.1 } } } } };
    const rungs = [rung('a', 1, gives('a')), rung('b', 0.5, gives('b')), rung('c', 2, gives('c'))];
    const ladder = await open({ rungs, module });
    expect((await ladder.call()).value).toBe('c');
  });

  it('in the defaults of the application', async () => {
    const module = { defaults: { order: 'cost' as const } };
    const ladder = await open({ rungs: [rung('a', 1, gives('a')), rung('b', 0, gives('b'))], module });
    expect((await ladder.call()).value).toBe('b');
  });
});
