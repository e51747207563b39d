import { afterEach, describe, expect, it } from '@jest/globals';
import { MemoryHealthStore } from '../../lib/testing/index.js';
import { closeAll } from '../support/apps.js';
import { Fleet, hear, namesOf } from '../support/fleet.js';
import type { Member } from '../support/fleet.js';
import { unhandledDuring } from '../support/rejections.js';

afterEach(closeAll);

const never = () => new Promise(() => {});

const faults: readonly [string, () => unknown, string][] = [
  ['hangs', never, 'timeout'],
  ['rejects', () => Promise.reject(new Error('READONLY')), 'error'],
  [
    'throws',
    () => {
      throw new Error('queue is full');
    },
    'error',
  ],
  ['answers nothing', () => undefined, 'unreadable'],
  ['answers garbage', () => Promise.resolve({ granted: 'yes', state: 'well' }), 'unreadable'],
  [
    'answers numbers that are none',
    () => Promise.resolve({ granted: true, probe: false, epoch: NaN, state: 'closed', retryIn: -1 }),
    'unreadable',
  ],
];

describe.each(faults)('a store that %s', (_what, fault, because) => {
  it('fails no call, is told of once, and once when it is back', async () => {
    const fleet = new Fleet({ storeTimeout: 100 });
    const [one, two] = (await fleet.start(2)) as [Member, Member];
    const unhandled = await unhandledDuring(async () => {
      fleet.store.fault = fault;
      fleet.breakDown();
      for (let turn = 0; turn < 3; turn++) expect((await one.ask()).tried).toBe('a:transient b:ok');
      await fleet.clock.advance(100);
      // By its own memory; the other knows nothing of it.
      expect((await one.ask()).tried).toBe('a:skipped(cooling) b:ok');
      expect((await two.ask()).tried).toBe('a:transient b:ok');
      await fleet.clock.advance(20_000);
      expect(namesOf(one.events, 'store')).toEqual(['store.failed']);
      expect(one.events.find(({ name }) => name === 'store.failed')).toMatchObject({
        chain: 'geocoder',
        operation: 'record',
        because,
      });
      fleet.store.fault = null;
      await fleet.clock.advance(31_000);
      expect(namesOf(one.events, 'store')).toEqual(['store.failed', 'store.recovered']);
    });
    expect(unhandled).toEqual([]);
    // What it had found out meanwhile, all know now.
    expect(two.circuit().state).not.toBe('closed');
  });

  it('when a probe is due, it is our own', async () => {
    const fleet = new Fleet({ storeTimeout: 100 });
    const [one] = (await fleet.start(1)) as [Member];
    fleet.breakDown();
    for (let turn = 0; turn < 3; turn++) await one.ask();
    fleet.store.fault = fault;
    await fleet.clock.advance(5_000);
    fleet.mend();
    await one.ask();
    await fleet.clock.advance(100);
    expect((await one.ask()).tried).toBe('a:ok');
    expect(one.circuit().state).toBe('closed');
    fleet.store.fault = null;
    await fleet.clock.advance(31_000);
    // The fleet's is closed by what was told late.
    expect((await fleet.join()).circuit().state).toBe('closed');
  });
});

describe('a store that was away', () => {
  it('is told of isolation by hand, and knows it again after it has lost everything', async () => {
    const fleet = new Fleet({ storeTimeout: 100 });
    const [one, two] = (await fleet.start(2)) as [Member, Member];
    fleet.store.fault = never;
    one.health.isolate('geocoder', 'a');
    await fleet.clock.advance(1_000);
    expect(two.circuit().state).toBe('closed');
    fleet.store.fault = null;
    await fleet.clock.advance(31_000);
    expect(two.circuit().state).toBe('isolated');

    fleet.store.fault = () => Promise.reject(new Error('gone'));
    await fleet.clock.advance(60_000);
    two.health.restore('geocoder', 'b');
    one.health.isolate('geocoder', 'b');
    await hear();
    fleet.store.inner = new MemoryHealthStore({ clock: fleet.clock });
    fleet.store.fault = null;
    await fleet.clock.advance(2_000);
    expect((await fleet.join()).circuit().state).toBe('isolated');
  });

  it('counts once what it had taken without having answered', async () => {
    const fleet = new Fleet({ storeTimeout: 100 });
    const [one, two] = (await fleet.start(2)) as [Member, Member];
    fleet.breakDown();
    const { inner } = fleet.store;
    const record = inner.record.bind(inner);
    // Taken, but the answer is lost.
    inner.record = async (...args) => {
      await record(...args);
      return never() as never;
    };
    await one.ask();
    await fleet.clock.advance(100);
    inner.record = record;
    await fleet.clock.advance(31_000);
    expect(namesOf(one.events, 'store')).toEqual(['store.failed', 'store.recovered']);
    await two.ask();
    await hear();
    expect(two.circuit()).toMatchObject({ state: 'closed', consecutiveFailures: 2 });
  });

  it('that has begun anew lets nobody forget what he knows, and goes on', async () => {
    const fleet = new Fleet();
    const [one, two] = (await fleet.start(2)) as [Member, Member];
    fleet.breakDown();
    for (let turn = 0; turn < 3; turn++) await one.ask();
    fleet.store.inner = new MemoryHealthStore({ clock: fleet.clock });
    await hear();
    expect([one, two].map((each) => each.circuit().state)).toEqual(['open', 'open']);
    await fleet.clock.advance(5_000);
    fleet.mend();
    await one.ask();
    expect((await one.ask()).tried).toBe('a:ok');
    await two.ask();
    expect((await two.ask()).tried).toBe('a:ok');
  });

  it('that was away and has begun anew is told what was found out meanwhile, and closes nobody', async () => {
    const fleet = new Fleet();
    const [one, two] = (await fleet.start(2)) as [Member, Member];
    fleet.breakDown();
    for (let turn = 0; turn < 3; turn++) await one.ask();
    await fleet.clock.advance(5_000);
    fleet.mend();
    await one.ask();
    expect((await one.ask()).tried).toBe('a:ok'); // closed: the store has a period for it
    fleet.store.fault = () => Promise.reject(new Error('away'));
    fleet.breakDown();
    for (let turn = 0; turn < 3; turn++) await one.ask();
    for (let turn = 0; turn < 3; turn++) await two.ask();
    expect([one, two].map((each) => each.circuit().state)).toEqual(['open', 'open']);
    one.events.length = two.events.length = 0;
    fleet.store.inner = new MemoryHealthStore({ clock: fleet.clock });
    fleet.store.fault = null;
    await fleet.clock.advance(1_000);
    await hear();
    expect([one, two].map((each) => namesOf(each.events, 'circuit'))).toEqual([[], []]);
    expect([one, two].map((each) => each.circuit().state)).toEqual(['open', 'open']);
  });

  it('is not asked again and again while it owes us an answer', async () => {
    const fleet = new Fleet({ storeTimeout: 100 });
    const [one] = (await fleet.start(1)) as [Member];
    fleet.breakDown();
    fleet.store.fault = never;
    for (let turn = 0; turn < 500; turn++) await one.ask();
    await fleet.clock.advance(100);
    const asked = fleet.store.asked.length;
    for (let turn = 0; turn < 500; turn++) await one.ask();
    await fleet.clock.advance(600_000);
    expect(fleet.store.asked.length - asked).toBeLessThan(25);
  });
});
