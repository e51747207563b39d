/** FallbackService.run and forget. */
import { Injectable, Module, Scope } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Attempt,
  AttemptSignal,
  ChainHealthService,
  Degraded,
  FallbackChain,
  FallbackConfigurationError,
  FallbackService,
  createFallbackChain,
  receiptOf,
} from '../../../lib/index.js';
import type { AttemptContext, FallbackEvent, FallbackModuleOptions, Served } from '../../../lib/index.js';
import { down, gate } from '../../support/answers.js';
import { boot, closeAll } from '../../support/apps.js';
import { TestClock } from '../../support/test-clock.js';

@Injectable()
class Desk {
  readonly asked: unknown[][] = [];
  readonly signals: AbortSignal[] = [];
  readonly release = gate();
  isDown = false;

  @FallbackChain(['backup'], { name: 'desk' })
  async read(id: string, @AttemptSignal() signal?: AbortSignal): Promise<string> {
    this.asked.push([id]);
    if (signal !== undefined) this.signals.push(signal);
    return this.isDown ? down() : `${id} at ${this.constructor.name}`;
  }

  async backup(id: string, @Attempt() attempt?: AttemptContext): Promise<string> {
    return `backup of ${id} in ${attempt?.chain}`;
  }

  @FallbackChain([], { name: 'hangs' })
  async hangs(@AttemptSignal() signal?: AbortSignal): Promise<string> {
    if (signal !== undefined) this.signals.push(signal);
    await this.release.opened;
    return 'late';
  }

  @FallbackChain(['backup'], { enabled: () => false })
  async off(): Promise<string> {
    return down();
  }

  @Degraded({ lastKnownGood: { maxAge: '1h', refreshAfter: 1 }, mark: 'served' })
  async byArguments(id: string, @AttemptSignal() _signal?: AbortSignal): Promise<Served<string>> {
    return (this.isDown ? down() : `v-${id}`) as never;
  }

  @Degraded({ lastKnownGood: { maxAge: '1h', key: (id: string) => ['user', id] }, mark: 'served' })
  async byKey(id: string): Promise<Served<string>> {
    return (this.isDown ? down() : `k-${id}`) as never;
  }
}

@Injectable({ scope: Scope.REQUEST })
class PerRequest {
  @FallbackChain(['backup'], { name: 'per-request' })
  async read(): Promise<string> {
    return 'read';
  }

  async backup(): Promise<string> {
    return 'backup';
  }
}

@Injectable({ scope: Scope.TRANSIENT })
class PerHost extends PerRequest {}

class Base {
  @FallbackChain([], { name: 'base' })
  async read(): Promise<string> {
    return this.constructor.name;
  }
}
@Injectable()
class One extends Base {}
@Injectable()
class Two extends Base {}
const BaseProvider = { provide: Base, useClass: Base };

const start = async (fallback: FallbackModuleOptions = {}, providers: object[] = []) => {
  const module = await boot({ fallback, providers: [Desk, ...(providers as (typeof Desk)[])] });
  return {
    module,
    desk: module.get(Desk),
    fallback: module.get(FallbackService),
    health: module.get(ChainHealthService),
  };
};

