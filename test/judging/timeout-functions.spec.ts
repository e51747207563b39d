import { describe, expect, it } from '@jest/globals';
import { AttemptTimeoutError } from '../../lib/index.js';
import type { AttemptContext, CandidateOptions } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import { fails, gives, hangs } from '../support/plays.js';
import type { Play } from '../support/plays.js';

const down = new Error('down');

const two = (timeout: NonNullable<CandidateOptions['timeout']>, plays: Play = hangs, own: CandidateOptions = {}) =>
  open({
    rungs: [
      { ...own, name: 'a', plays, timeout },
      { name: 'b', plays: gives('b') },
    ],
    options: { breaker: { threshold: 1 } },
  });

describe('a timeout that is a function of the attempt', () => {
  it.each([
    [20, 20],
    ['20ms', 20],
    ['1.5s', 1_500],
    [0.5, 0.5],
  ] as const)('%p bounds the attempt like a fixed one', async (said, ms) => {
    const ladder = await two(() => said);
    const call = await ladder.call(undefined, ms);
    expect(call).toMatchObject({ outcome: { value: 'b' }, took: ms });
    expect(call.attempts).toEqual(['a:timeout', 'b:ok']);
    expect(ladder.contexts[1]!.errors[0]).toBeInstanceOf(AttemptTimeoutError);
    expect(ladder.contexts[1]!.errors[0]).toMatchObject({ timeout: ms });
    expect(ladder.circuits.a).toBe('open 1 for 5000');
    // The one that is left keeps nothing alive and is the chain's: it is degraded, and waits to tell.
    expect([ladder.clock.refd, ladder.clock.timers]).toEqual([0, 1]);
  });

  it.each([[undefined], [Infinity]])('%p is no bound', async (said) => {
    const ladder = await two(() => said, gives('a', 1e7));
    expect((await ladder.call(undefined, 1e7)).value).toBe('a');
    expect(ladder.clock.timers).toBe(0);
  });

  it('its own timer is cleared at the end', async () => {
    const ladder = await two(() => 50, gives('a', 5));
    expect((await ladder.call(undefined, 5)).value).toBe('a');
    expect(ladder.clock.timers).toBe(0);
  });

  it('is asked once per attempt, with its context', async () => {
    const asked: AttemptContext[] = [];
    const timeout = (ctx: AttemptContext) => {
      asked.push(ctx);
      return ctx.errors.length === 0 ? 20 : 40;
    };
    const ladder = await open({
      rungs: [
        { name: 'a', plays: hangs },
        { name: 'b', plays: hangs },
        { name: 'c', plays: gives('c') },
      ],
      options: { timeout },
    });
    const call = await ladder.call(undefined, 60);
    expect(call).toMatchObject({ outcome: { value: 'c' }, took: 60 });
    expect(asked.map(({ candidate, index, attempt }) => [candidate, index, attempt])).toEqual([
      ['a', 0, 0],
      ['b', 1, 1],
      ['c', 2, 2],
    ]);
  });

  it('a part of what the deadline leaves', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: hangs },
        { name: 'b', plays: gives('b') },
      ],
      options: { deadline: 100, timeout: (ctx) => ctx.deadline.remaining() / 2 },
    });
    const call = await ladder.call(undefined, 50);
    expect(call).toMatchObject({ outcome: { value: 'b' }, took: 50 });
    expect(ladder.circuits.a).toBe('closed 1');
  });

  it('the deadline cuts one that gives itself more', async () => {
    const ladder = await open({
      rungs: [{ name: 'a', plays: hangs }],
      options: { deadline: 100, timeout: () => 1_000, breaker: { threshold: 1 } },
    });
    const call = await ladder.call(undefined, 100);
    expect(call.took).toBe(100);
    expect(ladder.circuits.a).toBe('closed 0');
    expect(ladder.clock.refd).toBe(0);
  });

  it('more than setTimeout keeps', async () => {
    const ladder = await two(() => 3e9);
    const call = await ladder.call(undefined, 3e9 - 1);
    expect(call.isSettled).toBe(false);
    await ladder.clock.advance(1);
    expect(call.value).toBe('b');
  });
});

describe('a timeout function that gives nonsense', () => {
  const nonsense: readonly (readonly [string, () => unknown])[] = [
    ['NaN', () => Number.NaN],
    ['-1', () => -1],
    ['0', () => 0],
    ["'0ms'", () => '0ms'],
    ["'5'", () => '5'],
    ["'soon'", () => 'soon'],
    ['null', () => null],
    ['an object', () => ({ ms: 5 })],
    ['true', () => true],
    ['a promise', () => Promise.resolve(5)],
    [
      'a throw',
      () => {
        throw down;
      },
    ],
  ];

  it.each(nonsense)('%s: not called, kind timeout, health untouched, one warning', async (_what, timeout) => {
    const ladder = await two(timeout as never, gives('a'));
    const call = await ladder.call();
    expect(call.value).toBe('b');
    expect(call.attempts).toEqual(['a:timeout', 'b:ok']);
    expect(ladder.calls).toEqual({ a: 0, b: 1 });
    expect(ladder.circuits).toEqual({ a: 'closed 0', b: 'closed 0' });
    expect(ladder.eventsNamed('hook.failed').map(({ candidate, hook }) => [candidate, hook])).toEqual([
      ['a', 'timeout'],
    ]);
    expect(ladder.clock.timers).toBe(0);
  });

  it('a rejecting promise of a timeout is no unhandled rejection', async () => {
    const ladder = await two((() => Promise.reject(down)) as never, gives('a'));
    expect((await ladder.call()).attempts).toEqual(['a:timeout', 'b:ok']);
  });

  it('frees the probe', async () => {
    let said: unknown = 100;
    const ladder = await two((() => said) as never, [fails(down), gives('a')]);
    await ladder.call();
    await ladder.goTo(5_000);
    said = 'soon';
    expect((await ladder.call()).attempts).toEqual(['a:timeout', 'b:ok']);
    said = 100;
    expect((await ladder.call()).value).toBe('a');
  });

  it('with an asynchronous supports it is asked once all the same', async () => {
    let asked = 0;
    const timeout = () => (++asked, 'soon') as never;
    const ladder = await two(timeout, gives('a'), { supports: () => Promise.resolve(true) });
    const call = await ladder.call();
    expect(call.value).toBe('b');
    expect(call.attempts).toEqual(['a:timeout', 'b:ok']);
    expect(asked).toBe(1);
    expect(ladder.eventsNamed('hook.failed')).toHaveLength(1);
  });
});
