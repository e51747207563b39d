/** What becomes of a permit for the fleet's probe. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { closeAll } from '../support/apps.js';
import { Fleet, openBy, refuses } from '../support/fleet.js';
import type { Member } from '../support/fleet.js';

afterEach(closeAll);

describe('a permit for the probe', () => {
  const setUp = async (count: number) => {
    const fleet = new Fleet();
    const members = await fleet.start(count);
    await openBy(fleet, members[0]!);
    return { fleet, members };
  };

  it('is there at the second call after the cooldown, also where calls are rare', async () => {
    const { fleet, members } = await setUp(1);
    fleet.mend();
    const tried: string[] = [];
    for (let turn = 0; turn < 5; turn++) {
      await fleet.clock.advance(2_000);
      tried.push((await members[0]!.ask()).tried);
    }
    expect(tried.filter((each) => each === 'a:ok')).toHaveLength(2);
  });

  it.each<[string, (one: Member, fleet: Fleet) => Promise<unknown>]>([
    ['that nobody uses', (one: Member) => one.ask()],
    ['of an application that ends', (one: Member) => one.ask().then(() => one.close())],
    [
      'of an application that ends before it has heard of it',
      (one: Member, { clock, store: { inner } }: Fleet) => {
        const admit = inner.admit.bind(inner);
        inner.admit = async (...args) => {
          const permit = await admit(...args);
          inner.admit = admit;
          await clock.sleep(100);
          return permit;
        };
        return Promise.all([one.ask(), one.close()]);
      },
    ],
  ])('%s is given back', async (_what, end) => {
    const { fleet, members } = await setUp(2);
    const [one, two] = members as [Member, Member];
    await fleet.clock.advance(5_000);
    const ending = end(one, fleet);
    await fleet.clock.advance(1_100);
    await ending;
    fleet.mend();
    await two.ask();
    expect((await two.ask()).tried).toBe('a:ok');
  });

  it('that comes too late is given back', async () => {
    const { fleet, members } = await setUp(2);
    const [one, two] = members as [Member, Member];
    await fleet.clock.advance(5_000);
    const { inner } = fleet.store;
    fleet.store.fault = (operation) =>
      operation === 'admit'
        ? fleet.clock.sleep(300).then(() => inner.admit('geocoder/a', { lease: 30_000 }))
        : refuses();
    await one.ask();
    await fleet.clock.advance(260);
    fleet.store.fault = null;
    await fleet.clock.advance(2_000);
    fleet.mend();
    await two.ask();
    expect((await two.ask()).tried).toBe('a:ok');
  });

  it('is not taken by an application that only wants to know how things are', async () => {
    const { fleet, members } = await setUp(1);
    await fleet.clock.advance(5_000);
    await fleet.join();
    await fleet.clock.advance(10);
    fleet.mend();
    await members[0]!.ask();
    expect((await members[0]!.ask()).tried).toBe('a:ok');
  });
});
