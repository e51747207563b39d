import { describe, expect, it } from '@jest/globals';
import { AttemptTimeoutError, DeadlineExceededError, FallbackExhaustedError } from '../../lib/index.js';
import type { AttemptContext } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import type { Call, Ladder } from '../support/ladder.js';
import { fails, gives, hangs } from '../support/plays.js';

const down = new Error('down');
const exhausted = ({ error }: Call): FallbackExhaustedError => {
  expect(error).toBeInstanceOf(FallbackExhaustedError);
  return error as FallbackExhaustedError;
};
const brief = ({ attempts }: FallbackExhaustedError) =>
  attempts.map(({ candidate, kind, reason }) => `${candidate}:${reason ?? kind}`);

describe('F39 the deadline of a call', () => {
  it('F39 a would fail only after 30 s: exhausted at 10 s, b is not called', async () => {
    let signal: AbortSignal | undefined;
    const ladder = await open({
      rungs: [
        { name: 'a', plays: (ctx, ...rest) => ((signal = ctx.signal), fails(down, 30_000)(ctx, ...rest)) },
        { name: 'b', plays: gives('b') },
      ],
      options: { deadline: '10s', breaker: { threshold: 1 } },
    });
    const call = ladder.begin();
    await ladder.clock.advance(9_999);
    expect(call.isSettled).toBe(false);
    await ladder.clock.advance(1);
    const error = exhausted(call);
    expect(call.took).toBe(10_000);
    expect(error.message).toBe('All 2 fallback candidates failed (a: timeout; b: deadline)');
    expect(error.attempts).toMatchObject([
      { candidate: 'a', kind: 'timeout', duration: 10_000 },
      { candidate: 'b', kind: 'skipped', reason: 'deadline' },
    ]);
    expect(ladder.calls).toEqual({ a: 1, b: 0 });
    // cut before any timeout of its own: no evidence
    expect(ladder.circuits).toEqual({ a: 'closed 0', b: 'closed 0' });
    const [failure] = error.failures();
    expect(failure!.error).toBeInstanceOf(DeadlineExceededError);
    expect(failure!.error).toMatchObject({ deadline: 10_000, code: 'DEADLINE_EXCEEDED' });
    expect(signal!.reason).toBe(failure!.error);
    await ladder.goTo(30_000);
    expect(ladder.circuits).toEqual({ a: 'closed 0', b: 'closed 0' });
    expect(ladder.eventsNamed('attempt.settled')).toHaveLength(1);
    expect(ladder.clock.refd).toBe(0);
  });

  it('F39 the second candidate gets what is left', async () => {
    const left: number[] = [];
    const look = (ctx: AttemptContext) => void left.push(ctx.deadline.remaining());
    const ladder = await open({
      rungs: [
        { name: 'a', plays: (ctx, ...rest) => (look(ctx), fails(down, 6_000)(ctx, ...rest)) },
        { name: 'b', plays: (ctx, ...rest) => (look(ctx), hangs(ctx, ...rest)), timeout: 5_000 },
        { name: 'c', plays: gives('c') },
      ],
      options: { deadline: '10s' },
    });
    const call = await ladder.call(undefined, 10_000);
    expect(call.took).toBe(10_000);
    expect(brief(exhausted(call))).toEqual(['a:transient', 'b:timeout', 'c:deadline']);
    expect(left).toEqual([10_000, 4_000]);
    expect(ladder.circuits).toEqual({ a: 'closed 1', b: 'closed 0', c: 'closed 0' });
  });

  it.each([
    ['its own timeout comes first', 4_000, 4_000, AttemptTimeoutError, 'closed 1'],
    ['the deadline comes first', 12_000, 10_000, DeadlineExceededError, 'closed 0'],
    // It had its whole own time.
    ['both come at once', 10_000, 10_000, AttemptTimeoutError, 'closed 1'],
  ])('F39 %s', async (_what, timeout, took, type, circuit) => {
    const ladder = await open({ rungs: [{ name: 'a', plays: hangs, timeout }], options: { deadline: '10s' } });
    const call = await ladder.call(undefined, 12_000);
    expect(call.took).toBe(took);
    const error = exhausted(call);
    expect(brief(error)).toEqual(['a:timeout']);
    expect(error.failures()[0]!.error).toBeInstanceOf(type);
    expect(ladder.circuits.a).toBe(circuit);
  });

  it('F39 a candidate that keeps the thread until after the deadline: nobody else is called', async () => {
    const ladder: Ladder = await open({
      rungs: [
        { name: 'a', plays: [(_ctx, clock) => clock.advance(30).then(() => fails(down)(_ctx, clock, []))] },
        { name: 'b', plays: gives('b') },
      ],
      options: { deadline: 20 },
    });
    const call = await ladder.call(undefined, 30);
    expect(brief(exhausted(call))).toEqual(['a:timeout', 'b:deadline']);
  });

  it('F39 nothing is left of the clock of a call that ends in time, and no timer holds the process', async () => {
    const ladder = await open({ rungs: [{ name: 'a', plays: gives('a', 5) }], options: { deadline: '10s' } });
    expect((await ladder.call(undefined, 5)).value).toBe('a');
    expect(ladder.clock.refd).toBe(0);
    await ladder.clock.advance(10_000);
    expect(ladder.clock.timers).toBe(0);
  });

  it('F39 an open candidate is no last resort after it: one record each', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: fails(down), breaker: { threshold: 1, cooldown: '1h' } },
        { name: 'b', plays: [gives('b'), hangs] },
      ],
      options: { deadline: 50 },
    });
    await ladder.call();
    const call = await ladder.call(undefined, 50);
    expect(brief(exhausted(call))).toEqual(['a:cooling', 'b:timeout']);
    expect(ladder.calls).toEqual({ a: 1, b: 2 });
  });

  it('F39 two calls have a deadline each', async () => {
    const ladder = await open({ rungs: [{ name: 'a', plays: hangs }], options: { deadline: 100 } });
    const first = ladder.begin();
    await ladder.clock.advance(60);
    const second = ladder.begin();
    await ladder.clock.advance(100);
    expect([first.took, second.took]).toEqual([100, 100]);
  });

  it('without a deadline the rest is Infinity; it never goes below 0', async () => {
    const ladder = await open({ rungs: [{ name: 'a', plays: gives('a') }] });
    await ladder.call();
    expect(ladder.contexts[0]!.deadline.remaining()).toBe(Infinity);
    const bounded = await open({ rungs: [{ name: 'a', plays: gives('a') }], options: { deadline: 20 } });
    await bounded.call();
    await bounded.clock.advance(50);
    expect(bounded.contexts[0]!.deadline.remaining()).toBe(0);
  });

  it("deadline: 'Infinity' is none", async () => {
    const ladder = await open({ rungs: [{ name: 'a', plays: gives('a', 1e9) }], options: { deadline: Infinity } });
    expect((await ladder.call(undefined, 1e9)).value).toBe('a');
    expect(ladder.clock.timers).toBe(0);
  });

  it('a deadline beyond what setTimeout keeps', async () => {
    const ladder = await open({ rungs: [{ name: 'a', plays: hangs }], options: { deadline: '40d' } });
    const call = await ladder.call(undefined, 40 * 86_400_000);
    expect(call.took).toBe(40 * 86_400_000);
    exhausted(call);
  });
});
