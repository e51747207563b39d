import { Controller, Injectable, Module, Post } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Attempt,
  AttemptSignal,
  ChainHealthService,
  Degraded,
  Fallback,
  FallbackChain,
  FallbackConfigurationError,
  FallbackModule,
  createFallbackChain,
  from,
} from '../../../lib/index.js';
import { boot, building, closeAll, platforms } from '../../support/apps.js';
import { faultsOf, hostWith, protect } from '../../support/faulty.js';

class Absent {}

const faultyParts = () => {
  class Desk {
    async read(): Promise<string> {
      return 'read';
    }
  }
  protect(Desk, { degraded: { lastKnownGood: { maxAge: '15m' }, substitute: 'x' } });
  Controller('desk')(Desk);
  return {
    controllers: [Desk],
    providers: [
      hostWith({ candidates: ['nothing', from(Absent as never, 'read' as never)], options: { timeout: '5' } }, 'One'),
      hostWith({ candidates: ['backup', 'backup'], options: { timout: 5 } }, 'Two'),
    ],
    fallback: { http: { receipt: 'sometimes' as never }, defaults: { cost: -1 } },
  };
};

const EXPECTED = [
  ['FallbackModule.forRoot', 'defaults.cost'],
  ['FallbackModule.forRoot', 'http.receipt'],
  ['Desk.read', 'substitute'],
  ['Desk.read', 'lastKnownGood.key'],
  ['One.read', 'candidates[0]'],
  ['One.read', 'candidates[1]'],
  ['One.read', 'timeout'],
  ['Two.read', 'timout'],
  ['Two.read (candidate backup)', 'name'],
]
  .map((each) => each.join(' '))
  .sort();

/** Every kind of fault that start-up finds, in one application. */
const everything = () => {
  class Shop {
    async read(): Promise<string> {
      return 'read';
    }

    async backup(): Promise<string> {
      return 'backup';
    }
  }
  protect(Shop, { candidates: ['backup'], options: { idempotent: false } });
  Post()(Shop.prototype, 'read', Object.getOwnPropertyDescriptor(Shop.prototype, 'read')!);
  Controller('shop')(Shop);
  class Feature {}
  Module({ imports: [FallbackModule.forRoot({ logger: false })] })(Feature);
  const named = (name: string) => createFallbackChain([() => 1], { name });
  return {
    controllers: [...faultyParts().controllers, Shop],
    providers: [
      ...faultyParts().providers,
      hostWith({ candidates: ['backup'], options: { name: 'twin' } }, 'Three'),
      hostWith({ candidates: ['backup'], options: { hedge: { after: 0 }, cost: 1 } }, 'Paid'),
      hostWith({ candidates: ['backup'], options: { name: 'known' } }, 'Four'),
      hostWith({ degraded: { lastKnownGood: { maxAge: '1m', store: 5 } } }, 'Stored'),
    ],
    imports: [Feature, FallbackModule.forFeature({ chains: [named('twin'), 5 as never] })],
    fallback: {
      ...faultyParts().fallback,
      valueStore: 5,
      chains: [named('twin')],
      overrides: { unknown: {}, known: { candidates: { unknown: {} } } },
    } as never,
  };
};

const ALL_KINDS = [
  ...EXPECTED,
  'FallbackModule.forRoot valueStore',
  'FallbackModule.forRoot defaults',
  'FallbackModule.forRoot http',
  'FallbackModule.forRoot chains',
  'FallbackModule.forRoot valueStore',
  'FallbackModule.forRoot overrides',
  'FallbackModule.forRoot overrides.unknown',
  'FallbackModule.forFeature chains',
  'Shop.read idempotent',
  'twin name',
  'Paid.read hedge',
  'Four.read overrides.known.candidates.unknown',
  'Stored.read lastKnownGood.store',
].sort();

