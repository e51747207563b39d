/** B25 (a) and (b): FallbackModule more than once in one application. */
import { Controller, Get, Injectable, Module, Res } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import { LazyModuleLoader, NestFactory } from '@nestjs/core';
import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  CHAIN_HEALTH,
  ChainHealthService,
  Degraded,
  FALLBACK_EVENTS,
  FALLBACK_SERVICE,
  FallbackChain,
  FallbackEvents,
  FallbackModule,
  FallbackService,
  createFallbackChain,
} from '../../../lib/index.js';
import type { Clock, FallbackEvent, FallbackModuleOptions } from '../../../lib/index.js';
import { down } from '../../support/answers.js';
import { boot, closeAll, listen, platforms } from '../../support/apps.js';
import { faultsOf } from '../../support/faulty.js';
import { TestClock } from '../../support/test-clock.js';

@Injectable()
class Desk {
  calls = 0;

  @FallbackChain(['backup'], { name: 'desk', whenOpen: 'ignore' })
  async read(): Promise<string> {
    this.calls++;
    return down();
  }

  async backup(): Promise<string> {
    return 'backup';
  }
}

@Injectable()
class Probe {
  constructor(
    readonly health: ChainHealthService,
    readonly fallback: FallbackService,
    readonly events: FallbackEvents,
  ) {}
}

@Injectable()
class OtherProbe extends Probe {}

/** A module that imports these and has a probe of its own. */
function around(imports: DynamicModule[], probe: Type<Probe>): DynamicModule {
  class Feature {}
  Module({})(Feature);
  return { module: Feature, imports, providers: [probe] };
}

const SECRET = 'sk-live-51x';
const clock = new TestClock();
const observer = (): void => {};
const timer: Clock['setTimer'] = () => ({ clear: observer, ref: observer, unref: observer });
const accept = (): boolean => true;
const chain = createFallbackChain([() => 1], { name: 'one' });

type Import = (options: FallbackModuleOptions & { isGlobal?: boolean }) => DynamicModule;
const forRoot: Import = (options) => FallbackModule.forRoot(options);
const forRootAsync: Import = (options) => FallbackModule.forRootAsync({ useFactory: async () => options });
const later: Import = (options) =>
  FallbackModule.forRootAsync({
    useFactory: async () => {
      await setTimeout(5);
      return options;
    },
  });

describe('B25 (a) the same options twice', () => {
  afterEach(closeAll);

  it.each([
    ['forRoot, forRoot', forRoot, forRoot],
    ['forRoot, forRootAsync', forRoot, forRootAsync],
    ['forRootAsync, forRoot', forRootAsync, forRoot],
    ['forRootAsync, forRootAsync', forRootAsync, forRootAsync],
    ['a slow forRootAsync, forRoot', later, forRoot],
    ['forRoot, a slow forRootAsync', forRoot, later],
  ])('%s: one instance of everything, one event and one count per outcome', async (_way, first, second) => {
    const events: FallbackEvent[] = [];
    const hear = (event: FallbackEvent): void => void events.push(event);
    const options = (): FallbackModuleOptions => ({
      logger: false,
      observers: [hear],
      clock,
      defaults: { timeout: '2s', breaker: { threshold: 5 } },
      overrides: { desk: { cost: 2, candidates: { backup: { cost: 0 } } } },
      chains: [chain],
    });
    const module = await boot({
      fallback: null,
      imports: [first(options()), around([second({ ...options(), http: undefined as never })], Probe)],
      providers: [Desk, OtherProbe],
    });
    const [probe, other] = [module.get(Probe, { strict: false }), module.get(OtherProbe)];
    expect(probe.health).toBe(other.health);
    expect(probe.fallback).toBe(other.fallback);
    expect(probe.events).toBe(other.events);
    expect(module.get(CHAIN_HEALTH)).toBe(probe.health);
    expect(module.get(FALLBACK_SERVICE)).toBe(probe.fallback);
    expect(module.get(FALLBACK_EVENTS)).toBe(probe.events);

    expect(await module.get(Desk).read()).toBe('backup');
    expect(module.get(Desk).calls).toBe(1);
    expect(events.map(({ name, candidate }) => `${name} ${candidate ?? ''}`)).toEqual([
      'attempt.settled read',
      'attempt.settled backup',
      'call.served ',
    ]);
    const [ofDesk, ...others] = probe.health.snapshot();
    expect(others.map((each) => each.chain)).toEqual(['one']);
    expect(ofDesk!.candidates.map(({ counts }) => counts)).toEqual([{ transient: 1 }, { ok: 1 }]);
  });

  it.each(platforms)('$name: one run of the middleware, one header', async (platform) => {
    const listeners: number[] = [];
    @Controller()
    class Shop {
      @Get()
      @FallbackChain([], { name: 'shop', whenOpen: 'ignore' })
      @Degraded({ substitute: () => ({ text: 'x' }) })
      async read(): Promise<{ text: string; degraded?: boolean }> {
        return down();
      }

      @Get('listeners')
      count(@Res({ passthrough: true }) response: ServerResponse & { raw?: ServerResponse }): string {
        listeners.push((response.raw ?? response).listenerCount('close'));
        return '';
      }
    }
    for (const imports of [[], [around([FallbackModule.forRoot({ logger: false })], Probe)]]) {
      const { url } = await listen(platform, { imports, controllers: [Shop] });
      const { headers } = await fetch(url);
      expect(headers.get('degraded')).toBe('shop;source=static;reason=transient');
      await fetch(`${url}/listeners`);
    }
    expect(listeners).toHaveLength(2);
    expect(listeners[1]).toBe(listeners[0]);
  });

  it('only the second is global', async () => {
    const first = FallbackModule.forRoot({ logger: false, isGlobal: false });
    const second = FallbackModule.forRoot({ logger: false });
    const module = await boot({
      fallback: null,
      imports: [around([first], Probe), around([second], OtherProbe)],
      providers: [Desk],
    });
    expect(await module.get(Desk).read()).toBe('backup');
    expect(module.get(Probe, { strict: false }).health).toBe(module.get(OtherProbe, { strict: false }).health);
  });

  it('the second in a module that is loaded later', async () => {
    const module = await boot({ providers: [Desk] });
    const loader = module.get(LazyModuleLoader);
    const feature = around([FallbackModule.forRoot({ logger: false })], Probe);
    const loaded = await loader.load(() => feature);
    expect(loaded.get(Probe).health).toBe(module.get(ChainHealthService));
    const other = around([FallbackModule.forRoot({ logger: false, defaults: { timeout: 5 } })], OtherProbe);
    expect(await faultsOf(() => loader.load(() => other))).toMatchObject([{ option: 'defaults' }]);
  });
});

