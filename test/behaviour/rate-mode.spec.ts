import { describe, expect, it } from '@jest/globals';
import { createFallbackChain } from '../../lib/core/index.js';
import type { BreakerOptions } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import type { Setup } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';
import type { Step } from '../support/plays.js';
import { TestClock } from '../support/test-clock.js';

const S = 1_000;
const down = new Error('down');
const limited = (retryAfter: number) =>
  Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after': retryAfter } });

/** One failure in three: never two in a row. */
const oneInThree = (call: number): Step => (call % 3 === 2 ? fails(down) : gives('a'));

const ladder = (plays: Setup['rungs'][number]['plays'], breaker: BreakerOptions = {}) =>
  open({
    rungs: [
      { name: 'a', plays },
      { name: 'b', plays: gives('b') },
    ],
    options: { breaker: { mode: 'rate', window: '60s', volume: 20, share: 0.3, ...breaker } },
  });

const script = (length: number, step: (call: number) => Step) => Array.from({ length }, (_, call) => step(call));

describe('F25 F34 rate mode: a candidate that fails one call in three', () => {
  it('F34 is never caught by the consecutive rule', async () => {
    const each = await ladder(script(90, oneInThree), { mode: 'consecutive' });
    for (let call = 0; call < 90; call++) await each.call();
    expect(each.calls.a).toBe(90);
    expect(each.eventsNamed('circuit.opened')).toEqual([]);
  });

  it('F25 is caught at the failure that finds enough outcomes, and cools like any other', async () => {
    const each = await ladder(script(30, oneInThree));
    for (let call = 1; call <= 20; call++) await each.call();
    expect(each.circuits.a).toBe('closed 0');
    expect((await each.call()).attempts).toEqual(['a:transient', 'b:ok']);
    expect(each.circuits.a).toBe('open 1 for 5000');
    expect(each.eventsNamed('circuit.opened')).toHaveLength(1);
    expect(each.eventsNamed('circuit.opened')[0]).toMatchObject({ candidate: 'a', kind: 'transient', cooldown: 5 * S });
    expect((await each.call()).attempts).toEqual(['a:skipped(cooling)', 'b:ok']);
  });

  it('F25 the defaults are 60 s, 20 outcomes and 30 in a hundred', async () => {
    const each = await open({
      rungs: [
        { name: 'a', plays: script(30, oneInThree) },
        { name: 'b', plays: gives('b') },
      ],
      options: { breaker: { mode: 'rate' } },
    });
    for (let call = 1; call <= 20; call++) await each.call();
    expect(each.circuits.a).toBe('closed 0');
    await each.call();
    expect(each.circuits.a).toBe('open 1 for 5000');
  });

  it('F34 a share below the limit never opens', async () => {
    const each = await ladder(script(200, (call) => (call % 4 === 3 ? fails(down) : gives('a'))));
    for (let call = 0; call < 200; call++) await each.call();
    expect(each.calls.a).toBe(200);
  });

  it.each([
    ['count until the window is over', 60 * S - 1, 'open 1 for 5000'],
    ['do not count when it is', 60 * S, 'closed 1'],
  ])('F25 earlier outcomes %s', async (_what, at, state) => {
    const each = await ladder([fails(down), gives('a'), gives('a'), fails(down)], { volume: 4, share: 0.5 });
    for (let call = 1; call <= 2; call++) await each.call();
    each.clock.setWall(0); // no matter of the wall clock
    await each.goTo(at);
    for (let call = 1; call <= 2; call++) await each.call();
    expect(each.circuits.a).toBe(state);
  });

  it('F25 the threshold counts beside it; Infinity leaves the share alone', async () => {
    const both = await ladder(fails(down));
    for (let call = 1; call <= 3; call++) await both.call();
    expect(both.circuits.a).toBe('open 3 for 5000');

    const alone = await ladder(fails(down), { threshold: Infinity });
    for (let call = 1; call <= 19; call++) await alone.call();
    expect(alone.circuits.a).toBe('closed 19');
    await alone.call();
    expect(alone.circuits.a).toBe('open 20 for 5000');
  });

  it('F25 what health ignores is no outcome', async () => {
    const notFound = fails(Object.assign(new Error('no such thing'), { status: 404 }));
    const each = await ladder([notFound, notFound, fails(down), gives('a'), notFound, fails(down)], {
      volume: 3,
      share: 0.5,
    });
    for (let call = 1; call <= 5; call++) await each.call();
    expect(each.circuits.a).toBe('closed 0');
    await each.call();
    expect(each.circuits.a).toBe('open 1 for 5000');
  });
});

