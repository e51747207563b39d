import { afterEach, describe, expect, it } from '@jest/globals';
import { closeAll } from '../support/apps.js';
import { Fleet, hear, namesOf } from '../support/fleet.js';
import type { FleetSetup, Member } from '../support/fleet.js';

afterEach(closeAll);

/** Applications that all know the candidate to be down; its cooldown has just run out. */
async function due(count: number, setup: FleetSetup = {}): Promise<{ fleet: Fleet; members: Member[] }> {
  const fleet = new Fleet(setup);
  const members = await fleet.start(count);
  fleet.breakDown();
  for (let turn = 0; turn < 3; turn++) await members[0]!.ask();
  await fleet.clock.advance(5_000);
  fleet.provider.calls = 0;
  return { fleet, members };
}

const all = (members: readonly Member[], times: number) =>
  Promise.all(members.flatMap((member) => Array.from({ length: times }, () => member.ask())));

const triedOf = (asked: readonly { tried: string }[]): Record<string, number> =>
  asked.reduce<Record<string, number>>((counts, { tried }) => ({ ...counts, [tried]: (counts[tried] ?? 0) + 1 }), {});

describe('after a cooldown', () => {
  it('the fleet has one probe, whatever the concurrency; nobody waits for it', async () => {
    const { fleet, members } = await due(4);
    fleet.mend();
    fleet.provider.takes = 100;
    expect(triedOf(await all(members, 50))).toEqual({ 'a:skipped(cooling) b:ok': 200 });
    const calls = members.flatMap((member) => Array.from({ length: 50 }, () => member.ask()));
    await fleet.clock.advance(100);
    expect(triedOf(await Promise.all(calls))).toEqual({ 'a:ok': 1, 'a:skipped(cooling) b:ok': 199 });
    expect(fleet.provider.calls).toBe(1);
    expect(members.map((member) => member.circuit().state)).toEqual(['closed', 'closed', 'closed', 'closed']);
    fleet.provider.takes = 0;
    expect(triedOf(await all(members, 1))).toEqual({ 'a:ok': 4 });
  });

  it('a probe that fails reopens it for all, longer', async () => {
    const { fleet, members } = await due(3);
    await all(members, 1);
    expect(triedOf(await all(members, 5))).toMatchObject({ 'a:transient b:ok': 1 });
    await hear();
    expect(fleet.provider.calls).toBe(1);
    expect(members.map((member) => member.circuit())).toMatchObject(
      members.map(() => ({ state: 'open', coolingFor: 10_000 })),
    );
    expect(members.map(({ events }) => namesOf(events, 'circuit.opened').length)).toEqual([2, 2, 2]);
  });

  it('a call that has nobody else left waits for the word on the probe, and may be it', async () => {
    const { fleet, members } = await due(2, { hasBackup: false });
    fleet.mend();
    const asked = triedOf(await all(members, 20));
    expect(asked).toEqual({ 'a:ok': expect.any(Number), 'a:skipped(cooling)': expect.any(Number) });
    expect(fleet.provider.calls).toBe(asked['a:ok']);
    await hear();
    expect(triedOf(await all(members, 1))).toEqual({ 'a:ok': 2 });
  });

  it('with a slow provider exactly one of those calls is the probe', async () => {
    const { fleet, members } = await due(2, { hasBackup: false });
    fleet.mend();
    fleet.provider.takes = 100;
    const calls = members.flatMap((member) => Array.from({ length: 20 }, () => member.ask()));
    await fleet.clock.advance(100);
    expect(triedOf(await Promise.all(calls))).toEqual({ 'a:ok': 1, 'a:skipped(cooling)': 39 });
    expect(fleet.provider.calls).toBe(1);
  });

  it('a call that waits for the word is bound by its deadline', async () => {
    const { fleet, members } = await due(1, { hasBackup: false, options: { deadline: 40 }, storeTimeout: 250 });
    fleet.store.fault = () => new Promise(() => {});
    const call = members[0]!.ask();
    await fleet.clock.advance(39);
    let isOver = false;
    void call.then(() => (isOver = true));
    await hear();
    expect(isOver).toBe(false);
    await fleet.clock.advance(1);
    expect(await call).toMatchObject({ value: 'FALLBACK_EXHAUSTED' });
    expect(fleet.provider.calls).toBe(0);
    await fleet.clock.advance(250);
  });

  it('a store that does not answer lets it be our own probe, after storeTimeout', async () => {
    const { fleet, members } = await due(1, { hasBackup: false, storeTimeout: 100 });
    fleet.mend();
    fleet.store.fault = () => new Promise(() => {});
    const call = members[0]!.ask();
    await fleet.clock.advance(99);
    expect(fleet.provider.calls).toBe(0);
    await fleet.clock.advance(1);
    expect(await call).toEqual({ value: 'primary', tried: 'a:ok' });
  });

  it('where calls are rare, the permit waits for the next one', async () => {
    const { fleet, members } = await due(2);
    const [one] = members as [Member];
    fleet.mend();
    const tried: string[] = [];
    for (let turn = 0; turn < 3; turn++) {
      tried.push((await one.ask()).tried);
      await fleet.clock.advance(60_000);
    }
    expect(tried).toEqual(['a:skipped(cooling) b:ok', 'a:skipped(cooling) b:ok', 'a:ok']);
  });

  it('a process that dies with the probe locks nobody out for longer than its lease', async () => {
    const { fleet, members } = await due(2);
    const [one, two] = members as [Member, Member];
    await one.ask();
    expect((await two.ask()).tried).toBe('a:skipped(cooling) b:ok');
    await one.close();
    await fleet.clock.advance(2_000);
    fleet.mend();
    await two.ask();
    expect((await two.ask()).tried).toBe('a:ok');
  });

  it('what began before counts for nothing; what it advises does', async () => {
    const fleet = new Fleet();
    const [one, two] = (await fleet.start(2)) as [Member, Member];
    fleet.provider.takes = 900;
    fleet.breakDown();
    const slow = [two.ask(), two.ask(), two.ask()];
    await fleet.clock.advance(10);
    fleet.provider.takes = 0;
    for (let turn = 0; turn < 3; turn++) await one.ask();
    one.health.reset();
    fleet.mend();
    await fleet.clock.advance(890);
    await Promise.all(slow);
    await hear();
    expect([one, two].map((each) => each.circuit().state)).toEqual(['closed', 'closed']);
  });
});
