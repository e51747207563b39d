/** What start-up says of orders, prices and budgets: faults, lines, warnings, descriptions. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { createFallbackChain } from '../../lib/core/index.js';
import { ChainHealthService } from '../../lib/index.js';
import type { FallbackModuleOptions } from '../../lib/index.js';
import { boot, closeAll } from '../support/apps.js';
import { said } from '../support/boot-log.js';
import { faultsOf, hostWith } from '../support/faulty.js';
import { closeApps } from '../support/nest-app.js';

const budget = { limit: 5, per: '1h' } as const;
const faults = (options: unknown, fallback: FallbackModuleOptions = {}) =>
  faultsOf(() => boot({ providers: [hostWith({ candidates: ['backup'], options })], fallback }));
const inCore = (options: object) => faultsOf(() => createFallbackChain([() => 'a'], { name: 'c', ...options }));

describe('what cannot work', () => {
  afterEach(closeAll);

  it.each<[string, object, string, RegExp]>([
    ['an unknown word', { order: 'price' }, 'order', /^give 'declared', 'cost', or a function .*got 'price'$/],
    ['a list', { order: ['backup'] }, 'order', /got an array$/],
    ['no object', { budget: 5 }, 'budget', /^give an object with options; got 5$/],
    ['null', { budget: null }, 'budget', /^give an object/],
    ['no window', { budget: { limit: 5 } }, 'budget.per', /^a budget needs both: /],
    ['no limit', { budget: { per: '1h' } }, 'budget.limit', /^a budget needs both: /],
    ['a limit of zero', { budget: { ...budget, limit: 0 } }, 'budget.limit', /^give .*above 0.*got 0$/],
    ['a negative limit', { budget: { ...budget, limit: -1 } }, 'budget.limit', /got -1$/],
    ['a limit that is no number', { budget: { ...budget, limit: NaN } }, 'budget.limit', /got NaN$/],
    ['a limit in words', { budget: { ...budget, limit: '5' } }, 'budget.limit', /got '5'$/],
    ['a window of zero', { budget: { ...budget, per: 0 } }, 'budget.per', /^give a positive number of ms/],
    ['a negative window', { budget: { ...budget, per: -5 } }, 'budget.per', /got -5$/],
    ['a window without a unit', { budget: { ...budget, per: '60' } }, 'budget.per', /got '60'$/],
    ['a window without an end', { budget: { ...budget, per: Infinity } }, 'budget.per', /got Infinity$/],
    ['a misspelt option', { budget: { ...budget, every: '1h' } }, 'budget.every', /^there is no such option/],
    ['another word', { budget, onBudget: 'pay' }, 'onBudget', /^give one of 'free', 'stop'; got 'pay'$/],
    ['onBudget without a budget', { onBudget: 'stop' }, 'onBudget', /^onBudget counts with a budget only; add budget/],
    ['a negative price', { cost: -1 }, 'cost', /^give the price of one call, a number from 0 up; got -1$/],
    ['a price that is no number', { cost: NaN }, 'cost', /got NaN$/],
  ])('%s', async (_what, options, option, message) => {
    const found = [{ option, message: expect.stringMatching(message) as unknown }];
    expect(await faults(options)).toEqual(found.map((fault) => ({ where: 'Host.read', ...fault })));
    expect(await inCore(options)).toEqual(found.map((fault) => ({ where: 'c', ...fault })));
  });

  it('an empty budget: both are missing', async () => {
    expect((await faults({ budget: {} })).map(({ option }) => option)).toEqual(['budget.limit', 'budget.per']);
  });

  it('in overrides, which give a budget whole', async () => {
    const overrides = { 'Host.read': { budget: { limit: 1 } as never } };
    expect((await faults({ budget }, { overrides })).map(({ option }) => option)).toEqual(['budget.per']);
  });

  it('onBudget in overrides, of a chain without a budget', async () => {
    const overrides = { 'Host.read': { onBudget: 'stop' } as const };
    expect((await faults({}, { overrides })).map(({ option }) => option)).toEqual(['onBudget']);
  });

  it('onBudget in the defaults is for chains that have a budget', async () => {
    const hosts = [hostWith({ options: { budget } }, 'One'), hostWith({ candidates: ['backup'] }, 'Other')];
    const app = await boot({ providers: hosts, fallback: { defaults: { onBudget: 'stop' } } });
    const health = app.get(ChainHealthService);
    expect(health.describe('One.read').budget).toEqual({
      limit: { value: 5, origin: 'chain options' },
      per: { value: 3_600_000, origin: 'chain options' },
      onBudget: { value: 'stop', origin: 'forRoot defaults' },
    });
    expect(health.describe('Other.read').budget).toBeNull();
  });
});

describe('what is said of what works', () => {
  afterEach(async () => {
    await closeAll();
    await closeApps();
  });

  it('describe: the order and who gave it, candidates as declared, the arithmetic as they are tried', async () => {
    const options = { timeout: 100, primary: { cost: 2 }, order: 'cost', budget: { limit: Infinity, per: '1m' } };
    const overrides = { computed: { order: (names: readonly string[]) => names } };
    const hosts = [
      hostWith({ candidates: [{ method: 'backup', cost: 0 }], options: { ...options, name: 'cost' } }, 'One'),
      hostWith({ candidates: ['backup'], options: { ...options, name: 'computed' } }, 'Other'),
      hostWith({ candidates: ['backup'], options: { name: 'bare' } }, 'Bare'),
    ];
    const health = (await boot({ providers: hosts, fallback: { overrides } })).get(ChainHealthService);
    const described = health.describe('cost');
    expect(described).toMatchObject({
      order: { value: 'cost', origin: 'chain options' },
      budget: {
        limit: { value: null, origin: 'chain options' },
        per: { value: 60_000 },
        onBudget: { value: 'free', origin: 'built-in default' },
      },
      candidates: [
        { candidate: 'read', index: 0 },
        { candidate: 'backup', index: 1 },
      ],
      worstCase: { arithmetic: 'backup 100 ms + read 100 ms = 200 ms', price: 2 },
    });
    expect(JSON.parse(JSON.stringify(described))).toEqual(described);
    expect(health.describe('computed').order).toEqual({ value: 'computed', origin: 'overrides' });
    expect(health.describe('bare')).toMatchObject({
      order: { value: 'declared', origin: 'built-in default' },
      budget: null,
    });
  });

  it('the line of a chain shows who is tried first, and the budget', async () => {
    const chain = { candidates: [{ method: 'backup', cost: 0 }], options: { timeout: 100, order: 'cost', budget } };
    expect((await said([chain])).log).toEqual([
      'Chain {Host0.read}: backup (100 ms) → read (100 ms); budget 5 per 3600000 ms',
    ]);
  });

  it('and that nobody knows beforehand', async () => {
    const chain = { candidates: ['backup'], options: { timeout: 100, order: (names: string[]) => names } };
    expect((await said([chain])).log).toEqual(['Chain {Host0.read}: read (100 ms) → backup (100 ms); computed order']);
  });

  it.each<[string, unknown, string]>([
    ['declared', 'declared', 'read'],
    ['cost', 'cost', 'backup'],
    ['computed', (names: string[]) => names, 'read, backup'],
  ])('order %s: who can hang is whoever is followed', async (_what, order, names) => {
    const { warn } = await said([{ candidates: [{ method: 'backup', cost: 0 }], options: { order } }]);
    expect(warn).toEqual([expect.stringContaining(`Host0.read: a candidate that hangs`)]);
    expect(warn[0]).toContain(`(${names})`);
  });

  it('who is tried last takes what is left of the deadline, wherever it was declared', async () => {
    const candidates = [{ method: 'backup', cost: 0, timeout: 100 }];
    expect((await said([{ candidates, options: { order: 'cost', deadline: 200 } }])).warn).toEqual([]);
    expect((await said([{ candidates, options: { deadline: 200 } }])).warn).toHaveLength(1);
  });
});
