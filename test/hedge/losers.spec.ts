import { describe, expect, it, jest } from '@jest/globals';
import { Observable } from 'rxjs';
import type { AttemptContext } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import type { Setup } from '../support/ladder.js';
import { fails, gives, hangs } from '../support/plays.js';
import { unhandledDuring } from '../support/rejections.js';

const down = new Error('down');
const hedged = (after: number, rungs: Setup['rungs'], more: Partial<Setup> = {}) =>
  open({ ...more, rungs, options: { cost: 0, hedge: { after }, breaker: { threshold: 1 }, ...more.options } });

describe('losers of a hedge', () => {
  it('their signals are aborted with a reason, in the moment of the answer', async () => {
    let signal: AbortSignal | undefined;
    const a = (ctx: AttemptContext) => {
      ({ signal } = ctx);
      return new Promise((_, reject) => {
        signal!.addEventListener('abort', () => reject(signal!.reason as Error));
      });
    };
    const ladder = await hedged(10, [
      { name: 'a', plays: a },
      { name: 'b', plays: gives('b', 10) },
    ]);
    const call = ladder.begin();
    await ladder.clock.advance(19);
    expect(signal!.aborted).toBe(false);
    await ladder.clock.advance(1);
    expect(call.value).toBe('b');
    expect(signal!.reason).toMatchObject({ name: 'AbortError' });
    expect(ladder.contexts[1]!.signal.aborted).toBe(false);
  });

  it('a signal that is first read afterwards is aborted', async () => {
    const ladder = await hedged(10, [
      { name: 'a', plays: hangs },
      { name: 'b', plays: gives('b') },
    ]);
    await ladder.call(undefined, 10);
    expect(ladder.contexts[0]!.signal.aborted).toBe(true);
    expect(ladder.contexts[0]!.signal.reason).toMatchObject({ name: 'AbortError' });
  });

  it('their Observables are unsubscribed, once', async () => {
    const unsubscribed = jest.fn();
    const ladder = await hedged(10, [
      { name: 'a', plays: hangs },
      { name: 'b', plays: () => new Observable(() => unsubscribed) },
      { name: 'c', plays: gives('c', 5) },
    ]);
    await ladder.call(undefined, 24);
    expect(unsubscribed).toHaveBeenCalledTimes(0);
    await ladder.clock.advance(1);
    expect(unsubscribed).toHaveBeenCalledTimes(1);
  });

  it('each has one record and one event, before the call is told served; what they bring later is nothing', async () => {
    const ladder = await hedged(
      10,
      [
        { name: 'a', plays: fails(down, 40) },
        { name: 'b', plays: gives('b', 10) },
      ],
      { degraded: { lastKnownGood: { maxAge: '1h' } } },
    );
    const rejections = await unhandledDuring(async () => {
      const call = await ladder.call(undefined, 20);
      expect(call.value).toBe('b');
      expect(call.attempts).toEqual(['a:cancelled', 'b:ok']);
      await ladder.clock.advance(100);
    });
    expect(rejections).toEqual([]);
    expect(ladder.events.map(({ name, candidate, kind }) => [name, candidate, kind])).toEqual([
      ['attempt.settled', 'a', 'cancelled'],
      ['attempt.settled', 'b', 'ok'],
      ['call.served', undefined, undefined],
    ]);
    expect(ladder.circuits).toEqual({ a: 'closed 0', b: 'closed 0' });
    const { candidates } = ladder.health.snapshot('ladder');
    expect(candidates.map(({ counts }) => counts)).toMatchObject([{ cancelled: 1 }, { ok: 1 }]);
  });

  it('a late good answer of a loser is not kept either', async () => {
    const ladder = await hedged(
      10,
      [
        { name: 'a', plays: [gives('late', 40), fails(down)] },
        { name: 'b', plays: [gives('b', 10), fails(down)] },
      ],
      { degraded: { lastKnownGood: { maxAge: '1h' } } },
    );
    await ladder.call(undefined, 100);
    expect(ladder.eventsNamed('attempt.late')).toEqual([]);
    expect((await ladder.call()).value).toBe('b');
  });

  it('a pending retry and a pending hook of a loser are given up', async () => {
    const thinking = jest.fn(() => new Promise<boolean>(() => {}));
    const ladder = await hedged(10, [
      { name: 'a', plays: fails(down), retries: { times: 5 } },
      { name: 'b', plays: gives('b'), accept: thinking },
      { name: 'c', plays: gives('c', 5) },
    ]);
    const call = ladder.begin();
    await ladder.clock.advance(9);
    const calls = ladder.calls.a;
    expect(thinking).toHaveBeenCalledTimes(0);
    await ladder.clock.advance(16);
    expect(call.value).toBe('c');
    expect(call.attempts).toEqual(['a:cancelled', 'b:cancelled', 'c:ok']);
    expect(thinking).toHaveBeenCalledTimes(1);
    expect(ladder.clock.timers).toBe(0);
    const after = ladder.calls.a!;
    await ladder.clock.advance(60_000);
    expect(ladder.calls.a).toBe(after);
    expect(after).toBeGreaterThanOrEqual(calls!);
  });

  it('hooks of a loser that has settled in the same moment are not asked', async () => {
    const accept = jest.fn(() => true);
    const ladder = await hedged(0, [
      { name: 'a', plays: gives('a', 10) },
      { name: 'b', plays: gives('b', 10), accept },
    ]);
    expect((await ladder.call(undefined, 10)).value).toBe('a');
    expect(accept.mock.calls.length).toBeLessThanOrEqual(1);
    expect(ladder.circuits).toEqual({ a: 'closed 0', b: 'closed 0' });
  });

  it('a terminal failure stops the call and the others with it', async () => {
    const missing = Object.assign(new Error('no such user'), { status: 404 });
    const ladder = await hedged(10, [
      { name: 'a', plays: hangs },
      { name: 'b', plays: fails(missing, 5) },
      { name: 'c', plays: gives('c') },
    ]);
    const call = await ladder.call(undefined, 15);
    expect(call.error).toBe(missing);
    expect(call.attempts).toEqual(['a:cancelled', 'b:terminal']);
    expect(call.receipt).toMatchObject({ stoppedBy: 'terminal', servedBy: null });
    expect(ladder.calls.c).toBe(0);
    expect(ladder.contexts[0]!.signal.aborted).toBe(true);
    expect(ladder.eventsNamed('call.stopped')).toHaveLength(1);
  });

  it('a loser that has timed out in the very moment is a timeout and counts', async () => {
    const ladder = await hedged(10, [
      { name: 'a', plays: hangs, timeout: 20 },
      { name: 'b', plays: gives('b', 11) },
    ]);
    const call = await ladder.call(undefined, 21);
    expect(call.attempts).toEqual(['a:timeout', 'b:ok']);
    expect(ladder.circuits.a).toBe('open 1 for 4999');
  });
});
