/** Stores that answer in ways that nobody expects. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { closeAll } from '../support/apps.js';
import { FaultyHealthStore, Fleet, hear, namesOf, openBy, refuses } from '../support/fleet.js';
import type { Member } from '../support/fleet.js';
import { unhandledDuring } from '../support/rejections.js';

afterEach(closeAll);

describe('a store', () => {
  it('whose subscribe is a promise is heard, and left; one that rejects ends nothing', async () => {
    const fleet = new Fleet();
    const store = new FaultyHealthStore(fleet.clock);
    const subscribe = store.subscribe.bind(store);
    store.subscribe = (async (listener: never) => subscribe(listener)) as never;
    const [one, two] = [await fleet.join(store), await fleet.join(store)];
    await openBy(fleet, one);
    expect(two.circuit().state).toBe('open');
    await one.close();
    expect(store.listeners).toBe(1);
    const deaf = new FaultyHealthStore(fleet.clock);
    deaf.subscribe = refuses as never;
    const unhandled = await unhandledDuring(async () => {
      expect((await (await fleet.join(deaf)).ask()).value).toBe('backup');
    });
    expect(unhandled).toEqual([]);
  });

  it.each<[string, object]>([
    [
      'that throws when it is looked at',
      {
        get state() {
          throw new Error('no');
        },
      },
    ],
    ['with a failure count that is none', { state: 'closed', epoch: 5, openUntil: 0, failures: NaN }],
    ['with a large integer', { state: 'closed', epoch: 5, openUntil: 0, failures: 2n }],
    ['with an endless period', { state: 'closed', epoch: Infinity, openUntil: 0 }],
  ])('that gives an answer %s is away', async (_what, answer) => {
    const fleet = new Fleet();
    const [one] = (await fleet.start(1)) as [Member];
    const unhandled = await unhandledDuring(async () => {
      fleet.store.fault = (operation) =>
        operation === 'record' ? Promise.resolve(answer) : fleet.store.inner.admit('x', { lease: 1 });
      await openBy(fleet, one);
    });
    expect(unhandled).toEqual([]);
    expect(one.circuit()).toMatchObject({ state: 'open', consecutiveFailures: 3 });
    expect(one.events.find(({ name }) => name === 'store.failed')).toMatchObject({ because: 'unreadable' });
  });

  it('is asked for an answer once: there are answers that are made by `then`', async () => {
    const fleet = new Fleet();
    let asked = 0;
    const store = new FaultyHealthStore(fleet.clock);
    const record = store.record.bind(store);
    store.record = (...args) => {
      const then = (ok: never, no: never) => {
        if (args[0] === 'geocoder/a') asked++;
        return record(...args).then(ok, no);
      };
      // oxlint-disable-next-line unicorn/no-thenable
      return { then } as never;
    };
    await openBy(fleet, await fleet.join(store));
    expect(asked).toBe(3);
  });

  it('that says more than it should says nothing of it in health and events', async () => {
    const fleet = new Fleet();
    const [one] = (await fleet.start(1)) as [Member];
    const admit = fleet.store.inner.admit.bind(fleet.store.inner);
    fleet.store.inner.admit = async (...args) => ({
      ...(await admit(...args)),
      lastServedAt: 'postgres://u:secret@h/' as never,
    });
    const record = fleet.store.inner.record.bind(fleet.store.inner);
    fleet.store.inner.record = async (...args) => ({
      ...(await record(...args)),
      kind: 'secret' as never,
    });
    await openBy(fleet, one);
    const late = await fleet.join();
    expect(JSON.stringify([late.circuit(), one.events, late.events])).not.toContain('secret');
  });

  it('that refuses one key and no other is used for the others', async () => {
    const fleet = new Fleet();
    const refused = new Set(['geocoder/a']);
    const store = new FaultyHealthStore(fleet.clock);
    const [admit, record] = [store.admit.bind(store), store.record.bind(store)];
    store.admit = (key, options) => (refused.has(key) ? refuses() : admit(key, options));
    store.record = (key, outcome) => (refused.has(key) ? refuses() : record(key, outcome));
    const [one, two] = [await fleet.join(store), await fleet.join(store)];
    await openBy(fleet, one);
    await fleet.clock.advance(60_000);
    expect(namesOf(one.events, 'store').length).toBeLessThan(5);
    one.health.isolate('geocoder', 'b');
    await hear();
    expect(two.health.snapshot('geocoder').candidates[1]!.state).toBe('isolated');
    refused.clear();
    one.health.reset();
    await fleet.clock.advance(60_000);
    await openBy(fleet, one);
    expect(two.circuit().state).toBe('open');
  });
});
