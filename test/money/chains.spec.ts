/** One ledger for each chain, whatever its calls look like; order and budget of chains inside chains and of plain functions. */
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  BudgetExhaustedError,
  FallbackModule,
  FallbackService,
  createFallbackChain,
  receiptOf,
} from '../../lib/index.js';
import type { CoreOptions } from '../../lib/index.js';
import { boot, closeAll } from '../support/apps.js';
import { attemptsOf } from '../support/ladder.js';
import { TestClock } from '../support/test-clock.js';

const budget = { limit: 2, per: '1m' } as const;
const paid = { name: 'paid', run: () => 'paid', cost: 1 };
const free = { name: 'free', run: () => 'free', cost: 0 };
const chainOf = (options: CoreOptions<string> = {}) =>
  createFallbackChain<string>([paid, free], { name: 'inner', budget, ...options });
async function elementsOf(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const elements: unknown[] = [];
  for await (const element of stream) elements.push(element);
  return elements;
}

describe('budget: one ledger for a chain', () => {
  afterEach(closeAll);

  it('options of a call change the ceiling, not what was spent', async () => {
    const chain = chainOf();
    expect([await chain.run(), await chain.run(), await chain.run()]).toEqual(['paid', 'paid', 'free']);
    expect(await chain.run({ timeout: '1s' })).toBe('free');
    expect(await chain.run({ budget: { limit: 3, per: '1m' } })).toBe('paid');
    expect(await chain.run({ budget: { limit: 3, per: '1m' } })).toBe('free');
    const error: unknown = await chain.run({ onBudget: 'stop' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BudgetExhaustedError);
    expect(attemptsOf(receiptOf(error)!)).toEqual(['paid:skipped(budget)']);
  });

  it('a call with another window looks as far back, and what it spends counts for all', async () => {
    const clock = new TestClock();
    const chain = chainOf({ clock });
    await chain.run();
    await chain.run();
    await clock.advance(30_000);
    expect(await chain.run()).toBe('free');
    expect(await chain.run({ budget: { limit: 1, per: '10s' } })).toBe('paid');
    await clock.advance(31_000);
    expect(await chain.run({ budget: { limit: 3, per: '2m' } })).toBe('free');
    expect([await chain.run(), await chain.run()]).toEqual(['paid', 'free']);
  });

  it('streams of the chain spend the same money', async () => {
    const streams = createFallbackChain<string>(
      [
        { ...paid, run: () => ['paid'] },
        { ...free, run: () => ['free'] },
      ],
      { budget },
    );
    expect(await elementsOf(streams.stream())).toEqual(['paid']);
    expect(await streams.run()).toEqual(['paid']);
    expect(await elementsOf(streams.stream({ timeout: '1s' }))).toEqual(['free']);
    expect(await streams.run()).toEqual(['free']);
  });

  it('reset() brings no money', async () => {
    const chain = chainOf();
    await chain.run();
    await chain.run();
    chain.reset();
    expect(await chain.run()).toBe('free');
  });

  it('an application that registers a chain has a ledger of its own, for all who call it there', async () => {
    const chain = chainOf();
    const outer = createFallbackChain<string>([chain], { name: 'outer' });
    const app = await boot({ imports: [FallbackModule.forFeature({ chains: [chain, outer] })] });
    const fallback = app.get(FallbackService);
    expect(await fallback.run('inner')).toBe('paid');
    expect(await fallback.run('outer')).toBe('paid');
    expect(await fallback.run('inner')).toBe('free');
    expect(await fallback.run('outer')).toBe('free');
    expect(await chain.run()).toBe('paid');
  });
});

describe('chains in chains', () => {
  it('an inner chain that is too dear lets its free candidate answer', async () => {
    const chain = chainOf();
    const outer = createFallbackChain<string>([chain, () => 'other']);
    expect([await outer.run(), await outer.run(), await outer.run()]).toEqual(['paid', 'paid', 'free']);
  });

  it('and without one it is a failure like any other', async () => {
    const inner = createFallbackChain<string>([paid], { name: 'inner', budget });
    const outer = createFallbackChain<string>([inner, () => 'other']);
    expect([await outer.run(), await outer.run(), await outer.run()]).toEqual(['paid', 'paid', 'other']);
  });

  it("with 'stop' the outer spends no money either", async () => {
    const inner = createFallbackChain<string>([paid], { name: 'inner', budget, onBudget: 'stop' });
    const outer = createFallbackChain<string>([inner, { name: 'untiered', run: () => 'untiered' }, free]);
    expect([await outer.run(), await outer.run(), await outer.run()]).toEqual(['paid', 'paid', 'free']);
  });

  it('each has its own order', async () => {
    const inner = createFallbackChain<string>([paid, free], { name: 'inner', order: 'cost' });
    const outer = createFallbackChain<string>([() => 'other', inner], { order: (names) => names.toReversed() });
    expect(await outer.run()).toBe('free');
  });
});

describe('order: plain functions', () => {
  it("onAttempt says the declared place; 'cost' holds for streams too", async () => {
    const heard: unknown[] = [];
    const chain = createFallbackChain<string>(
      [
        { ...paid, run: () => ['paid'] },
        { ...free, run: () => ['free'] },
      ],
      { order: 'cost', onAttempt: ({ candidate, index, attempt }) => heard.push([candidate, index, attempt]) },
    );
    expect(await elementsOf(chain.stream())).toEqual(['free']);
    expect(await chain.run()).toEqual(['free']);
    expect(heard).toEqual([
      ['free', 1, 0],
      ['free', 1, 0],
    ]);
    expect(chain.health().map(({ candidate }) => candidate)).toEqual(['paid', 'free']);
  });
});
