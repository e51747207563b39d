import { afterEach, describe, expect, it } from '@jest/globals';
import { denied, rateLimited } from '../../lib/index.js';
import { closeAll } from '../support/apps.js';
import { Fleet, hear, namesOf, openBy } from '../support/fleet.js';
import type { Member } from '../support/fleet.js';

afterEach(closeAll);

describe('what one process has learned', () => {
  it('all know: the others do not call a candidate that is down', async () => {
    const fleet = new Fleet();
    const [one, two] = (await fleet.start(2)) as [Member, Member];
    await openBy(fleet, one);
    expect(fleet.provider.calls).toBe(3);
    expect(await two.ask()).toEqual({ value: 'backup', tried: 'a:skipped(cooling) b:ok' });
    expect(fleet.provider.calls).toBe(3);
    expect(two.circuit()).toMatchObject({ state: 'open', coolingFor: 5_000 });
    expect(two.events.filter(({ name }) => name === 'circuit.opened')).toMatchObject([
      { chain: 'geocoder', candidate: 'a', kind: 'transient', by: 'fleet', cooldown: 5_000 },
    ]);
    expect(namesOf(one.events, 'circuit.opened')).toHaveLength(1);
  });

  it('failures of all processes count together', async () => {
    const fleet = new Fleet();
    const members = await fleet.start(3);
    fleet.breakDown();
    for (const member of members) {
      expect(member.circuit().state).toBe('closed');
      await member.ask();
    }
    await hear();
    expect(members.map((member) => member.circuit().state)).toEqual(['open', 'open', 'open']);
    expect(fleet.provider.calls).toBe(3);
  });

  it('a success anywhere forgets the failures of all', async () => {
    const fleet = new Fleet();
    const [one, two, three] = (await fleet.start(3)) as [Member, Member, Member];
    fleet.breakDown();
    await one.ask();
    await two.ask();
    fleet.mend();
    await three.ask();
    await hear();
    fleet.breakDown();
    await three.ask();
    await three.ask();
    await hear();
    expect(three.circuit().state).toBe('closed');
  });

  it('a process that starts later knows it before its first call', async () => {
    const fleet = new Fleet();
    await openBy(fleet, (await fleet.start(1))[0]!);
    await fleet.clock.advance(2_000);
    const late = await fleet.join();
    expect(late.circuit()).toMatchObject({ state: 'open', coolingFor: 3_000 });
    expect((await late.ask()).tried).toBe('a:skipped(cooling) b:ok');
    expect(fleet.provider.calls).toBe(3);
  });

  it('a delay that a provider asks for, and a denial, hold for all, also as the last resort', async () => {
    for (const [trouble, coolingFor] of [
      [rateLimited('slow down', { retryAfter: 60_000 }), 60_000],
      [denied('no money'), 300_000],
    ] as const) {
      const fleet = new Fleet({ hasBackup: false });
      const [one, two] = (await fleet.start(2)) as [Member, Member];
      fleet.breakDown(trouble);
      await one.ask();
      await hear();
      expect(two.circuit()).toMatchObject({ state: 'open', coolingFor });
      expect(await two.ask()).toEqual({ value: 'FALLBACK_EXHAUSTED', tried: 'a:skipped(cooling)' });
      expect(fleet.provider.calls).toBe(1);
    }
  });

  it('isolation, restoring and resets by hand reach all', async () => {
    const fleet = new Fleet();
    const [one, two] = (await fleet.start(2)) as [Member, Member];
    one.health.isolate('geocoder', 'a');
    await hear();
    expect(two.circuit().state).toBe('isolated');
    expect((await two.ask()).tried).toBe('a:skipped(isolated) b:ok');
    const late = await fleet.join();
    expect(late.circuit().state).toBe('isolated');
    two.health.restore('geocoder', 'a');
    await hear();
    expect([one, late].map((each) => each.circuit().state)).toEqual(['closed', 'closed']);
    await openBy(fleet, one);
    two.health.reset();
    await hear();
    expect([one, two, late].map((each) => each.circuit().state)).toEqual(['closed', 'closed', 'closed']);
    expect(namesOf(late.events, 'circuit')).toEqual([
      'circuit.isolated',
      'circuit.restored',
      'circuit.opened',
      'circuit.closed',
    ]);
  });

  it('when it last served survives a restart', async () => {
    const fleet = new Fleet();
    const first = (await fleet.start(1))[0]!;
    const servedAt = fleet.clock.wall();
    await first.ask();
    await first.close();
    await fleet.clock.advance(60_000);
    const again = await fleet.join();
    expect(again.circuit()).toMatchObject({ lastServedAt: servedAt, neverServed: false });
  });

  it('a share of failures is counted over all processes', async () => {
    const fleet = new Fleet({
      options: { breaker: { mode: 'rate', threshold: 100, window: '60s', volume: 8, share: 0.5 } },
    });
    const members = await fleet.start(4);
    for (const member of members) await member.ask();
    fleet.breakDown();
    for (const member of members) await member.ask();
    await hear();
    expect(members.map((member) => member.circuit().state)).toEqual(['open', 'open', 'open', 'open']);
  });
});

describe('the healthy path', () => {
  it('asks the store nothing for each call', async () => {
    const fleet = new Fleet();
    const [one] = (await fleet.start(1)) as [Member];
    for (let call = 0; call < 100; call++) await one.ask();
    expect(fleet.store.asked).toEqual(['admit', 'admit', 'record']);
    await fleet.clock.advance(30_000);
    for (let call = 0; call < 100; call++) await one.ask();
    expect(fleet.store.asked).toEqual(['admit', 'admit', 'record', 'record']);
  });
});

describe('a process that starts', () => {
  it('knows what is down before anybody can call', async () => {
    const fleet = new Fleet();
    await openBy(fleet, (await fleet.start(1))[0]!);
    const { inner } = fleet.store;
    const admit = inner.admit.bind(inner);
    inner.admit = async (...args) => {
      await hear();
      return admit(...args);
    };
    const late = await fleet.join();
    expect((await late.ask()).tried).toBe('a:skipped(cooling) b:ok');
  });

  it('waits for a store that hangs no longer than storeTimeout', async () => {
    const fleet = new Fleet({ storeTimeout: 100 });
    fleet.store.fault = () => new Promise(() => {});
    let isUp = false;
    const joining = fleet.join().then((member) => {
      isUp = true;
      return member;
    });
    await fleet.clock.advance(99);
    expect(isUp).toBe(false);
    expect(fleet.clock.refd).toBe(1);
    await fleet.clock.advance(1);
    const member = await joining;
    expect((await member.ask()).tried).toBe('a:ok');
    expect(namesOf(member.events, 'store')).toEqual(['store.failed']);
  });
});