describe('F31 F35 rate mode: a window belongs to one period', () => {
  const opened = async (...after: Step[]) => {
    const each = await ladder([fails(down), gives('a'), fails(down), ...after], { volume: 3, share: 0.5 });
    for (let call = 1; call <= 3; call++) await each.call();
    expect(each.circuits.a).toBe('open 1 for 5000');
    return each;
  };

  it('F35 a success of the probe forgets it', async () => {
    const each = await opened(gives('a'), fails(down), gives('a'), fails(down));
    await each.goTo(5 * S);
    expect((await each.call()).value).toBe('a');
    for (const state of ['closed 1', 'closed 0']) {
      await each.call();
      expect(each.circuits.a).toBe(state);
    }
    await each.call(); // the third outcome of the new period
    expect(each.circuits.a).toBe('open 1 for 5000');
  });

  it('F35 a probe that fails reopens at once, and for longer', async () => {
    const each = await opened(fails(down));
    await each.goTo(5 * S);
    await each.call();
    expect(each.circuits.a).toBe('open 2 for 10000');
  });

  it('F24 a success as the last resort forgets it', async () => {
    const each = await open({
      rungs: [{ name: 'a', plays: [fails(down), gives('a'), fails(down), gives('a'), fails(down)] }],
      options: { breaker: { mode: 'rate', volume: 3, share: 0.5 } },
    });
    for (let call = 1; call <= 4; call++) await each.call();
    expect(each.circuits.a).toBe('closed 0');
    await each.call();
    expect(each.circuits.a).toBe('closed 1');
  });

  it('F26 reset forgets it', async () => {
    const each = await ladder([fails(down), gives('a'), fails(down)], { volume: 3, share: 0.5 });
    for (let call = 1; call <= 2; call++) await each.call();
    each.health.reset();
    await each.call();
    expect(each.circuits.a).toBe('closed 1');
  });

  it('F31 slow outcomes of an earlier period are no outcomes of this one', async () => {
    const slow = fails(down, 6 * S);
    const each = await ladder([slow, slow, slow, fails(down), gives('a'), fails(down), gives('a'), gives('a')], {
      volume: 3,
      share: 0.5,
    });
    for (let call = 1; call <= 3; call++) each.begin();
    for (let call = 1; call <= 3; call++) await each.call();
    expect(each.circuits.a).toBe('open 1 for 5000');
    await each.goTo(5 * S);
    await each.call(); // the probe
    await each.call();
    await each.goTo(6 * S);
    expect(each.circuits.a).toBe('closed 0');
    expect(each.eventsNamed('circuit.opened')).toHaveLength(1);
  });
});

describe('F32 rate mode: advice', () => {
  it('F32 a Retry-After of 0 counts as a failure and opens nothing', async () => {
    const each = await ladder(fails(limited(0)), { volume: 2, share: 0.5, threshold: Infinity });
    for (let call = 1; call <= 5; call++) await each.call();
    expect(each.circuits.a).toBe('closed 5');
  });

  it('F32 the delay that comes with the failure that opens replaces the cooldown', async () => {
    const busy = Object.assign(new Error('busy'), { status: 503, headers: { 'retry-after': '90' } });
    const each = await ladder([fails(busy), gives('a'), fails(busy)], { volume: 3, share: 0.5 });
    await each.call();
    expect(each.circuits.a).toBe('closed 1');
    for (let call = 2; call <= 3; call++) await each.call();
    expect(each.circuits.a).toBe('open 1 for 90000');
  });
});

describe('rate mode in ./core', () => {
  it('F25 F26 opens, and reset forgets', async () => {
    let calls = 0;
    const a = async () => {
      if (calls++ % 3 === 2) throw down;
      return 'a';
    };
    const clock = new TestClock();
    const chain = createFallbackChain([a, async () => 'b'], { clock, breaker: { mode: 'rate' } });
    for (let call = 1; call <= 20; call++) await chain.run();
    expect(chain.health()[0]).toMatchObject({ state: 'closed' });
    chain.reset();
    for (let call = 1; call <= 19; call++) await chain.run();
    expect(chain.health()[0]).toMatchObject({ state: 'closed' });
    for (let call = 1; call <= 3; call++) await chain.run();
    expect(chain.health()[0]).toMatchObject({ state: 'open', consecutiveFailures: 1, coolingFor: 5 * S });
  });

  it('options of one run have a window of their own and leave the chain its own', async () => {
    const clock = new TestClock();
    const plays = [true, false, true, false, true, false, true];
    const a = async () => {
      if (plays.shift() === true) throw down;
      return 'a';
    };
    const chain = createFallbackChain([a], { clock, breaker: { mode: 'rate', volume: 3, share: 0.5 } });
    const shorter = { breaker: { window: '10s', volume: 3 } } as const;
    await chain.run().catch(() => {});
    for (let run = 1; run <= 2; run++) await chain.run(shorter).catch(() => {}); // ok, failure
    expect(chain.health()[0]).toMatchObject({ state: 'closed' });
    await chain.run(shorter); // 1 of 3
    await chain.run().catch(() => {}); // 2 of 2
    await chain.run(); // 2 of 3
    await chain.run().catch(() => {}); // 3 of 4
    expect(chain.health()[0]).toMatchObject({ state: 'open' });
  });
});
