import { describe, expect, it } from '@jest/globals';
import { served } from '../../lib/index.js';
import type { CandidateOptions, DegradedOptions } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import type { Ladder } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';
import type { Step } from '../support/plays.js';

const down = new Error('down');
const fromB = { of: 'b' };

/** a times out at 3000, b serves then; later calls fail on both, so that they show the last known good. */
const slow = (late: Step, own: CandidateOptions, degraded: Partial<DegradedOptions> = {}): Promise<Ladder> =>
  open({
    rungs: [
      { timeout: 3_000, ...own, name: 'a', plays: [late, fails(down)] },
      { name: 'b', plays: [gives(fromB), fails(down)] },
    ],
    options: { breaker: { threshold: 5 } },
    degraded: { lastKnownGood: { maxAge: '1h' }, ...degraded } as DegradedOptions,
  });

const lateEvents = ({ events }: Ladder) =>
  events.filter(({ name }) => name === 'attempt.late').map(({ candidate, kind }) => [candidate, kind]);
const counts = ({ health }: Ladder) => health.snapshot('ladder').candidates[0]!.counts;

describe('F21 an answer that comes after its timeout', () => {
  it.each([
    ['paid', { cost: 1 }, 'paid-late', 'paid-late'],
    ['free', { cost: 0 }, 'ok', 'late'],
    ['untiered', {}, 'ok', 'late'],
  ])('F21 %s: counted, and it refreshes the last known good', async (_tier, own, kind, counted) => {
    const ladder = await slow(gives({ of: 'a, late' }, 4_100), own);
    const call = await ladder.call('q', 3_000);
    expect(call).toMatchObject({ outcome: { value: fromB }, took: 3_000 });
    expect(call.attempts).toEqual(['a:timeout', 'b:ok']);
    const before = ladder.circuits;
    expect(before.a).toBe('closed 1');

    await ladder.goTo(4_099);
    expect(lateEvents(ladder)).toEqual([]);
    await ladder.goTo(4_100);
    expect(lateEvents(ladder)).toEqual([['a', kind]]);
    expect(ladder.calls).toEqual({ a: 1, b: 1 });
    expect(ladder.circuits).toEqual(before);
    expect(counts(ladder)).toEqual({ timeout: 1, [counted]: 1 });
    expect(ladder.eventsNamed('attempt.settled')).toHaveLength(2);
    expect(ladder.eventsNamed('call.served')).toHaveLength(1);

    await ladder.goTo(5_000);
    const later = await ladder.call('q');
    expect(later.value).toEqual({ of: 'a, late' });
    expect(later.receipt).toMatchObject({ source: 'last-known-good', age: 900, degraded: true });
  });

  it('F21 no write is due so soon after the last: counted only', async () => {
    const ladder = await slow(gives({ of: 'a, late' }, 3_999), {});
    await ladder.call('q', 3_999);
    expect(lateEvents(ladder)).toEqual([['a', 'ok']]);
    expect((await ladder.call('q')).value).toEqual(fromB);
  });

  it("F21 an answer that comes in its envelope is kept like one in time (mark: 'served')", async () => {
    const ladder = await slow(gives(served({ of: 'a, late' }), 4_100), {}, { mark: 'served' });
    await ladder.call('q', 4_100);
    expect(lateEvents(ladder)).toEqual([['a', 'ok']]);
    expect(ladder.eventsNamed('value.not-stored')).toEqual([]);
    expect((await ladder.call('q')).value).toMatchObject({
      value: { of: 'a, late' },
      source: 'last-known-good',
      degraded: true,
    });
  });

  it.each<readonly [string, Step, CandidateOptions]>([
    ['an error', fails(down, 4_100), {}],
    ['an answer that is not accepted', gives({ of: 'a' }, 4_100), { accept: () => false }],
    ['a thin answer', gives({ of: 'a' }, 4_100), { assess: () => 'thin' }],
    ['an answer that a hook cannot judge', gives({ of: 'a' }, 4_100), { accept: () => Promise.reject(down) }],
    ['an answer of a degraded candidate', gives({ of: 'a' }, 4_100), { degraded: true }],
    ['an answer that says it is degraded', gives({ of: 'a', degraded: true }, 4_100), {}],
    ['an empty answer', gives([], 4_100), { onEmpty: 'accept' }],
  ])('F21 %s is inert', async (_what, late, own) => {
    const ladder = await slow(late, own);
    await ladder.call('q', 3_000);
    const before = ladder.circuits;
    await ladder.goTo(4_100);
    expect(lateEvents(ladder)).toEqual([]);
    expect(ladder.circuits).toEqual(before);
    expect(counts(ladder)).toEqual({ timeout: 1 });
    expect((await ladder.call('q')).value).toEqual(fromB);
  });

  it('F21 an answer after the deadline of the call is late too', async () => {
    const ladder = await open({
      rungs: [{ name: 'a', plays: [gives({ of: 'a, late' }, 50), fails(down)] }],
      options: { deadline: 20 },
      degraded: { lastKnownGood: { maxAge: '1h' } },
    });
    expect((await ladder.call('q', 20)).error).toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
    await ladder.goTo(50);
    expect(lateEvents(ladder)).toEqual([['a', 'ok']]);
    expect((await ladder.call('q')).value).toEqual({ of: 'a, late' });
  });

  it('F21 what comes after the caller went away is discarded', async () => {
    const ladder = await slow(gives({ of: 'a, late' }, 100), {});
    const caller = new AbortController();
    const call = ladder.begin('q', caller.signal);
    await ladder.clock.advance(10);
    caller.abort(down);
    await ladder.goTo(4_000);
    expect(call.error).toBe(down);
    expect(lateEvents(ladder)).toEqual([]);
    expect(counts(ladder)).toEqual({ cancelled: 1 });
  });
});
