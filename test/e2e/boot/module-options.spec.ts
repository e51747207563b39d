import { Controller, Get, Injectable, Module } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  CHAIN_HEALTH,
  ChainHealthService,
  Degraded,
  FALLBACK_SERVICE,
  FallbackChain,
  FallbackConfigurationError,
  FallbackModule,
  FallbackService,
} from '../../../lib/index.js';
import type { FallbackEvent, FallbackModuleOptions } from '../../../lib/index.js';
import { down } from '../../support/answers.js';
import { boot, closeAll, listen, platforms } from '../../support/apps.js';
import { faultsOf, hostWith } from '../../support/faulty.js';
import { TestClock } from '../../support/test-clock.js';

const Host = hostWith({ candidates: ['backup', { method: 'spare', name: 'last' }], options: { name: 'host' } });
const WHERE = 'FallbackModule.forRoot';

@Injectable()
class Slow {
  @FallbackChain(['backup'], { name: 'slow', timeout: '1h' })
  async read(): Promise<string> {
    return new Promise(() => {});
  }

  async backup(): Promise<string> {
    return 'backup';
  }
}

@Controller()
class SlowController {
  @Get()
  @FallbackChain([], { name: 'controller' })
  @Degraded({ substitute: { text: 'x' } })
  async read(): Promise<{ text: string; degraded?: boolean }> {
    return down();
  }
}

describe('options of the module', () => {
  afterEach(closeAll);

  it.each([
    ['an option that does not exist', { timeout: 5 }, 'timeout', /no such option/],
    ['a misspelt one', { observer: [] }, 'observer', /did you mean 'observers'/],
    ['defaults that are no object', { defaults: 5 }, 'defaults', /^give /],
    ['a bad number in the defaults', { defaults: { timeout: '5' } }, 'defaults.timeout', /^give /],
    ['a misspelt default', { defaults: { timout: 5 } }, 'defaults.timout', /did you mean 'timeout'/],
    ['a bad breaker in the defaults', { defaults: { breaker: { factor: 0 } } }, 'defaults.breaker.factor', /^give /],
    ['overrides that are no object', { overrides: [] }, 'overrides', /^give /],
    ['http: true', { http: true }, 'http', /^give /],
    ['an http.receipt that does not exist', { http: { receipt: 'never' } }, 'http.receipt', /'degraded', 'always'/],
    ['an http option that does not exist', { http: { reciept: 'always' } }, 'http.reciept', /did you mean 'receipt'/],
    ['observers that are no functions', { observers: ['console'] }, 'observers', /^give /],
    ['a clock that is none', { clock: { now: () => 0 } }, 'clock', /^give /],
    ['logger: true', { logger: true }, 'logger', /false/],
  ])('%s', async (_what, fallback, option, message) => {
    const faults = await faultsOf(() => boot({ providers: [Host], fallback: fallback as never }));
    expect(faults).toEqual([{ where: WHERE, option, message: expect.stringMatching(message) }]);
  });

  it.each([
    ['a chain that does not exist', { hots: {} }, WHERE, 'overrides.hots', /host/],
    ['a candidate that does not exist', { host: { candidates: { lats: {} } } }, 'Host.read', 'candidates.lats', /last/],
    ['a bad number', { host: { timeout: 0 } }, 'Host.read', 'overrides.host.timeout', /^give /],
    [
      'a bad number of a candidate',
      { host: { candidates: { last: { cost: -1 } } } },
      'Host.read',
      'last.cost',
      /^give/,
    ],
    ['a misspelt option', { host: { timout: 5 } }, 'Host.read', 'overrides.host.timout', /did you mean 'timeout'/],
    ['no object', { host: 5 }, 'Host.read', 'overrides.host', /^give /],
  ])('an override of %s', async (_what, overrides, where, option, message) => {
    const faults = await faultsOf(() => boot({ providers: [Host], fallback: { overrides: overrides as never } }));
    expect(faults).toHaveLength(1);
    expect(faults[0]!.where).toContain(where);
    expect(faults[0]!.option).toContain(option);
    expect(faults[0]!.message).toMatch(message);
  });

  it('a longest cooldown that the defaults put below the first', async () => {
    const breaker = { cooldown: '1m', maxCooldown: '30s' } as const;
    const faults = await faultsOf(() => boot({ providers: [Host], fallback: { defaults: { breaker } } }));
    for (const fault of faults) expect(fault.option).toContain('breaker.maxCooldown');
    expect(faults.length).toBeGreaterThan(0);
  });

  it('overrides win over what the code says, defaults do not', async () => {
    const clock = new TestClock();
    const module = await boot({
      providers: [Slow],
      fallback: { clock, defaults: { timeout: 5 }, overrides: { slow: { timeout: '2s' } } },
    });
    let answer: unknown;
    void module
      .get(Slow)
      .read()
      .then((value) => (answer = value));
    await clock.advance(1_999);
    expect(answer).toBeUndefined();
    await clock.advance(1);
    expect(answer).toBe('backup');
  });

  it('services are injected by class and by token', async () => {
    const module = await boot({});
    expect(module.get(CHAIN_HEALTH)).toBe(module.get(ChainHealthService));
    expect(module.get(FALLBACK_SERVICE)).toBe(module.get(FallbackService));
  });
});