describe('all faults are reported together', () => {
  afterEach(closeAll);

  it('in one error, as data', async () => {
    const faults = await faultsOf(() => boot(faultyParts()));
    expect(faults.map(({ where, option }) => `${where} ${String(option)}`).sort()).toEqual(EXPECTED);
    for (const { message } of faults) expect(message).toMatch(/\w+ \w+/);
  });

  it('every kind of them', async () => {
    const faults = await faultsOf(() => boot(everything()));
    expect(faults.map(({ where, option }) => `${where} ${String(option)}`).sort()).toEqual(ALL_KINDS);
  });

  it('and in its message, a line each', async () => {
    const error = (await boot(faultyParts()).catch((thrown: unknown) => thrown)) as FallbackConfigurationError;
    expect(error).toBeInstanceOf(FallbackConfigurationError);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ name: 'FallbackConfigurationError', code: 'FALLBACK_CONFIGURATION' });
    for (const { where, option, message } of error.faults) {
      const line = error.message.split('\n').find((each) => each.includes(where) && each.includes(String(option)));
      expect(line).toContain(message);
    }
    expect(JSON.parse(JSON.stringify(error.faults))).toEqual(error.faults);
  });

  it('overrides of unknown chains among them', async () => {
    const providers = [hostWith({ candidates: ['nothing'] })];
    const faults = await faultsOf(() => boot({ providers, fallback: { overrides: { nowhere: { timeout: 5 } } } }));
    expect(faults.map(({ where, option }) => `${where} ${String(option)}`).sort()).toEqual([
      'FallbackModule.forRoot overrides.nowhere',
      'Host.read candidates[0]',
    ]);
  });

  it.each(platforms)('$name: before anything listens', async (platform) => {
    const app = platform.create(await building(faultyParts()).compile());
    await expect(app.listen(0, '127.0.0.1')).rejects.toBeInstanceOf(FallbackConfigurationError);
    expect((app.getHttpServer() as { listening: boolean }).listening).toBe(false);
    await app.close();
  });

  it('a fault of a class that two modules provide is told once', async () => {
    const Host = hostWith({ candidates: ['nothing'] });
    @Module({ providers: [Host] })
    class First {}
    @Module({ providers: [Host] })
    class Second {}
    expect(await faultsOf(() => boot({ imports: [First, Second] }))).toHaveLength(1);
  });

  it('a class that Nest meets only later tells its faults at the first call', async () => {
    const Late = hostWith({ candidates: ['nothing'] }, 'Late');
    const module = await boot({});
    const { LazyModuleLoader } = await import('@nestjs/core');
    @Module({ providers: [Late] })
    class Lazy {}
    const lazy = await module.get(LazyModuleLoader).load(() => Lazy);
    const faults = await faultsOf(() => lazy.get(Late).read());
    expect(faults).toMatchObject([{ where: 'Late.read', option: 'candidates[0]' }]);
  });

  it('the same class provided twice is one chain', async () => {
    const Host = hostWith({ candidates: ['backup'] });
    const module = await boot({ providers: [Host, { provide: 'AGAIN', useClass: Host }] });
    expect(module.get(ChainHealthService).snapshot()).toHaveLength(1);
  });

  it('getters are not run while classes are looked at', async () => {
    let reads = 0;
    @Injectable()
    class Getting {
      get early(): never {
        reads++;
        throw new Error('not ready');
      }

      @Fallback('backup')
      async read(): Promise<string> {
        return 'read';
      }

      async backup(): Promise<string> {
        return 'backup';
      }
    }
    const module = await boot({ providers: [Getting, { provide: 'MADE', useFactory: () => new Getting() }] });
    expect(await module.get(Getting).read()).toBe('read');
    expect(reads).toBe(0);
  });
});

describe('what can never be protected fails where the class is evaluated', () => {
  const ladder = FallbackChain([]) as MethodDecorator;
  const degraded = Degraded({ skip: true }) as MethodDecorator;

  it.each([
    ['FallbackChain', ladder],
    ['Fallback', Fallback('read' as never) as MethodDecorator],
    ['Degraded', degraded],
  ])('@%s on a static method or an accessor', async (name, decorator) => {
    const onStatic = await faultsOf(() => {
      class Tool {
        @decorator
        static async read(): Promise<void> {}
      }
      return Tool;
    });
    expect(onStatic).toEqual([{ where: 'Tool.read', message: expect.stringMatching(`@${name}.*instance method`) }]);
    const onAccessor = await faultsOf(() => {
      class Tool {
        @decorator
        get read(): string {
          return '';
        }
      }
      return Tool;
    });
    expect(onAccessor).toEqual([{ where: 'Tool.read', message: expect.stringMatching(`@${name}.*method`) }]);
  });

  it.each([
    ['Attempt', Attempt()],
    ['AttemptSignal', AttemptSignal()],
  ])('@%s on a parameter of a static method or a constructor', async (name, decorator) => {
    const onStatic = await faultsOf(() => {
      class Tool {
        static async read(@decorator _what?: unknown): Promise<void> {}
      }
      return Tool;
    });
    expect(onStatic).toMatchObject([{ message: expect.stringContaining(`@${name}`) }]);
    expect(onStatic[0]!.where).toContain('Tool');
    const onConstructor = await faultsOf(() => {
      class Tool {
        constructor(@decorator _what?: unknown) {}
      }
      return Tool;
    });
    expect(onConstructor).toMatchObject([{ message: expect.stringContaining(`@${name}`) }]);
    expect(onConstructor[0]!.where).toContain('Tool');
  });
});
