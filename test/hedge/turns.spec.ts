import { describe, expect, it } from '@jest/globals';
import type { ChainOptions } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import type { Setup } from '../support/ladder.js';
import { fails, gives, hangs } from '../support/plays.js';

const down = new Error('down');
const breaker = { threshold: 1, cooldown: 1_000, factor: 1 };
const hedged = (rungs: Setup['rungs'], options: ChainOptions = {}, more: Partial<Setup> = {}) =>
  open({ ...more, rungs, options: { cost: 0, hedge: { after: 10 }, breaker, ...options } });

describe('whose turn it is in a hedge', () => {
  it('an open candidate is passed over, and the next has its turn in its place', async () => {
    const ladder = await hedged([
      { name: 'a', plays: hangs },
      { name: 'b', plays: fails(down) },
      { name: 'c', plays: gives('c', 5) },
    ]);
    await ladder.call(undefined, 15);
    expect(ladder.circuits.b).toMatch(/^open/);
    const call = await ladder.call(undefined, 15);
    expect(call.value).toBe('c');
    expect(call.attempts).toEqual(['a:cancelled', 'b:skipped(cooling)', 'c:ok']);
    expect(ladder.calls.b).toBe(1);
  });

  it('an open first candidate: the second starts at once, and the call has failed over', async () => {
    const ladder = await hedged([
      { name: 'a', plays: fails(down) },
      { name: 'b', plays: gives('b', 30) },
      { name: 'c', plays: hangs },
    ]);
    await ladder.call(undefined, 30);
    const call = await ladder.call(undefined, 30);
    expect(call.took).toBe(30);
    expect(call.attempts).toEqual(['a:skipped(cooling)', 'b:ok', 'c:cancelled']);
    expect(call.receipt).toMatchObject({ servedBy: 'b', failedOver: true });
  });

  it('a probe that loses is freed, and the next call probes again', async () => {
    const ladder = await hedged([
      { name: 'a', plays: [fails(down), hangs, gives('a')] },
      { name: 'b', plays: gives('b', 5) },
    ]);
    await ladder.call(undefined, 5);
    expect(ladder.circuits.a).toMatch(/^open/);
    await ladder.clock.advance(1_000);
    const lost = await ladder.call(undefined, 15);
    expect(lost.attempts).toEqual(['a:cancelled', 'b:ok']);
    expect(ladder.circuits.a).toBe('half-open 1');
    const won = await ladder.call();
    expect(won.value).toBe('a');
    expect(ladder.circuits.a).toBe('closed 0');
  });

  it('one probe only, however many hedged calls there are', async () => {
    const ladder = await hedged([
      { name: 'a', plays: [fails(down), gives('a', 8)] },
      { name: 'b', plays: gives('b', 5) },
    ]);
    await ladder.call(undefined, 5);
    await ladder.clock.advance(1_000);
    const calls = Array.from({ length: 5 }, () => ladder.begin());
    await ladder.clock.advance(8);
    expect(calls.map(({ value }) => value)).toEqual(['a', 'b', 'b', 'b', 'b']);
    expect(ladder.calls.a).toBe(2);
  });

  it('nobody else answered: open candidates are tried last, side by side too', async () => {
    const ladder = await hedged([
      { name: 'a', plays: [fails(down), hangs] },
      { name: 'b', plays: [fails(down), gives('b', 5)] },
      { name: 'c', plays: fails(down) },
    ]);
    await ladder.call();
    expect(ladder.circuits).toMatchObject({ a: 'open 1 for 1000', b: 'open 1 for 1000', c: 'open 1 for 1000' });
    const call = await ladder.call(undefined, 15);
    expect(call.value).toBe('b');
    expect(call.attempts).toEqual(['c:skipped(cooling)', 'a:cancelled', 'b:ok']);
    expect(ladder.circuits).toMatchObject({ a: 'open 1 for 985', b: 'closed 0' });
  });

  it('one that does not support the arguments is passed over, also as the first', async () => {
    const ladder = await hedged([
      { name: 'a', plays: gives('a'), supports: () => false },
      { name: 'b', plays: hangs },
      { name: 'c', plays: gives('c'), supports: () => false },
      { name: 'd', plays: gives('d', 5) },
    ]);
    const call = await ladder.call(undefined, 15);
    expect(call.value).toBe('d');
    expect(call.attempts).toEqual(['a:skipped(unsupported)', 'b:cancelled', 'c:skipped(unsupported)', 'd:ok']);
  });

  const later = (says: boolean, ms: number, clock: () => { sleep(ms: number): Promise<void> }) => () =>
    clock()
      .sleep(ms)
      .then(() => says);

  it('supports that answers late: the candidate begins then, while the others run on', async () => {
    const ladder = await hedged([
      { name: 'a', plays: gives('a', 60) },
      { name: 'b', plays: gives('b', 5), supports: later(true, 20, () => ladder.clock) },
      { name: 'c', plays: gives('c', 5), supports: later(false, 20, () => ladder.clock) },
    ]);
    const call = ladder.begin();
    await ladder.clock.advance(29);
    expect(ladder.calls.b).toBe(0);
    await ladder.clock.advance(6);
    expect(call.value).toBe('b');
    expect(call.attempts).toEqual(['a:cancelled', 'b:ok']);
  });

  it('its circuit is looked at when supports has answered, whatever came meanwhile', async () => {
    const ladder = await hedged(
      [
        { name: 'a', plays: fails(down, 5), whenOpen: 'ignore' },
        { name: 'b', plays: [fails(down), gives('b')], supports: later(true, 20, () => ladder.clock) },
      ],
      { hedge: { after: 1 } },
    );
    await ladder.call(undefined, 21);
    expect(ladder.circuits.b).toBe('open 1 for 1000');
    await ladder.goTo(1_005);
    const call = await ladder.call(undefined, 21);
    expect(call.value).toBe('b');
    expect(ladder.eventsNamed('circuit.half-opened')).toHaveLength(1);
    expect(ladder.eventsNamed('attempt.skipped')).toEqual([]);
  });

  it('a call that is decided meanwhile does not wait for it, and writes nothing of it', async () => {
    const ladder = await hedged([
      { name: 'a', plays: gives('a', 15) },
      { name: 'b', plays: gives('b'), supports: later(true, 1_000, () => ladder.clock) },
    ]);
    const call = await ladder.call(undefined, 15);
    expect(call.value).toBe('a');
    expect(call.took).toBe(15);
    expect(call.attempts).toEqual(['a:ok']);
    await ladder.clock.advance(5_000);
    expect(ladder.calls.b).toBe(0);
    expect(ladder.eventsNamed('attempt.skipped')).toEqual([]);
    expect(ladder.eventsNamed('call.served', 'call.stopped')).toHaveLength(1);
  });

  it('an abort meanwhile ends both, once', async () => {
    const ladder = await hedged([
      { name: 'a', plays: hangs },
      { name: 'b', plays: gives('b'), supports: later(true, 1_000, () => ladder.clock) },
    ]);
    const caller = new AbortController();
    const reason = new Error('changed my mind');
    const call = ladder.begin(undefined, caller.signal);
    await ladder.clock.advance(15);
    caller.abort(reason);
    await ladder.clock.advance(0);
    expect(call.error).toBe(reason);
    expect(call.attempts).toEqual(['a:cancelled']);
    expect(ladder.contexts[0]!.signal.reason).toBe(reason);
    await ladder.clock.advance(5_000);
    expect(ladder.eventsNamed('call.stopped')).toHaveLength(1);
    expect(ladder.clock.refd).toBe(0);
  });

  it('the deadline meanwhile ends both', async () => {
    const ladder = await hedged(
      [
        { name: 'a', plays: hangs },
        { name: 'b', plays: gives('b'), supports: later(true, 1_000, () => ladder.clock) },
      ],
      { deadline: 40 },
    );
    const call = await ladder.call(undefined, 40);
    expect(call.took).toBe(40);
    expect(call.error).toMatchObject({
      message: 'All 2 fallback candidates failed (a: timeout; b: deadline)',
    });
  });

  it('a candidate that answers some failures only is not started by slowness; those behind it are', async () => {
    const ladder = await hedged([
      { name: 'a', plays: hangs },
      { name: 'b', plays: gives('b', 5), on: ['timeout'] },
      { name: 'c', plays: gives('c', 5) },
    ]);
    const call = await ladder.call(undefined, 15);
    expect(call.value).toBe('c');
    expect(call.attempts).toEqual(['a:cancelled', 'c:ok']);
  });

  it('one that answers some failures only has its turn when one has failed', async () => {
    const ladder = await hedged([
      { name: 'a', plays: hangs, timeout: 20 },
      { name: 'b', plays: gives('b', 5), on: ['timeout'] },
      { name: 'c', plays: hangs },
    ]);
    const call = await ladder.call(undefined, 25);
    expect(call.value).toBe('b');
    expect(call.attempts).toEqual(['a:timeout', 'c:cancelled', 'b:ok']);
    const other = await hedged([
      { name: 'a', plays: fails(down, 20) },
      { name: 'b', plays: gives('b', 5), on: ['timeout'] },
      { name: 'c', plays: gives('c', 30) },
    ]);
    expect((await other.call(undefined, 40)).attempts).toEqual(['a:transient', 'c:ok', 'b:skipped(gated)']);
  });

  it('a single failure nobody answers: the very error of the method', async () => {
    const ladder = await hedged([
      { name: 'a', plays: fails(down, 20) },
      { name: 'b', plays: gives('b', 5), on: ['timeout'] },
    ]);
    expect((await ladder.call(undefined, 20)).error).toBe(down);
  });
});
