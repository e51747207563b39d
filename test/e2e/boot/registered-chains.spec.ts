/** Chains of plain functions in an application: `forRoot({ chains })` and `forFeature({ chains })`. */
import { Injectable, Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  ChainHealthService,
  FallbackChain,
  FallbackModule,
  FallbackService,
  createFallbackChain,
} from '../../../lib/index.js';
import type { FallbackEvent, FallbackModuleOptions } from '../../../lib/index.js';
import { down } from '../../support/answers.js';
import { boot, closeAll } from '../../support/apps.js';
import { faultsOf, hostWith } from '../../support/faulty.js';
import { TestClock } from '../../support/test-clock.js';

const geocoder = (options: object = {}) =>
  createFallbackChain<string>(
    [
      { name: 'osm', run: () => down() },
      { name: 'archive', run: () => 'Bern' },
    ],
    {
      name: 'geocode',
      ...options,
    },
  );

class Feature {}
Module({})(Feature);
const featureOf = (...imports: DynamicModule[]): DynamicModule => ({ module: Feature, imports });

describe('registered chains', () => {
  afterEach(closeAll);

  it.each([
    ['forRoot', (options: FallbackModuleOptions) => [FallbackModule.forRoot({ ...options, chains: [geocoder()] })]],
    [
      'forRootAsync',
      (options: FallbackModuleOptions) => [
        FallbackModule.forRootAsync({ useFactory: async () => ({ ...options, chains: [geocoder()] }) }),
      ],
    ],
    [
      'forFeature',
      (options: FallbackModuleOptions) => [
        featureOf(FallbackModule.forFeature({ chains: [geocoder()] })),
        FallbackModule.forRoot(options),
      ],
    ],
  ])('%s: observed, watched and overridden like that of a method', async (_way, importsOf) => {
    const clock = new TestClock();
    const events: FallbackEvent[] = [];
    const imports = importsOf({
      clock,
      logger: false,
      observers: [(event) => void events.push(event)],
      defaults: { breaker: { cooldown: '7s' } },
      overrides: { geocode: { breaker: { threshold: 1 }, candidates: { archive: { cost: 3 } } } },
    });
    const module = await boot({ fallback: null, imports });
    const health = module.get(ChainHealthService);
    expect(health.snapshot().map(({ chain }) => chain)).toEqual(['geocode']);
    expect(await module.get(FallbackService).run('geocode')).toBe('Bern');
    expect(health.snapshot('geocode').candidates).toMatchObject([
      { candidate: 'osm', state: 'open', coolingFor: 7_000, openUntil: clock.wall() + 7_000 },
      { candidate: 'archive', state: 'closed', cost: 3, counts: { ok: 1 } },
    ]);
    expect(health.check('geocode')).toMatchObject({ geocode: { status: 'up', degraded: true } });
    expect(health.describe('geocode')).toMatchObject({ chain: 'geocode' });
    expect(events.map(({ name }) => name)).toEqual([
      'circuit.opened',
      'attempt.settled',
      'attempt.settled',
      'call.served',
    ]);
    expect(events.every(({ at }) => at === clock.wall())).toBe(true);
    health.reset('geocode');
    expect(health.status()).toBe('up');
  });

  it('one that is registered in several places is one', async () => {
    const chain = geocoder();
    const feature = (): DynamicModule => FallbackModule.forFeature({ chains: [chain, chain] });
    const module = await boot({ fallback: { chains: [chain] }, imports: [feature(), feature()] });
    expect(module.get(ChainHealthService).snapshot()).toHaveLength(1);
  });

  it('as a candidate of other chains it is the same one, with the memory that the application has of it', async () => {
    const chain = geocoder({ breaker: { threshold: 1 } });
    const outer = createFallbackChain([chain], { name: 'outer' });
    @Injectable()
    class Map {
      @FallbackChain([chain], { name: 'map' })
      async find(): Promise<string> {
        return down();
      }
    }
    const module = await boot({ fallback: { chains: [chain, outer] }, providers: [Map] });
    const osm = () => module.get(ChainHealthService).snapshot('geocode').candidates[0]!;
    expect(await module.get(Map).find()).toBe('Bern');
    expect(osm()).toMatchObject({ state: 'open', counts: { transient: 1 } });
    expect(await module.get(FallbackService).run('outer')).toBe('Bern');
    expect(osm().counts).toEqual({ transient: 1, cooling: 1 });
    expect(chain.health()[0]!.counts).toEqual({});
  });

  it('called by itself it has its own clock and memory, and nobody hears of it', async () => {
    const chain = geocoder();
    const events: FallbackEvent[] = [];
    const module = await boot({ fallback: { chains: [chain], observers: [(event) => void events.push(event)] } });
    expect(await chain.run()).toBe('Bern');
    expect(chain.health()[0]!.counts).toEqual({ transient: 1 });
    expect(module.get(ChainHealthService).snapshot('geocode').candidates[0]!.counts).toEqual({});
    expect(events).toEqual([]);
  });

  it.each([
    ['switched off in the code', { enabled: () => false }, {}],
    ['switched off by an override', {}, { geocode: { enabled: () => false } }],
  ])('%s: its first candidate alone', async (_what, own, overrides) => {
    const module = await boot({ fallback: { chains: [geocoder(own)], overrides } });
    await expect(module.get(FallbackService).run('geocode')).rejects.not.toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
  });

  it('a module that is loaded later brings its chains, or hears at once what is wrong with them', async () => {
    const module = await boot({ fallback: { chains: [geocoder()] } });
    const loader = module.get(LazyModuleLoader);
    const late = featureOf(FallbackModule.forFeature({ chains: [geocoder({ name: 'late' })] }));
    await loader.load(() => late);
    expect(await module.get(FallbackService).run('late')).toBe('Bern');
    class Other {}
    Module({})(Other);
    const twin = { module: Other, imports: [FallbackModule.forFeature({ chains: [geocoder()] })] };
    expect(await faultsOf(() => loader.load(() => twin))).toMatchObject([{ where: 'geocode', option: 'name' }]);
  });
});

