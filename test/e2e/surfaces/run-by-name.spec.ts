/** FallbackService.run: the chain of a method, by its name. */
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
  receiptOf,
} from '../../../lib/index.js';
import type { AttemptContext, FallbackEvent, FallbackModuleOptions } from '../../../lib/index.js';
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
  async off(_id: string): Promise<string> {
    return down();
  }

  @Degraded({ skip: true, enabled: () => false })
  async unnamed(): Promise<void> {
    return down();
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
    await expect(fallback.run('Desk.unnamed')).rejects.toMatchObject({ chain: 'Desk.unnamed' });
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
    const { fallback } = await start();
    const error: unknown = await fallback.run('Desk.unnamed').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'FALLBACK_EXHAUSTED', chain: 'Desk.unnamed' });
    expect(receiptOf(error)).toMatchObject({ chain: 'Desk.unnamed' });
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
    ['null for overrides', ['desk', [], null], /Desk\.read \[overrides\]: give an object with options; got null/],
    ['a number for overrides', ['desk', [], 5], /Desk\.read \[overrides\]: give an object with options; got 5/],
    ['a list for overrides', ['desk', [], []], /Desk\.read \[overrides\]: give an object with options/],
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
    const message = `no chain is called '${String(name)}'; there are: desk, hangs, Desk.off, Desk.unnamed`;
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
