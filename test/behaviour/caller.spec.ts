import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { receiptOf } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import { fails, gives, hangs } from '../support/plays.js';
import type { Step } from '../support/plays.js';
import { settle } from '../support/test-clock.js';

const down = new Error('down');
const stop = new Error('the caller has gone');
const reasons = [
  ['an error', stop],
  ['a string', 'enough'],
  ['an error that looks like an ordinary failure', Object.assign(new Error('x'), { status: 503 })],
] as const;

describe("F09 the caller's signal is already aborted", () => {
  it.each(reasons)('F09 by %s: the call rejects with it and nobody is called', async (_what, reason) => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: gives('a') },
        { name: 'b', plays: gives('b') },
      ],
      degraded: { substitute: 'popular' },
    });
    const call = ladder.begin('q', AbortSignal.abort(reason));
    await settle();
    expect(call).toMatchObject({ took: 0 });
    expect(call.error).toBe(reason);
    expect(ladder.calls).toEqual({ a: 0, b: 0 });
    expect(call.attempts).toEqual([]);
    expect(call.receipt).toMatchObject({ servedBy: null, degraded: false, stoppedBy: 'cancelled', attempts: [] });
    expect(ladder.events.filter(({ name }) => name.startsWith('attempt.'))).toEqual([]);
    expect(ladder.circuits).toEqual({ a: 'closed 0', b: 'closed 0' });
    expect(ladder.clock.timers).toBe(0);
  });
});

describe('F10 the caller goes away while a candidate runs', () => {
  const late: readonly (readonly [string, Step])[] = [
    ['would resolve', gives('late', 60)],
    ['would reject', fails(down, 60)],
    ['never settles', hangs],
  ];

  describe.each([true, false])('watched: %s', (isWatched) => {
    it.each(late)('F10 one that ignores its signal and %s', async (_how, plays) => {
      const caller = new AbortController();
      let own: AbortSignal | undefined;
      const ladder = await open({
        rungs: [
          { name: 'a', plays: (ctx, ...rest) => ((own = ctx.signal), plays(ctx, ...rest)) },
          { name: 'b', plays: gives('b') },
        ],
        options: { breaker: { threshold: 1 }, timeout: 100 },
        degraded: { substitute: 'popular' },
        isWatched,
      });
      const call = ladder.begin('q', caller.signal);
      await ladder.clock.advance(20);
      expect(call.isSettled).toBe(false);

      caller.abort(stop);
      await settle();
      expect(call).toMatchObject({ took: 20 });
      expect(call.error).toBe(stop);
      expect(own).not.toBe(caller.signal);
      expect(own?.reason).toBe(stop);
      expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
      expect(receiptOf(stop)).toMatchObject({
        servedBy: null,
        degraded: false,
        stoppedBy: 'cancelled',
        attempts: [{ candidate: 'a', index: 0, attempt: 0, kind: 'cancelled', duration: 20 }],
      });
      const seen = structuredClone(ladder.events);

      await ladder.clock.advance(200);
      expect(call.error).toBe(stop);
      expect(ladder.calls).toEqual({ a: 1, b: 0 });
      expect(ladder.circuits).toEqual({ a: 'closed 0', b: 'closed 0' });
      expect(ladder.events).toEqual(seen);
      expect(ladder.clock.refd).toBe(0);
      expect(seen.map(({ name }) => name)).toEqual(isWatched ? ['attempt.settled', 'call.stopped'] : []);
    });
  });
});

describe('F28 a cancelled attempt says nothing of its candidate', () => {
  it('F28 while closed: no failure, whatever the threshold', async () => {
    const caller = new AbortController();
    const ladder = await open({
      rungs: [
        { name: 'p', plays: [hangs, gives('p')] },
        { name: 'backup', plays: gives('b') },
      ],
      options: { breaker: { threshold: 1 } },
    });
    const call = ladder.begin('q', caller.signal);
    await ladder.clock.advance(10);
    caller.abort(stop);
    await settle();
    expect(call.error).toBe(stop);
    expect(call.attempts).toEqual(['p:cancelled']);
    expect(ladder.circuits).toEqual({ p: 'closed 0', backup: 'closed 0' });
    expect(ladder.events.filter(({ name }) => name.startsWith('circuit.'))).toEqual([]);

    const next = await ladder.call('q');
    expect(next.value).toBe('p');
    expect(ladder.calls).toEqual({ p: 2, backup: 0 });
  });

  it('F28 as the half-open probe: the very next call may probe', async () => {
    const caller = new AbortController();
    const ladder = await open({
      rungs: [
        { name: 'p', plays: [fails(down), hangs, gives('p')] },
        { name: 'backup', plays: gives('b') },
      ],
      options: { breaker: { threshold: 1 } },
    });
    await ladder.call('q');
    await ladder.clock.advance(5_000);
    const probe = ladder.begin('q', caller.signal);
    const meanwhile = await ladder.call('q');
    expect(meanwhile.value).toBe('b');
    expect(meanwhile.attempts).toEqual(['p:skipped(cooling)', 'backup:ok']);

    caller.abort(stop);
    await settle();
    expect(probe.error).toBe(stop);
    expect(ladder.circuits).toEqual({ p: 'half-open 1', backup: 'closed 0' });
    const next = await ladder.call('q');
    expect(next.value).toBe('p');
    expect(next.attempts).toEqual(['p:ok']);
    expect(ladder.calls).toEqual({ p: 3, backup: 2 });
    expect(ladder.circuits).toEqual({ p: 'closed 0', backup: 'closed 0' });
  });
});
