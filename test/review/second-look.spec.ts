import { Controller, Get, Injectable, Module, Scope, UseGuards } from '@nestjs/common';
import type { CanActivate } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  ChainHealthService,
  Degraded,
  Fallback,
  FallbackService,
  classifyFailure,
  createFallbackChain,
  fallback,
  from,
} from '../../lib/index.js';
import type { AttemptRecord } from '../../lib/index.js';
import { down, gate } from '../support/answers.js';
import { boot, building, closeAll, listen, platforms } from '../support/apps.js';
import { faultsOf } from '../support/faulty.js';
import { TestClock } from '../support/test-clock.js';

describe('the time of an attempt', () => {
  it.each(['supports', 'on'] as const)('is not spent by the %s of a candidate before it', async (hook) => {
    const clock = new TestClock();
    let monotonic = 0;
    const stepping = { ...clockOf(clock), now: () => clock.now() + monotonic };
    const blocking = (): boolean => {
      monotonic += 60;
      return false;
    };
    const records: AttemptRecord[] = [];
    const call = fallback(
      [
        () => Promise.reject(new Error('down')),
        { name: 'b', run: () => 'b', [hook]: blocking },
        { name: 'c', run: () => clock.sleep(5).then(() => 'c') },
      ],
      { timeout: 50, clock: stepping, onAttempt: (record) => records.push(record) },
    );
    await clock.advance(10);
    expect(await call).toBe('c');
    expect(records.at(-1)).toMatchObject({ candidate: 'c', kind: 'ok', duration: 5 });
  });

  it('contains an asynchronous supports', async () => {
    const clock = new TestClock();
    const records: AttemptRecord[] = [];
    const supports = (): Promise<boolean> => clock.sleep(40).then(() => true);
    const slow = { name: 'a', supports, run: () => clock.sleep(1_000) };
    const call = fallback<unknown>([slow, () => 'b'], {
      timeout: 60,
      clock,
      onAttempt: (record) => records.push(record),
    });
    await clock.advance(60);
    expect(await call).toBe('b');
    expect(records[0]).toMatchObject({ kind: 'timeout', duration: 60 });
  });
});

function clockOf(clock: TestClock) {
  return {
    wall: () => clock.wall(),
    setTimer: (fn: () => void, delay: number) => clock.setTimer(fn, delay),
  };
}

it.each<readonly [string, unknown, string]>([
  ['status', 429, 'rate-limited'],
  ['statusCode', 404, 'terminal'],
  ['code', 'ECONNREFUSED', 'transient'],
  ['response', { status: 404 }, 'terminal'],
  ['originalError', Object.assign(new Error('inner'), { status: 404 }), 'terminal'],
  ['type', 'insufficient_quota', 'denied'],
])('a hidden %s of a plain error is read', (key, value, kind) => {
  expect(classifyFailure(Object.defineProperty(new Error('no'), key, { value })).kind).toBe(kind);
});

it('a listener gets copies: what it does to them changes nothing', async () => {
  const spoil = (record: AttemptRecord): void => {
    record.reason = 'gated';
  };
  const chain = createFallbackChain([() => down(), () => down()], { onAttempt: spoil });
  await expect(chain.run()).rejects.toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
});

it('a held answer that is served was served by its candidate', async () => {
  const clock = new TestClock();
  const thin = { name: 'thin', run: () => ({ city: 'Bern' }), assess: () => 'thin' as const };
  const chain = createFallbackChain<unknown>([thin, { name: 'down', run: () => down() }], { clock });
  await chain.run();
  expect(chain.health()[0]).toMatchObject({ candidate: 'thin', neverServed: false, lastServedAt: clock.wall() });
  expect(chain.health()[1]).toMatchObject({ candidate: 'down', neverServed: true });
});

describe.each(platforms)('a degraded answer after a withReceipt that is over, on $name', (platform) => {
  afterEach(closeAll);

  @Injectable()
  class Five {
    @Degraded({ substitute: 5, mark: 'receipt' })
    async read(): Promise<number> {
      return down();
    }
  }
  @Controller()
  class Handlers {
    constructor(
      private readonly five: Five,
      private readonly service: FallbackService,
    ) {}

    @Get()
    async late(): Promise<{ five: number }> {
      const opened = gate();
      let late: Promise<number> | undefined;
      await this.service.withReceipt(() => {
        late = opened.opened.then(() => this.five.read());
        return 1;
      });
      opened.open();
      return { five: await late! };
    }
  }

  it('still belongs to the request', async () => {
    const { url } = await listen(platform, { controllers: [Handlers], providers: [Five] });
    const response = await fetch(url);
    expect(await response.json()).toEqual({ five: 5 });
    expect(response.headers.get('degraded')).toContain('source=static');
  });
});

