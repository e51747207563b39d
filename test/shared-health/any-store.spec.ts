import { afterEach, describe, expect, it } from '@jest/globals';
import { FallbackConfigurationError } from '../../lib/index.js';
import type { HealthStore } from '../../lib/index.js';
import { MemoryHealthStore } from '../../lib/testing/index.js';
import { boot, closeAll } from '../support/apps.js';
import { FaultyHealthStore, Fleet, hear } from '../support/fleet.js';
import type { Member } from '../support/fleet.js';

afterEach(closeAll);

describe('any HealthStore', () => {
  /** Only what the interface asks for: nothing that is optional. */
  const bare = (inner: HealthStore): HealthStore => ({
    admit: (key, options) =>
      inner.admit(key, options).then(({ granted, probe, epoch, retryIn }) => ({ granted, probe, epoch, retryIn })),
    record: (key, outcome) =>
      inner.record(key, outcome).then(({ state, epoch, openUntil }) => ({ state, epoch, openUntil })),
    control: (key, action) => inner.control(key, action),
  });

  it('will do without the optional parts: the others learn with their next failure', async () => {
    const fleet = new Fleet();
    const store = bare(new MemoryHealthStore({ clock: fleet.clock }));
    const one = await fleet.join(store);
    const two = await fleet.join(store);
    fleet.breakDown();
    for (let turn = 0; turn < 3; turn++) await one.ask();
    expect((await two.ask()).tried).toBe('a:transient b:ok');
    await hear();
    expect(two.circuit()).toMatchObject({ state: 'open', coolingFor: 5_000 });
    expect((await fleet.join(store)).circuit().state).toBe('open');
    await fleet.clock.advance(5_000);
    fleet.mend();
    for (const member of [one, two]) {
      await member.ask();
      expect((await member.ask()).tried).toBe('a:ok');
    }
  });

  it('may have no periods at all', async () => {
    const fleet = new Fleet();
    const truth = { isOpen: false, asked: 0 };
    const store: HealthStore = {
      admit: async (key) => {
        truth.asked++;
        const isOpen = truth.isOpen && key === 'geocoder/a';
        return { granted: !isOpen, probe: false, epoch: 0, retryIn: isOpen ? 5_000 : 0 };
      },
      record: async () => ({ state: truth.isOpen ? 'open' : 'closed', epoch: 0, openUntil: 0 }),
      control: async () => {},
    };
    truth.isOpen = true;
    const one = await fleet.join(store);
    expect((await one.ask()).tried).toBe('a:skipped(cooling) b:ok');
    truth.isOpen = false;
    await fleet.clock.advance(5_000);
    await one.ask();
    expect((await one.ask()).tried).toBe('a:ok');
    truth.asked = 0;
    one.health.isolate('geocoder', 'a');
    await fleet.clock.advance(60_000);
    await one.ask();
    await hear();
    expect(one.circuit().state).toBe('isolated');
    expect(truth.asked).toBeLessThan(5);
  });

  it('may tell no more than a state and a time by the wall clock', async () => {
    const fleet = new Fleet();
    let tell: (change: any) => void = () => {};
    const store: HealthStore = {
      admit: async () => ({ granted: true, probe: false, epoch: 0, retryIn: 0 }),
      record: async () => ({ state: 'closed', epoch: 0, openUntil: 0 }),
      control: async () => {},
      subscribe(listener) {
        tell = listener;
        return () => {};
      },
    };
    const one = await fleet.join(store);
    const openUntil = fleet.clock.wall() + 5_000;
    tell({ key: 'geocoder/a', state: 'open', epoch: 1, openUntil });
    expect(one.circuit()).toMatchObject({ state: 'open', coolingFor: 5_000 });
    expect((await one.ask()).tried).toBe('a:skipped(cooling) b:ok');
    tell({ key: 'geocoder/a', state: 'closed', epoch: 2, openUntil: 0 });
    expect((await one.ask()).tried).toBe('a:ok');
  });

  it('is left alone when the application ends', async () => {
    const fleet = new Fleet();
    const [one] = (await fleet.start(1)) as [Member];
    expect(fleet.store.listeners).toBe(1);
    await one.close();
    expect(fleet.store).toMatchObject({ listeners: 0, isClosed: true });
    expect(fleet.clock.timers).toBe(0);
  });

  it('whose subscribe throws, or tells nonsense, is used without', async () => {
    const fleet = new Fleet();
    const store = new FaultyHealthStore(fleet.clock);
    let listener: (change: never) => void = () => {};
    store.subscribe = (given) => {
      listener = given;
      throw new Error('no channel');
    };
    const one = await fleet.join(store);
    for (const nonsense of [null, 5, {}, { key: 'geocoder/a' }, { key: 'geocoder/a', state: 'odd', epoch: 1 }]) {
      expect(() => listener(nonsense as never)).not.toThrow();
    }
    expect((await one.ask()).tried).toBe('a:ok');
  });

  it('that is none is refused at start-up', async () => {
    for (const healthStore of [{}, 5, null, { admit: () => {}, record: 5, control: () => {} }]) {
      const booting = boot({ fallback: { healthStore: healthStore as never } });
      await expect(booting).rejects.toBeInstanceOf(FallbackConfigurationError);
      await expect(booting).rejects.toMatchObject({
        faults: [
          {
            where: 'FallbackModule.forRoot',
            option: 'healthStore',
            message: expect.stringContaining('RedisHealthStore'),
          },
        ],
      });
    }
  });
});