describe('FallbackService.run', () => {
  afterEach(closeAll);

  it("runs a method's chain by its name, on the provider's instance", async () => {
    const { desk, fallback } = await start();
    expect(await fallback.run<string>('desk', ['7'])).toBe('7 at Desk');
    desk.isDown = true;
    expect(await fallback.run<string>('desk', ['8'])).toBe('backup of 8 in desk');
    expect(desk.asked).toEqual([['7'], ['8']]);
  });

  it('by its default name', async () => {
    const { fallback } = await start();
    expect(await fallback.run('Desk.byKey', ['1'])).toMatchObject({ value: 'k-1', degraded: false });
  });

  it('counts, circuits and events are those of the method', async () => {
    const events: FallbackEvent[] = [];
    const { desk, fallback, health } = await start({ observers: [(event) => void events.push(event)] });
    desk.isDown = true;
    await fallback.run('desk', ['1']);
    await desk.read('2');
    await fallback.run('desk', ['3']);
    expect(health.snapshot('desk').candidates[0]).toMatchObject({ state: 'open', counts: { transient: 3 } });
    expect(events.filter(({ name }) => name === 'call.served')).toHaveLength(3);
  });

  it('receipts are collected where it is called', async () => {
    const { desk, fallback } = await start();
    desk.isDown = true;
    const { receipt, receipts } = await fallback.withReceipt(() => fallback.run('desk', ['1']));
    expect(receipt).toMatchObject({ chain: 'desk', servedBy: 'backup', failedOver: true });
    expect(receipts).toHaveLength(1);
  });

  it("rejects with the chain's own error", async () => {
    const { desk, fallback } = await start();
    desk.isDown = true;
    const error: unknown = await fallback.run('Desk.byKey', ['1']).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'FALLBACK_EXHAUSTED', chain: 'Desk.byKey' });
    expect(receiptOf(error)).toMatchObject({ chain: 'Desk.byKey' });
  });

  it('a chain that is switched off runs its bare method', async () => {
    const { fallback } = await start();
    await expect(fallback.run('Desk.off')).rejects.not.toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
  });

  it.each(['by signal', 'by an argument'])('is ended %s, with its reason', async (way) => {
    const { desk, fallback } = await start();
    const controller = new AbortController();
    const other = new AbortController();
    const call =
      way === 'by signal'
        ? fallback.run('hangs', [other.signal], { signal: controller.signal })
        : fallback.run('hangs', [controller.signal], { signal: other.signal });
    const reason = new Error('enough');
    await Promise.resolve();
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(desk.signals[0]!.aborted).toBe(true);
  });

  it('a method that marks a place for a signal gets one there, given none', async () => {
    const { desk, fallback } = await start();
    await fallback.run('desk', ['1'], { signal: new AbortController().signal });
    expect(desk.signals).toHaveLength(1);
  });

  it('a signal that is aborted already: no candidate is called', async () => {
    const { desk, fallback } = await start();
    const reason = new Error('too late');
    await expect(fallback.run('desk', ['1'], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(desk.asked).toEqual([]);
  });

  it('options hold for this call only, between the chain and what is said of a candidate', async () => {
    const clock = new TestClock();
    const { fallback } = await start({ clock, overrides: { hangs: { timeout: '1h' } } });
    const errors: unknown[] = [];
    void fallback.run('hangs', [], { timeout: 40 }).catch((error: unknown) => errors.push(error));
    void fallback.run('hangs').catch((error: unknown) => errors.push(error));
    await clock.advance(40);
    expect(errors).toHaveLength(1);
    await clock.advance(3_600_000);
    expect(errors).toHaveLength(2);
    const pinned = await start({ clock, overrides: { hangs: { candidates: { hangs: { timeout: 5 } } } } });
    void pinned.fallback.run('hangs', [], { timeout: 40 }).catch((error: unknown) => errors.push(error));
    await clock.advance(5);
    expect(errors).toHaveLength(3);
  });

  it.each<[string, readonly unknown[], RegExp]>([
    ['a bad number', ['desk', [], { timeout: 0 }], /overrides\.desk\.timeout/],
    ['a misspelt option', ['desk', [], { timout: 5 }], /did you mean 'timeout'/],
    ['arguments that are no list', ['desk', 'x'], /Desk\.read \[args\]: give a list/],
    ['a signal that is none', ['desk', [], { signal: {} }], /Desk\.read \[signal\]: give an AbortSignal/],
  ])('%s is rejected, and nothing runs', async (_what, given, message) => {
    const { desk, fallback } = await start();
    const call = fallback.run(...(given as Parameters<FallbackService['run']>));
    await expect(call).rejects.toBeInstanceOf(FallbackConfigurationError);
    await expect(call).rejects.toThrow(message);
    expect(desk.asked).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['a name that no chain has', 'dekc'],
    ['the name of what every object has', 'constructor'],
    ['an empty name', ''],
  ])('%s: an error that names the chains there are', async (_what, name) => {
    const { fallback } = await start();
    const message = `no chain is called '${String(name)}'; there are: desk, hangs, Desk.off, Desk.byArguments, Desk.byKey`;
    await expect(fallback.run(name as string)).rejects.toThrow(message);
    await expect(fallback.forget(name as string, ['1'])).rejects.toThrow(message);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a function', () => 1],
    ['an object', {}],
  ])('%s is no chain', async (_what, given) => {
    const { fallback } = await start();
    await expect(fallback.run(given as string)).rejects.toThrow(/^give the name of a chain/);
  });

  it.each([
    ['request-scoped', PerRequest],
    ['transient', PerHost],
  ])('a %s host has no single instance: an error that says so', async (_scope, host) => {
    const { fallback } = await start({}, [host]);
    await expect(fallback.run('per-request')).rejects.toThrow(/PerRequest\.read .*the instance you have/);
  });

  it('a host that was loaded later, too', async () => {
    class Late {}
    Module({ providers: [One] })(Late);
    const { module, fallback } = await start();
    const loaded = await module.get(LazyModuleLoader).load(() => Late);
    expect(await loaded.get(One).read()).toBe('One');
    await expect(fallback.run('base')).rejects.toThrow(/the instance you have/);
  });

  it('an inherited chain: on the only class that has it, or on the one that declares it', async () => {
    expect(await (await start({}, [One])).fallback.run('base')).toBe('One');
    expect(await (await start({}, [One, Two, BaseProvider])).fallback.run('base')).toBe('Base');
    await expect((await start({}, [One, Two])).fallback.run('base')).rejects.toThrow(/One, Two/);
  });
});