describe('what start-up looks at', () => {
  afterEach(closeAll);

  const guardWith = (candidate: string) => {
    @Injectable()
    class Guard implements CanActivate {
      async canActivate(): Promise<boolean> {
        return this.ask();
      }
      async ask(): Promise<boolean> {
        return down();
      }
      async spare(): Promise<boolean> {
        return true;
      }
    }
    const descriptor = Object.getOwnPropertyDescriptor(Guard.prototype, 'ask')!;
    Fallback(candidate as never, { name: 'guard' })(Guard.prototype, 'ask', descriptor as never);
    @Controller()
    class Guarded {
      @UseGuards(Guard)
      @Get()
      read(): string {
        return 'in';
      }
    }
    return Guarded;
  };

  it('guards that are named on a handler', async () => {
    const module = await boot({
      controllers: [guardWith('spare')],
      fallback: { overrides: { guard: { timeout: 10 } } },
    });
    expect(module.get(ChainHealthService).snapshot('guard').status).toBe('up');
    const faults = await faultsOf(() => boot({ controllers: [guardWith('nobody')] }));
    expect(faults).toMatchObject([{ where: 'Guard.ask', option: 'candidates[0]' }]);
  });

  it.each([
    ['a value', { useValue: { read: () => 'mock' } }],
    ['a factory', { useFactory: () => ({ read: () => 'mock' }) }],
  ])('no mock: %s in place of a decorated class warns of nothing', async (_how, mock) => {
    class Host {
      @Fallback('spare')
      async read(): Promise<string> {
        return down();
      }
      async spare(): Promise<string> {
        return 'spare';
      }
    }
    const warnings: unknown[] = [];
    const logger = { log() {}, error() {}, warn: (message: unknown) => warnings.push(message) };
    const builder = building({ providers: [{ provide: Host, ...mock }] }).setLogger(logger);
    const module = await (await builder.compile()).init();
    expect(module.get(Host).read()).toBe('mock');
    expect(warnings).toEqual([]);
    await module.close();
  });

  it('what a factory-made host could never be given', async () => {
    @Injectable({ scope: Scope.TRANSIENT })
    class Anew {
      async read(): Promise<string> {
        return 'made';
      }
    }
    class Host {
      @Fallback(from(Anew, 'read'))
      async read(): Promise<string> {
        return down();
      }
    }
    const faults = await faultsOf(() => boot({ providers: [Anew, { provide: Host, useFactory: () => new Host() }] }));
    expect(faults).toMatchObject([{ where: 'Host.read', option: 'candidates[0]' }]);
  });

  it('what a module imports but does not export on', async () => {
    @Injectable()
    class Hidden {
      async read(): Promise<string> {
        return 'hidden';
      }
    }
    @Injectable()
    class Host {
      @Fallback(from(Hidden, 'read'))
      async read(): Promise<string> {
        return down();
      }
    }
    @Module({ providers: [Hidden], exports: [Hidden] })
    class Deep {}
    @Module({ imports: [Deep] })
    class Closed {}
    @Module({ imports: [Deep], exports: [Deep] })
    class Open {}
    expect(await faultsOf(() => boot({ imports: [Closed], providers: [Host] }))).toHaveLength(1);
    const module = await boot({ imports: [Open], providers: [Host] });
    expect(await module.get(Host).read()).toBe('hidden');
  });

  it('overrides whose candidates are nothing', async () => {
    class Host {
      @Fallback('spare', { name: 'host' })
      async read(): Promise<string> {
        return down();
      }
      async spare(): Promise<string> {
        return 'spare';
      }
    }
    const overrides = { host: { candidates: null as never } };
    const faults = await faultsOf(() => boot({ providers: [Host], fallback: { overrides } }));
    expect(faults).toMatchObject([{ option: 'overrides.host.candidates' }]);
  });
});