describe('faults of registered chains', () => {
  afterEach(closeAll);

  const Named = hostWith({ candidates: ['backup'], options: { name: 'geocode' } });

  it.each<[string, FallbackModuleOptions, DynamicModule[], { where: string; option?: string; message: RegExp }[]]>([
    [
      'two with one name',
      { chains: [geocoder(), geocoder()] },
      [],
      [{ where: 'geocode', option: 'name', message: /name:/ }],
    ],
    [
      'two without a name',
      { chains: [createFallbackChain([() => 1]), createFallbackChain([() => 2])] },
      [],
      [{ where: 'chain', option: 'name', message: /name:/ }],
    ],
    [
      'one of forRoot and one of forFeature with one name',
      { chains: [geocoder()] },
      [FallbackModule.forFeature({ chains: [geocoder()] })],
      [{ where: 'geocode', option: 'name', message: /name:/ }],
    ],
    [
      'a bad number in an override',
      { chains: [geocoder()], overrides: { geocode: { timeout: 0, candidates: { osn: {} } } } },
      [],
      [
        { where: 'geocode', option: 'overrides.geocode.timeout', message: /^give / },
        { where: 'geocode', option: 'overrides.geocode.candidates.osn', message: /osm, archive/ },
      ],
    ],
    [
      'an override of none',
      { chains: [geocoder()], overrides: { geocod: {} } },
      [],
      [{ where: 'FallbackModule.forRoot', option: 'overrides.geocod', message: /geocode/ }],
    ],
    [
      'no chains',
      { chains: [() => 1] as never },
      [],
      [{ where: 'FallbackModule.forRoot', option: 'chains', message: /createFallbackChain/ }],
    ],
    [
      'no list',
      { chains: geocoder() as never },
      [FallbackModule.forFeature({ chains: {} as never })],
      [
        { where: 'FallbackModule.forRoot', option: 'chains', message: /createFallbackChain/ },
        { where: 'FallbackModule.forFeature', option: 'chains', message: /createFallbackChain/ },
      ],
    ],
    [
      'forFeature with something else',
      {},
      [FallbackModule.forFeature({ chain: [] } as never), FallbackModule.forFeature({} as never)],
      [
        { where: 'FallbackModule.forFeature', option: 'chain', message: /did you mean 'chains'/ },
        { where: 'FallbackModule.forFeature', option: 'chains', message: /createFallbackChain/ },
      ],
    ],
    [
      'forFeature with nothing',
      {},
      [FallbackModule.forFeature(undefined as never)],
      [{ where: 'FallbackModule.forFeature', message: /^give / }],
    ],
  ])('%s', async (_what, fallback, imports, expected) => {
    const faults = await faultsOf(() => boot({ fallback, imports }));
    expect(faults).toEqual(expected.map((each) => ({ ...each, message: expect.stringMatching(each.message) })));
  });

  it('a method and a function chain with one name', async () => {
    const faults = await faultsOf(() => boot({ fallback: { chains: [geocoder()] }, providers: [Named] }));
    expect(faults).toEqual([
      { where: 'geocode', option: 'name', message: expect.stringMatching(/Host\.read is called 'geocode' too/) },
    ]);
  });

  it('forFeature without forRoot', async () => {
    const imports = [FallbackModule.forFeature({ chains: [geocoder()] })];
    expect(await faultsOf(() => boot({ fallback: null, imports }))).toEqual([
      { where: 'FallbackModule.forFeature', message: expect.stringMatching(/import FallbackModule\.forRoot\(\)/) },
    ]);
  });
});
