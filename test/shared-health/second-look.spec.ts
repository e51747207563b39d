/** What was found by looking at shared health a second time. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { rateLimited } from '../../lib/index.js';
import { MemoryHealthStore } from '../../lib/testing/index.js';
import { boot, closeAll } from '../support/apps.js';
import { FaultyHealthStore, Fleet, hear, namesOf, openBy, refuses } from '../support/fleet.js';
import type { Member } from '../support/fleet.js';

afterEach(closeAll);

describe('a store that comes back', () => {
  it.each(['isolate', 'reset'] as const)(
    'is told what was ordered while it was asked how things are (%s)',
    async (action) => {
      const fleet = new Fleet();
      const [one, two] = (await fleet.start(2)) as [Member, Member];
      fleet.store.fault = refuses;
      one.health.isolate('geocoder', 'a');
      await hear();
      const { inner } = fleet.store;
      const control = inner.control.bind(inner);
      // While the catching up is under way.
      inner.control = async (...args) => {
        inner.control = control;
        await control(...args);
        if (action === 'reset') one.health.reset();
        else one.health.restore('geocoder', 'a');
      };
      fleet.store.fault = null;
      await fleet.clock.advance(2_000);
      expect(namesOf(one.events, 'store')).toEqual(['store.failed', 'store.recovered']);
      expect([one, two].map((each) => each.circuit().state)).toEqual(['closed', 'closed']);
      await openBy(fleet, one);
      expect(two.circuit().state).toBe('open');
    },
  );

  it.each([3, 15])('is told of a delay that the call in place %i of 20 was asked for', async (asked) => {
    const fleet = new Fleet({ hasBackup: false, options: { breaker: { threshold: 100 } } });
    const [one, two] = (await fleet.start(2)) as [Member, Member];
    fleet.store.fault = refuses;
    fleet.provider.takes = 10;
    const calls = Array.from({ length: 20 }, (_, place) => {
      fleet.breakDown(place === asked ? rateLimited('slow down', { retryAfter: 600_000 }) : new Error('down'));
      return one.ask();
    });
    await fleet.clock.advance(10);
    await Promise.all(calls);
    fleet.store.fault = null;
    await fleet.clock.advance(5_000);
    expect([one, two].map((each) => each.circuit().state)).toEqual(['open', 'open']);
  });

  it('is told nothing of what was too much for it at its best time', async () => {
    const fleet = new Fleet();
    const [one] = (await fleet.start(1)) as [Member];
    fleet.breakDown();
    fleet.store.fault = () => fleet.clock.sleep(50).then(() => ({ state: 'closed', epoch: 1, openUntil: 0 }));
    await Promise.all(Array.from({ length: 300 }, () => one.ask()));
    fleet.store.fault = null;
    await fleet.clock.advance(20_000);
    fleet.mend();
    for (let turn = 0; turn < 3; turn++) await one.ask();
    one.health.reset();
    await fleet.clock.advance(3_600_000);
    const told = fleet.store.asked.length;
    fleet.store.fault = refuses;
    fleet.breakDown();
    await one.ask();
    fleet.mend();
    fleet.store.fault = null;
    await one.ask();
    await fleet.clock.advance(5_000);
    expect(fleet.store.asked.length - told).toBeLessThan(8);
    expect((await fleet.join()).circuit()).toMatchObject({ state: 'closed' });
  });

  it('an answer that a change has overtaken is no sign of a store that began anew', async () => {
    const fleet = new Fleet();
    const [one] = (await fleet.start(1)) as [Member];
    one.health.isolate('geocoder', 'a');
    await hear();
    const { inner } = fleet.store;
    const admit = inner.admit.bind(inner);
    inner.admit = async (...args) => {
      const permit = await admit(...args);
      if (args[0] === 'geocoder/a') await inner.control('geocoder/a', 'restore');
      return permit;
    };
    const late = await fleet.join();
    expect(late.circuit().state).toBe('closed');
  });
});

describe('a change that was not heard', () => {
  const deaf = async () => {
    const fleet = new Fleet();
    const store = new FaultyHealthStore(fleet.clock, fleet.store.inner);
    store.subscribe = () => () => {};
    return { fleet, one: await fleet.join(), deafOne: await fleet.join(store) };
  };

  it.each(['isolate', 'reset'] as const)('is learned by passing the candidate by (%s)', async (action) => {
    const { fleet, one, deafOne } = await deaf();
    one.health.isolate('geocoder', 'a');
    await hear();
    deafOne.health.isolate('geocoder', 'a');
    if (action === 'reset') one.health.reset();
    else one.health.restore('geocoder', 'a');
    await hear();
    await fleet.clock.advance(30_000);
    await deafOne.ask();
    await hear();
    expect((await deafOne.ask()).tried).toBe('a:ok');
  });

  it('is learned at once by a store that hears again', async () => {
    const fleet = new Fleet();
    const store = new FaultyHealthStore(fleet.clock, fleet.store.inner);
    let hearsAgain = (): void => {};
    store.subscribe = (_listener: unknown, onListening?: () => void) => {
      hearsAgain = onListening!;
      return () => {};
    };
    const [one, deafOne] = [await fleet.join(), await fleet.join(store)];
    await deafOne.ask();
    one.health.isolate('geocoder', 'a');
    await hear();
    expect((await deafOne.ask()).tried).toBe('a:ok');
    hearsAgain();
    await hear();
    expect((await deafOne.ask()).tried).toBe('a:skipped(isolated) b:ok');
  });

  it('an isolation that the store has forgotten is told again', async () => {
    const fleet = new Fleet();
    const [one] = (await fleet.start(1)) as [Member];
    one.health.isolate('geocoder', 'a');
    await hear();
    fleet.store.inner = new MemoryHealthStore({ clock: fleet.clock });
    await fleet.clock.advance(30_000);
    await one.ask();
    await hear();
    expect((await fleet.join()).circuit().state).toBe('isolated');
  });

  it('a reading without a time shortens no cooldown', async () => {
    const fleet = new Fleet();
    const store = new FaultyHealthStore(fleet.clock);
    const record = store.record.bind(store);
    store.record = async (...args) => ({ ...(await record(...args)), retryIn: null as never });
    const one = await fleet.join(store);
    await openBy(fleet, one);
    expect(one.circuit()).toMatchObject({ state: 'open', coolingFor: 5_000 });
    expect(namesOf(one.events, 'circuit.opened')).toHaveLength(1);
  });
});

describe('the end', () => {
  it('of an application comes, whatever the store does', async () => {
    const fleet = new Fleet({ storeTimeout: Infinity });
    const [one] = (await fleet.start(1)) as [Member];
    fleet.store.fault = () => new Promise(() => {});
    fleet.breakDown();
    await one.ask();
    let isOver = false;
    const closing = one.close().then(() => (isOver = true));
    await fleet.clock.advance(4_000);
    expect(isOver).toBe(false);
    expect(fleet.clock.refd).toBe(1);
    await fleet.clock.advance(1_000);
    await closing;
    expect(fleet.clock.timers).toBe(0);
  });

  it('of an application that does not start leaves the store alone', async () => {
    const fleet = new Fleet();
    const { clock, store } = fleet;
    const booting = boot({ fallback: { clock, healthStore: store, overrides: { nobody: {} } } });
    await expect(booting).rejects.toMatchObject({ code: 'FALLBACK_CONFIGURATION' });
    await hear();
    expect(store.listeners).toBe(0);
  });

  it('of one application leaves another one that has the same store alone', async () => {
    const fleet = new Fleet();
    const store = new MemoryHealthStore({ clock: fleet.clock });
    const [one, two, three] = [await fleet.join(store), await fleet.join(store), await fleet.join(store)];
    await one.close();
    await openBy(fleet, two);
    expect(three.circuit().state).toBe('open');
  });
});
