import { describe, expect, it } from '@jest/globals';
import { AttemptTimeoutError } from '../../lib/index.js';
import type { AttemptContext, FallbackExhaustedError } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import type { Ladder } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';
import type { Step } from '../support/plays.js';
import { settle } from '../support/test-clock.js';

/** Everything that could change when a late outcome comes, but what is said of the lateness itself. */
function stateOf({ health, events, calls }: Ladder) {
  const candidates = health.snapshot('ladder').candidates.map(({ counts, ...rest }) => {
    const { late: _late, 'paid-late': _paidLate, ...others } = counts;
    return { ...rest, counts: others };
  });
  return structuredClone({ candidates, calls, events: events.filter(({ name }) => !/^attempt\.late$/.test(name)) });
}

describe('F04 a timeout ends the attempt even if the candidate does not look', () => {
  // A rejection that stays unhandled fails the test in which it happens: the runner sees to that.
  const plays: readonly (readonly [string, Step])[] = [
    ['resolves late', gives('late', 50)],
    ['rejects late', fails(new Error('late'), 50)],
  ];

  describe.each(plays)('and %s', (_how, late) => {
    it.each([true, false])(
      'F04 the next answers at once; nothing comes afterwards (watched: %s)',
      async (isWatched) => {
        let signal: AbortSignal | undefined;
        const noting: Step = (ctx, ...rest) => {
          signal = ctx.signal;
          return late(ctx, ...rest);
        };
        const ladder = await open({
          rungs: [
            { name: 'a', plays: noting },
            { name: 'b', plays: gives('fast') },
          ],
          options: { timeout: 10 },
          isWatched,
        });
        const call = ladder.begin();
        await ladder.clock.advance(9);
        expect(call.isSettled).toBe(false);
        expect(signal?.aborted).toBe(false);

        await ladder.clock.advance(1);
        expect(call).toMatchObject({ outcome: { value: 'fast' }, took: 10 });
        expect(signal?.aborted).toBe(true);
        expect(signal?.reason).toBeInstanceOf(AttemptTimeoutError);
        expect(signal?.reason).toMatchObject({
          timeout: 10,
          message: 'Timed out after 10 ms',
          code: 'ATTEMPT_TIMEOUT',
        });
        expect(ladder.contexts[1]?.errors).toEqual([signal?.reason]);
        expect(ladder.contexts[1]?.errors[0]).toBe(signal?.reason);
        expect(ladder.calls).toEqual({ a: 1, b: 1 });
        expect(ladder.circuits).toEqual({ a: 'closed 1', b: 'closed 0' });
        expect(ladder.clock.refd).toBe(1);

        const before = stateOf(ladder);
        await ladder.clock.advance(40);
        await settle();
        expect(stateOf(ladder)).toEqual(before);
        expect(call).toMatchObject({ outcome: { value: 'fast' }, took: 10 });
        expect(ladder.clock.refd).toBe(0);
      },
    );

    it('F04 its record and its raw error say so', async () => {
      const ladder = await open({ rungs: [{ name: 'a', plays: late }], options: { timeout: 10 } });
      const call = await ladder.call(undefined, 10);
      expect(call.attempts).toEqual(['a:timeout']);
      expect(call.receipt?.attempts[0]).toMatchObject({ attempt: 0, duration: 10 });
      const [failure] = (call.error as FallbackExhaustedError).failures();
      expect(failure?.candidate).toBe('a');
      expect(failure?.error).toBeInstanceOf(AttemptTimeoutError);
      expect(failure?.error).toMatchObject({ timeout: 10, message: 'Timed out after 10 ms' });
      await ladder.clock.advance(40);
    });
  });

  it('F04 an answer that comes in time leaves no timer that keeps the process alive', async () => {
    const ladder = await open({ rungs: [{ name: 'a', plays: gives('ok', 9) }], options: { timeout: 10 } });
    const call = await ladder.call(undefined, 9);
    expect(call).toMatchObject({ outcome: { value: 'ok' }, took: 9 });
    expect(ladder.clock.refd).toBe(0);
  });
});

describe('F11 whose timer it was is our own knowledge', () => {
  const abortedBy = (error: (ctx: AttemptContext) => unknown): Step => {
    return (ctx) =>
      new Promise((_resolve, reject) => {
        ctx.signal.addEventListener('abort', () => reject(error(ctx)));
      });
  };

  it.each([
    ['an AbortError of its own', abortedBy(() => new DOMException('The operation was aborted', 'AbortError'))],
    ["its signal's reason", abortedBy(({ signal }) => signal.reason)],
    ['an error that looks terminal', abortedBy(() => Object.assign(new Error('no'), { status: 400 }))],
  ])('F11 a candidate that rejects in its abort listener with %s has timed out', async (_what, plays) => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays },
        { name: 'b', plays: gives(2) },
      ],
      options: { timeout: 10 },
    });
    const call = await ladder.call(undefined, 10);
    expect(call).toMatchObject({ outcome: { value: 2 }, took: 10 });
    expect(call.attempts).toEqual(['a:timeout', 'b:ok']);
    expect(call.receipt?.attempts.map(({ attempt }) => attempt)).toEqual([0, 1]);
    expect(call.receipt).toMatchObject({ servedBy: 'b', failedOver: true, degraded: false });
    expect(ladder.contexts[1]?.errors[0]).toBeInstanceOf(AttemptTimeoutError);
    expect(ladder.eventsNamed('attempt.settled').map(({ kind }) => kind)).toEqual(['timeout', 'ok']);
    expect(ladder.health.snapshot('ladder').candidates[0]).toMatchObject({
      lastKind: 'timeout',
      consecutiveFailures: 1,
      counts: { timeout: 1 },
    });
  });
});
