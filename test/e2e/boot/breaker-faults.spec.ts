import { afterEach, describe, expect, it } from '@jest/globals';
import { createFallbackChain } from '../../../lib/core/index.js';
import type { BreakerOptions, CandidateOptions, ChainOptions, FallbackModuleOptions } from '../../../lib/index.js';
import { boot, closeAll } from '../../support/apps.js';
import { faultsOf, hostWith } from '../../support/faulty.js';

describe('one healthKey, two breakers: start-up fails and names both', () => {
  afterEach(closeAll);

  const host = (name: string, own: CandidateOptions, options: ChainOptions = {}) =>
    hostWith({ candidates: ['backup'], options: { ...options, name: name.toLowerCase(), primary: own } }, name);
  const faults = (all: ReturnType<typeof host>[], fallback: FallbackModuleOptions = {}) =>
    faultsOf(() => boot({ providers: all, fallback }));
  const key = (breaker: BreakerOptions, more: CandidateOptions = {}): CandidateOptions => ({
    healthKey: 'k',
    breaker,
    ...more,
  });

  it.each<[string, BreakerOptions, BreakerOptions]>([
    ['threshold', { threshold: 2 }, {}],
    ['cooldown', { cooldown: '1s' }, { cooldown: '2s' }],
    ['factor', { factor: 1 }, { factor: 3 }],
    ['maxCooldown', { maxCooldown: '1h' }, {}],
    ['mode', { mode: 'rate' }, { mode: 'consecutive' }],
    ['window', { mode: 'rate', window: '30s' }, { mode: 'rate' }],
    ['volume', { mode: 'rate', volume: 5 }, { mode: 'rate' }],
    ['share', { mode: 'rate', share: 0.5 }, { mode: 'rate' }],
  ])('another %s', async (_what, one, other) => {
    const found = await faults([host('One', key(one)), host('Other', key(other))]);
    expect(found).toEqual([
      {
        where: 'Other.read (candidate read)',
        option: 'healthKey',
        message: expect.stringMatching(/^One\.read \(candidate read\) has the healthKey 'k' too, .*give /) as unknown,
      },
    ]);
  });

  it('that come from the defaults of a chain, or from overrides', async () => {
    const chain = await faults([
      host('One', key({})),
      host('Other', { healthKey: 'k' }, { breaker: { threshold: 9 } }),
    ]);
    expect(chain).toHaveLength(1);
    const overrides = { other: { candidates: { read: { breaker: { threshold: 9 } } } } };
    expect(await faults([host('One', key({})), host('Other', key({}))], { overrides })).toHaveLength(1);
  });

  it("also where the key is the other's default", async () => {
    const found = await faults([host('One', {}), host('Other', { healthKey: 'one/read', breaker: { threshold: 9 } })]);
    expect(found.map(({ option }) => option)).toEqual(['healthKey']);
  });

  it('not if they say the same in other words, nor beside one that has no circuit', async () => {
    const same = [host('One', key({ cooldown: '5s', threshold: 3 })), host('Other', key({ cooldown: 5_000 }))];
    await expect(boot({ providers: same })).resolves.toBeDefined();
    const ignoring = [host('First', key({ threshold: 9 }, { whenOpen: 'ignore' })), host('Second', key({}))];
    await expect(boot({ providers: ignoring })).resolves.toBeDefined();
  });

  it('two chains of one name say that, and no more', async () => {
    const found = await faults([host('One', key({})), hostWith({ candidates: ['backup'], options: { name: 'one' } })]);
    expect(found.map(({ option }) => option)).toEqual(['name']);
  });

  it('in one chain of functions', async () => {
    const make = (breaker: BreakerOptions) =>
      createFallbackChain([
        { name: 'a', run: () => 'a', ...key({}) },
        { name: 'b', run: () => 'b', ...key(breaker) },
      ]);
    expect(await faultsOf(() => make({ threshold: 9 }))).toEqual([
      {
        where: 'chain (candidate b)',
        option: 'healthKey',
        message: expect.stringContaining('chain (candidate a)') as unknown,
      },
    ]);
    expect(make({}).health()).toHaveLength(2);
  });
});

describe('breakers that cannot work are boot faults', () => {
  afterEach(closeAll);
  const WHERE = 'Host.read (candidate read)';

  it.each([
    ['mode', 'sometimes'],
    ['window', 0],
    ['window', Infinity],
    ['window', '60'],
    ['volume', 0],
    ['volume', 1.5],
    ['volume', Infinity],
    ['share', 0],
    ['share', 1.01],
    ['share', '30%'],
    ['share', NaN],
  ])('breaker.%s: %p', async (option, value) => {
    const breaker = { mode: 'rate', [option]: value };
    const found = await faultsOf(() =>
      boot({ providers: [hostWith({ candidates: ['backup'], options: { primary: { breaker } } })] }),
    );
    expect(found).toEqual([
      { where: 'Host.read', option: `primary.breaker.${option}`, message: expect.stringMatching(/^give /) as unknown },
    ]);
    expect(
      await faultsOf(() => createFallbackChain([{ name: 'a', run: () => 'a', breaker: breaker as never }])),
    ).toEqual([
      {
        where: 'chain (candidate a)',
        option: `breaker.${option}`,
        message: expect.stringMatching(/^give /) as unknown,
      },
    ]);
  });

  it.each(['window', 'volume', 'share'] as const)('%s without rate mode protects nobody', async (option) => {
    const breaker = { [option]: 1 };
    const of = (given: object, fallback: FallbackModuleOptions = {}) =>
      faultsOf(() => boot({ providers: [hostWith({ candidates: [], options: { breaker: given } })], fallback }));
    const idle = [
      { where: WHERE, option: `breaker.${option}`, message: expect.stringContaining("add mode: 'rate'") as unknown },
    ];
    expect(await of(breaker)).toEqual(idle);
    expect(await of(breaker, { defaults: { breaker: { mode: 'consecutive' } } })).toEqual(idle);
  });

  it('but defaults may say it for the chains that are in rate mode, and a mode may be switched off', async () => {
    const of = (breaker: object, fallback: FallbackModuleOptions) =>
      boot({ providers: [hostWith({ candidates: [], options: { name: 'host', breaker } })], fallback });
    await expect(of({}, { defaults: { breaker: { window: '30s', volume: 50, share: 0.5 } } })).resolves.toBeDefined();
    await expect(of({ window: '10s' }, { defaults: { breaker: { mode: 'rate' } } })).resolves.toBeDefined();
    await expect(
      of({ mode: 'rate', window: '10s' }, { overrides: { host: { breaker: { mode: 'consecutive' } } } }),
    ).resolves.toBeDefined();
  });

  it.each([
    [{ cooldown: '10s', maxCooldown: '5s' }, /raise it to 10s/],
    [{ maxCooldown: '4s' }, /raise it to 5000/],
  ])('a maxCooldown below the cooldown: %j', async (breaker, message) => {
    const found = await faultsOf(() => boot({ providers: [hostWith({ candidates: [], options: { breaker } })] }));
    expect(found).toEqual([
      { where: WHERE, option: 'breaker.maxCooldown', message: expect.stringMatching(message) as unknown },
    ]);
  });
});
