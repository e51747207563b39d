import { describe, expect, it } from '@jest/globals';
import { CHAIN, open } from '../support/ladder.js';
import type { Ladder } from '../support/ladder.js';
import { fails, gives, hangs } from '../support/plays.js';
import type { Play } from '../support/plays.js';

const S = 1_000;
const down = new Error('down');
const limited = (seconds: number) =>
  Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after': String(seconds) } });
const refused = Object.assign(new Error('who are you'), { status: 401 });

const two = (a: Play) =>
  open({
    rungs: [
      { name: 'a', plays: a },
      { name: 'b', plays: gives('b') },
    ],
    options: { breaker: { threshold: 1 } },
  });

const isolate = ({ health }: Ladder) => health.isolate(CHAIN, 'a');
const restore = ({ health }: Ladder) => health.restore(CHAIN, 'a');

describe('F28 F31 attempts that ran when the candidate was isolated', () => {
  it.each([
    ['a success', gives('late', 100)],
    ['a failure', fails(down, 100)],
  ])('F31 %s changes nothing, neither before nor after it is restored', async (_what, slow) => {
    for (const isRestored of [false, true]) {
      const ladder = await two([slow, gives('a')]);
      const call = ladder.begin();
      await ladder.clock.advance(0);
      isolate(ladder);
      if (isRestored) restore(ladder);
      await ladder.clock.advance(100);
      expect(call.isSettled).toBe(true);
      expect(ladder.circuits.a).toBe(isRestored ? 'closed 0' : 'isolated 0');
      expect(ladder.eventsNamed('circuit.opened', 'circuit.closed')).toEqual([]);
    }
  });

  it('F35 F37 a probe among them holds nothing', async () => {
    const ladder = await two([fails(down), hangs, gives('a')]);
    await ladder.call();
    await ladder.goTo(5 * S);
    ladder.begin();
    await ladder.clock.advance(0);
    isolate(ladder);
    expect(ladder.circuits.a).toBe('isolated 0');
    restore(ladder);
    expect((await ladder.call()).value).toBe('a');
  });

  it('F28 a caller who goes away meanwhile changes nothing', async () => {
    const ladder = await two(hangs);
    const caller = new AbortController();
    ladder.begin(undefined, caller.signal);
    await ladder.clock.advance(0);
    isolate(ladder);
    caller.abort();
    await ladder.clock.advance(0);
    expect(ladder.circuits.a).toBe('isolated 0');
  });
});

describe('F32 advice and isolation', () => {
  it('F32 a delay that was asked for before is waited for after the candidate is restored', async () => {
    const ladder = await two([fails(limited(90)), gives('a')]);
    await ladder.call();
    await ladder.goTo(30 * S);
    isolate(ladder);
    expect(ladder.circuits.a).toBe('isolated 0');
    expect((await ladder.call()).attempts[0]).toBe('a:skipped(isolated)');
    restore(ladder);
    expect(ladder.circuits.a).toBe('open 1 for 60000');
    await ladder.goTo(90 * S - 1);
    expect((await ladder.call()).attempts[0]).toBe('a:skipped(cooling)');
    await ladder.goTo(90 * S);
    expect((await ladder.call()).value).toBe('a');
    expect(ladder.circuits.a).toBe('closed 0');
  });

  it('F32 not if it has run out meanwhile', async () => {
    const ladder = await two([fails(limited(90)), gives('a')]);
    await ladder.call();
    isolate(ladder);
    await ladder.goTo(90 * S);
    restore(ladder);
    expect(ladder.circuits.a).toBe('closed 0');
  });

  it('F32 one that is asked for during the isolation is taken, the later of two, and ends nothing', async () => {
    const ladder = await two([fails(limited(90), 10), fails(limited(60), 20)]);
    ladder.begin();
    ladder.begin();
    await ladder.clock.advance(0);
    isolate(ladder);
    await ladder.clock.advance(20);
    expect(ladder.circuits.a).toBe('isolated 0');
    expect(ladder.eventsNamed('circuit.opened')).toEqual([]);
    await ladder.goTo(200 * S);
    expect((await ladder.call()).attempts[0]).toBe('a:skipped(isolated)');

    const again = await two([fails(limited(90), 10), fails(limited(60), 20)]);
    again.begin();
    again.begin();
    await again.clock.advance(0);
    isolate(again);
    await again.clock.advance(20);
    restore(again);
    expect(again.circuits.a).toBe('open 1 for 89990');
  });

  it('F32 as the only candidate it is no last resort then either', async () => {
    const ladder = await open({ rungs: [{ name: 'a', plays: fails(limited(90)) }] });
    await ladder.call();
    isolate(ladder);
    restore(ladder);
    expect((await ladder.call()).error).toMatchObject({ retryAfter: 90 * S });
    expect(ladder.calls.a).toBe(1);
  });

  it('a denial is put right by hand: nothing is waited for', async () => {
    const ladder = await two([fails(refused), gives('a')]);
    await ladder.call();
    expect(ladder.circuits.a).toBe('open 1 for 300000');
    isolate(ladder);
    restore(ladder);
    expect((await ladder.call()).value).toBe('a');
  });
});