describe('FallbackService.run with a chain of functions', () => {
  afterEach(closeAll);

  const chain = createFallbackChain<string>(
    [(_ctx, id = '-') => down(id), (_ctx, id = '-') => `backup of ${String(id)}`],
    {
      name: 'functions',
      args: ['own'],
    },
  );

  it.each([
    ['registered', { chains: [chain] }],
    ['not registered', {}],
  ])('%s: runs with the given arguments, else with its own', async (_what, options) => {
    const { fallback } = await start(options);
    expect(await fallback.run(chain, ['7'])).toBe('backup of 7');
    expect(await fallback.run(chain, [])).toBe('backup of -');
    expect(await fallback.run(chain)).toBe('backup of own');
    const { receipt } = await fallback.withReceipt(() => fallback.run(chain, ['7']));
    expect(receipt).toMatchObject({ chain: 'functions', servedBy: 'candidate1' });
  });

  it.each([
    ['registered', true],
    ['not registered', false],
  ])('%s: signal and options of the call', async (_what, isRegistered) => {
    const clock = new TestClock();
    const hangs = createFallbackChain<string>([() => new Promise<string>(() => {})], { name: 'hangs-too', clock });
    const { fallback } = await start({ clock, chains: isRegistered ? [hangs] : [] });
    const controller = new AbortController();
    const reason = new Error('enough');
    const ended = fallback.run(hangs, [], { signal: controller.signal });
    controller.abort(reason);
    await expect(ended).rejects.toBe(reason);
    let error: unknown;
    void fallback.run(hangs, [], { deadline: 40 }).catch((thrown: unknown) => (error = thrown));
    await clock.advance(40);
    expect(error).toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
    await expect(fallback.run(hangs, [], { deadline: 0 })).rejects.toBeInstanceOf(FallbackConfigurationError);
  });

  it('not registered: no name, and a memory of its own', async () => {
    const { fallback, health } = await start();
    const own = createFallbackChain<string>([() => down(), () => 'b'], { name: 'own' });
    await fallback.run(own);
    expect(own.health()[0]!.counts).toEqual({ transient: 1 });
    expect(health.check('own')).toMatchObject({ own: { status: 'down' } });
    await expect(fallback.run('own')).rejects.toThrow(/no chain is called 'own'/);
  });
});

describe('FallbackService.forget', () => {
  afterEach(closeAll);

  it('without a key function the key is the list of arguments', async () => {
    const { desk, fallback } = await start();
    await desk.byArguments('1', new AbortController().signal);
    await desk.byArguments('2');
    desk.isDown = true;
    expect(await desk.byArguments('1')).toMatchObject({ value: 'v-1', source: 'last-known-good' });
    await fallback.forget('Desk.byArguments', ['1']);
    await expect(desk.byArguments('1')).rejects.toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
    expect(await desk.byArguments('2')).toMatchObject({ value: 'v-2' });
  });

  it('with one it is what that gives', async () => {
    const { desk, fallback } = await start();
    await desk.byKey('1');
    await desk.byKey('2');
    desk.isDown = true;
    await fallback.forget('Desk.byKey', '1');
    expect(await desk.byKey('1')).toMatchObject({ value: 'k-1' });
    await fallback.forget('Desk.byKey', ['user', '1']);
    await expect(desk.byKey('1')).rejects.toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
    expect(await desk.byKey('2')).toMatchObject({ value: 'k-2' });
  });

  it('what is answered later is remembered again', async () => {
    const { desk, fallback } = await start();
    await desk.byKey('1');
    await fallback.forget('Desk.byKey', ['user', '1']);
    await desk.byKey('1');
    desk.isDown = true;
    expect(await desk.byKey('1')).toMatchObject({ value: 'k-1' });
  });

  it('for every class that inherits the chain', async () => {
    @Injectable()
    class Branch extends Desk {}
    const { module, desk, fallback } = await start({}, [Branch]);
    const branch = module.get(Branch);
    for (const each of [desk, branch]) {
      await each.byKey('1');
      each.isDown = true;
    }
    await fallback.forget('Desk.byKey', ['user', '1']);
    for (const each of [desk, branch]) await expect(each.byKey('1')).rejects.toThrow('failed');
  });

  it.each<[string, string, unknown]>([
    ['a key that was never used', 'Desk.byKey', 'nobody'],
    ['a key that is none', 'Desk.byKey', undefined],
    ['arguments without a key', 'Desk.byArguments', [new Map()]],
    ['a chain that remembers nothing', 'desk', 'x'],
  ])('%s: there is nothing to forget', async (_what, chain, key) => {
    const { fallback } = await start();
    await expect(fallback.forget(chain, key)).resolves.toBeUndefined();
  });

  it.each(['1', undefined, { id: '1' }])('without a key function %p is no list of arguments', async (key) => {
    const { fallback } = await start();
    await expect(fallback.forget('Desk.byArguments', key)).rejects.toThrow(/give an array/);
  });
});
