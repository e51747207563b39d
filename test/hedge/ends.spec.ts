import { describe, expect, it } from '@jest/globals';
import { AttemptTimeoutError, DeadlineExceededError, FallbackExhaustedError } from '../../lib/index.js';
import type { ChainOptions } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import type { Setup } from '../support/ladder.js';
import { fails, gives, hangs } from '../support/plays.js';

const down = new Error('down');
const gone = new Error('gone');
const hedged = (rungs: Setup['rungs'], options: ChainOptions = {}, more: Partial<Setup> = {}) =>
  open({ ...more, rungs, options: { cost: 0, hedge: { after: 10 }, ...options } });

describe('how a hedged call ends', () => {
  it('all fail: exhausted, named in the order of their turns', async () => {
    const ladder = await hedged([
      { name: 'a', plays: fails(down, 30) },
      { name: 'b', plays: fails(gone, 5) },
    ]);
    const call = await ladder.call(undefined, 30);
    const error = call.error as FallbackExhaustedError;
    expect(error).toBeInstanceOf(FallbackExhaustedError);
    expect(error.message).toBe('All 2 fallback candidates failed (a: transient; b: transient)');
    expect(error.attempts.map(({ candidate, duration }) => [candidate, duration])).toEqual([
      ['a', 30],
      ['b', 5],
    ]);
    // The last one in time.
    expect(error.failures().at(-1)).toEqual({ candidate: 'a', error: down });
    expect(ladder.circuits).toEqual({ a: 'closed 1', b: 'closed 1' });
    expect(ladder.eventsNamed('call.exhausted')).toHaveLength(1);
  });

  it('all fail: the substitute is served, once', async () => {
    const ladder = await hedged(
      [
        { name: 'a', plays: fails(down, 30) },
        { name: 'b', plays: fails(gone, 5) },
      ],
      {},
      { degraded: { substitute: 'usual' } },
    );
    const call = await ladder.call(undefined, 30);
    expect(call.value).toBe('usual');
    expect(call.receipt).toMatchObject({ servedBy: null, source: 'static', degraded: true, reason: 'transient' });
  });

  it('each has its own timeout', async () => {
    const ladder = await hedged([
      { name: 'a', plays: hangs, timeout: 40 },
      { name: 'b', plays: hangs, timeout: 20 },
      { name: 'c', plays: gives('c', 30), timeout: () => 100 },
    ]);
    const call = ladder.begin();
    await ladder.clock.advance(40);
    expect(ladder.contexts[0]!.signal.reason).toBeInstanceOf(AttemptTimeoutError);
    await ladder.clock.advance(10);
    expect(call.value).toBe('c');
    expect(call.attempts).toEqual(['a:timeout', 'b:timeout', 'c:ok']);
    expect(ladder.clock.refd).toBe(0);
  });

  it('the deadline cuts all that run; those that had no turn are passed over', async () => {
    const ladder = await hedged(
      [
        { name: 'a', plays: hangs },
        { name: 'b', plays: hangs },
        { name: 'c', plays: gives('c') },
      ],
      { deadline: 15, breaker: { threshold: 1 } },
    );
    const call = await ladder.call(undefined, 15);
    const error = call.error as FallbackExhaustedError;
    expect(error.message).toBe('All 3 fallback candidates failed (a: timeout; b: timeout; c: deadline)');
    expect(call.took).toBe(15);
    for (const { signal } of ladder.contexts) expect(signal.reason).toBeInstanceOf(DeadlineExceededError);
    expect(ladder.circuits).toEqual({ a: 'closed 0', b: 'closed 0', c: 'closed 0' });
    expect(ladder.clock.refd).toBe(0);
  });

  it('a reserve is kept for the substitute', async () => {
    const ladder = await hedged(
      [
        { name: 'a', plays: hangs },
        { name: 'b', plays: hangs },
      ],
      { deadline: 100, reserve: 30 },
      { degraded: { substitute: () => ladder.clock.sleep(20).then(() => 'computed') } },
    );
    const call = await ladder.call(undefined, 90);
    expect([call.value, call.took]).toEqual(['computed', 90]);
  });

  it("the caller's signal ends all that run with its very reason", async () => {
    const ladder = await hedged([
      { name: 'a', plays: hangs },
      { name: 'b', plays: hangs },
      { name: 'c', plays: gives('c') },
    ]);
    const caller = new AbortController();
    const reason = new Error('changed my mind');
    const call = ladder.begin(undefined, caller.signal);
    await ladder.clock.advance(15);
    caller.abort(reason);
    await ladder.clock.advance(0);
    expect(call.error).toBe(reason);
    expect(call.attempts).toEqual(['a:cancelled', 'b:cancelled']);
    expect(call.receipt).toMatchObject({ stoppedBy: 'cancelled' });
    for (const { signal } of ladder.contexts) expect(signal.reason).toBe(reason);
    expect(ladder.eventsNamed('attempt.settled', 'call.stopped').map(({ name }) => name)).toEqual([
      'attempt.settled',
      'attempt.settled',
      'call.stopped',
    ]);
    await ladder.clock.advance(1_000);
    expect(ladder.calls.c).toBe(0);
    expect(ladder.clock.refd).toBe(0);
    expect(ladder.circuits).toEqual({ a: 'closed 0', b: 'closed 0', c: 'closed 0' });
  });

  it('already aborted: nobody is called', async () => {
    const ladder = await hedged([
      { name: 'a', plays: gives('a') },
      { name: 'b', plays: gives('b') },
    ]);
    const reason = new Error('too late');
    const call = ladder.begin(undefined, AbortSignal.abort(reason));
    await ladder.clock.advance(0);
    expect(call.error).toBe(reason);
    expect(ladder.calls).toEqual({ a: 0, b: 0 });
    expect(ladder.eventsNamed('call.stopped')).toHaveLength(1);
  });

  it('a candidate that ends its own call while it is called ends all', async () => {
    const caller = new AbortController();
    const reason = new Error('enough');
    const ladder = await hedged([
      { name: 'a', plays: hangs },
      { name: 'b', plays: () => (caller.abort(reason), new Promise(() => {})) },
    ]);
    const call = ladder.begin(undefined, caller.signal);
    await ladder.clock.advance(10);
    expect(call.error).toBe(reason);
    expect(call.attempts).toEqual(['a:cancelled', 'b:cancelled']);
    for (const { signal } of ladder.contexts) expect(signal.reason).toBe(reason);
  });

  it('shutdown gives it the drain time, then ends all that run', async () => {
    const ladder = await hedged([
      { name: 'a', plays: hangs },
      { name: 'b', plays: hangs },
    ]);
    const call = ladder.begin();
    await ladder.clock.advance(15);
    await ladder.close();
    expect(call.took).toBe(15 + 5_000);
    expect(call.error).toMatchObject({ code: 'SHUTTING_DOWN' });
    for (const { signal } of ladder.contexts) expect(signal.reason).toBe(call.error);
    expect(ladder.clock.timers).toBe(0);
  });
});