@Injectable()
class Settings {
  readonly events: FallbackEvent[] = [];

  createFallbackOptions(): FallbackModuleOptions {
    return { logger: false, observers: [(event) => void this.events.push(event)], overrides: { host: { cost: 3 } } };
  }
}

@Module({ providers: [Settings], exports: [Settings] })
class SettingsModule {}

describe('forRootAsync', () => {
  afterEach(closeAll);

  it.each([
    ['useFactory', { inject: [Settings], useFactory: (settings: Settings) => settings.createFallbackOptions() }],
    ['an async useFactory', { inject: [Settings], useFactory: async (each: Settings) => each.createFallbackOptions() }],
    ['useClass', { useClass: Settings }],
    ['useExisting', { useExisting: Settings }],
  ])('%s', async (_way, options) => {
    const fallbackModule = FallbackModule.forRootAsync({ imports: [SettingsModule], ...options });
    const module = await boot({ imports: [fallbackModule], providers: [Host], fallback: null });
    await module.get(Host).read();
    const { candidates } = module.get(ChainHealthService).snapshot('host');
    expect(candidates.map(({ cost }) => cost)).toEqual([3, 3, 3]);
  });

  it('observers that it gives hear of the calls', async () => {
    const fallbackModule = FallbackModule.forRootAsync({ imports: [SettingsModule], useExisting: Settings });
    const module = await boot({ imports: [fallbackModule], providers: [Host], fallback: null });
    await module.get(Host).read();
    expect(module.get(Settings, { strict: false }).events.map(({ name }) => name)).toContain('call.served');
  });

  it('reports what is wrong with its options like forRoot', async () => {
    const fallbackModule = FallbackModule.forRootAsync({
      useFactory: () => ({ defaults: { timeout: -1 }, http: 'yes' as never }),
    });
    const faults = await faultsOf(() => boot({ imports: [fallbackModule], providers: [Host], fallback: null }));
    expect(faults.map(({ option }) => option)).toEqual(['defaults.timeout', 'http']);
  });

  it.each([
    ['undefined', undefined],
    ['null', null],
    ['text', 'fast'],
    ['a list', []],
  ])('a factory that gives no options: %s', async (_what, options) => {
    const fallbackModule = FallbackModule.forRootAsync({ useFactory: () => options as never });
    const faults = await faultsOf(() => boot({ imports: [fallbackModule], providers: [Host], fallback: null }));
    expect(faults).toEqual([{ where: WHERE, message: expect.stringMatching(/^give /) }]);
  });

  it('a factory that fails is its own error', async () => {
    const fallbackModule = FallbackModule.forRootAsync({ useFactory: () => Promise.reject(new Error('no vault')) });
    const failing = boot({ imports: [fallbackModule], fallback: null });
    await expect(failing).rejects.toThrow('no vault');
    await expect(failing).rejects.not.toBeInstanceOf(FallbackConfigurationError);
  });

  it.each(platforms)('$name: its http option counts', async (platform) => {
    const fallbackModule = FallbackModule.forRootAsync({ useFactory: async () => ({ http: false, logger: false }) });
    const { url } = await listen(platform, {
      imports: [fallbackModule],
      controllers: [SlowController],
      fallback: null,
    });
    const response = await fetch(url);
    expect(await response.json()).toEqual({ text: 'x', degraded: true });
    expect(response.headers.has('degraded')).toBe(false);
  });
});

it.each([5, null, 'fast', []])('forRoot(%j) is refused at once', (options) => {
  const refused = (): unknown => FallbackModule.forRoot(options as unknown as FallbackModuleOptions);
  expect(refused).toThrow(FallbackConfigurationError);
  expect(refused).toThrow('FallbackModule.forRoot: give an object with options; got');
});