describe('B25 (b) other options the second time', () => {
  afterEach(closeAll);

  const full: FallbackModuleOptions = {
    logger: false,
    clock,
    defaults: { timeout: '2s', accept, breaker: { threshold: 5 } },
    overrides: { desk: { deadline: SECRET as never, candidates: { backup: { cost: 0 } } } },
    observers: [observer],
    chains: [chain],
    http: { receipt: 'always' },
  };
  const { logger: _logger, ...loud } = full;
  const { clock: _clock, ...clockless } = full;

  it.each<[string, unknown, readonly (string | undefined)[]]>([
    ['a number', { ...full, defaults: { ...full.defaults, timeout: '3s' } }, ['defaults.timeout']],
    ['a number in another form', { ...full, defaults: { ...full.defaults, timeout: 2_000 } }, ['defaults.timeout']],
    [
      'an option more',
      { ...full, defaults: { ...full.defaults, breaker: { threshold: 5, factor: 1 } } },
      ['defaults.breaker.factor'],
    ],
    ['an option less', loud, ['logger']],
    ['no clock', clockless, ['clock']],
    ['another clock', { ...full, clock: new TestClock() }, ['clock']],
    ['a copy of a clock', { ...full, clock: { now: () => 0, wall: () => 0, setTimer: timer } }, ['clock']],
    [
      'a function that reads alike',
      { ...full, defaults: { ...full.defaults, accept: (): boolean => true } },
      ['defaults.accept'],
    ],
    ['another observer', { ...full, observers: [() => {}] }, ['observers']],
    ['an observer more', { ...full, observers: [observer, observer] }, ['observers']],
    ['another chain', { ...full, chains: [createFallbackChain([() => 1], { name: 'one' })] }, ['chains']],
    ['http off', { ...full, http: false }, ['http']],
    ['http otherwise', { ...full, http: {} }, ['http.receipt']],
    [
      'several',
      { ...full, overrides: { desk: { deadline: '9s', candidates: { backup: { cost: 1 } } }, more: {} }, http: {} },
      ['overrides.desk.deadline', 'overrides.desk.candidates.backup.cost', 'overrides.more', 'http.receipt'],
    ],
    ['none', {}, ['logger', 'clock', 'defaults', 'overrides', 'observers', 'chains', 'http']],
    ['nonsense', null, [undefined]],
  ])('%s', async (_what, second, options) => {
    for (const again of [forRoot, forRootAsync]) {
      if (second === null && again === forRoot) continue; // Nest itself cannot read them
      const feature = around([again(second as FallbackModuleOptions)], Probe);
      const faults = await faultsOf(() => boot({ fallback: full, imports: [feature], providers: [Desk] }));
      const differing = faults.filter(({ message }) => message.includes('imported more than once'));
      expect(differing.map(({ option }) => option)).toEqual(options);
      for (const { where, message } of differing) {
        expect(where).toBe('FallbackModule.forRoot');
        expect(message).not.toContain(SECRET);
      }
    }
  });

  it('is reported with everything else', async () => {
    const feature = around([FallbackModule.forRoot({ logger: false, defaults: { timeout: 5 } })], Probe);
    const fallback: FallbackModuleOptions = { overrides: { nowhere: {} } };
    const faults = await faultsOf(() => boot({ fallback, imports: [feature], providers: [Desk] }));
    expect(faults.map(({ option }) => option)).toEqual(['overrides', 'defaults', 'overrides.nowhere']);
  });

  it('is seen where Nest takes modules that read alike for one', async () => {
    const reading = (suffix: string) => ({ logger: false as const, observers: [() => void suffix] });
    const root = around(
      [FallbackModule.forRoot(reading('a')), around([FallbackModule.forRoot(reading('b'))], Probe)],
      Probe,
    );
    const options = { logger: false, abortOnError: false, moduleIdGeneratorAlgorithm: 'deep-hash' } as const;
    const faults = await faultsOf(() => NestFactory.createApplicationContext(root, options));
    expect(faults).toMatchObject([{ option: 'observers' }]);
  });
});
