/** Random programs. The numbers are few and close together, so that things meet. */
import * as fc from 'fast-check';
import type { FailureKind } from '../../lib/core/index.js';
import type { Boundary, Does, Last, Play, Program, Rung, Step, SubstitutesOfProgram } from './program.js';

const RUNGS = 4;

/** Present in so many of ten; shrinks to absent. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>, outOfTen = 5): fc.Arbitrary<T | undefined> =>
  fc.oneof(
    { withCrossShrink: true },
    { weight: 10 - outOfTen, arbitrary: fc.constant(undefined) },
    { weight: outOfTen, arbitrary },
  );

/** A record whose absent members are absent, as a user's options are. */
function record<T extends object>(model: { [K in keyof T]-?: fc.Arbitrary<T[K] | undefined> }): fc.Arbitrary<T> {
  return fc
    .record(model as { [K in keyof T]: fc.Arbitrary<T[K]> })
    .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as T);
}

/** Weighted; shrinks to the first. */
const oneOf = <T>(...weighted: readonly (readonly [number, T])[]): fc.Arbitrary<T> =>
  fc.constantFrom(...weighted.flatMap(([weight, value]) => Array.from({ length: weight }, () => value)));

const does = oneOf<Does>(
  [6, 'ok'],
  [8, 'transient'],
  [2, 'thin'],
  [2, 'empty'],
  [2, 'rejected'],
  [2, 'timeout'],
  [3, 'rate-limited'],
  [2, 'denied'],
  [1, 'unsupported'],
  [1, 'terminal'],
  [1, 'budget'],
  [1, 'unknown'],
  [2, 'never'],
  [1, 'passes'],
);

const play: fc.Arbitrary<Play> = fc
  .record({
    does,
    after: oneOf([8, 0], [3, 10], [3, 40], [2, 60], [2, 120], [1, 2_000], [1, 40_000]),
    retryAfter: oneOf<number | undefined>([5, undefined], [1, 0], [1, 30], [2, 400], [2, 9_000], [1, 5_000_000]),
  })
  .map(({ does: what, after, retryAfter }) => {
    const isAdvised = retryAfter !== undefined && (what === 'transient' || what === 'rate-limited');
    return { does: what, after, ...(isAdvised && { retryAfter }) };
  });

const kinds = fc.subarray<FailureKind>(['transient', 'timeout', 'rate-limited', 'rejected', 'denied', 'unsupported'], {
  minLength: 1,
});

const breaker = record<NonNullable<Rung['breaker']>>({
  threshold: maybe(fc.constantFrom(1, 2, 4)),
  cooldown: maybe(fc.constantFrom(0, 50, 500, 30_000)),
  factor: maybe(fc.constantFrom(1, 3), 2),
  maxCooldown: maybe(fc.constantFrom(30_000, 70_000), 2),
});

const rung = (isFirst: boolean): fc.Arbitrary<Rung> =>
  record<Rung>({
    timeout: maybe(fc.constantFrom(50, 100, 1_000), 6),
    cost: maybe(fc.constantFrom(0, 1, 3), 4),
    onEmpty: maybe(fc.constantFrom('accept', 'continue', 'stop'), 2),
    degraded: maybe(fc.constant(true), 1),
    breaker: maybe(breaker, 7),
    whenOpen: maybe(fc.constantFrom('defer', 'skip', 'ignore'), 2),
    maxRetryAfter: maybe(fc.constantFrom(100, 20_000), 1),
    on: isFirst ? fc.constant(undefined) : maybe(kinds, 1),
    hasLateHooks: maybe(fc.constant(true), 1),
    heedsSignal: maybe(fc.constant(true), 1),
    speaksInValues: maybe(fc.constant(true), 1),
  });

const last: fc.Arbitrary<Last> = fc.oneof(
  fc.constant<Last>({ is: 'static' }),
  fc.record({
    is: fc.constant('computed' as const),
    gives: fc.constantFrom('value', 'primitive', 'error'),
    after: fc.constantFrom(0, 30, 80),
  }),
);

const substitutes = record<SubstitutesOfProgram>({
  mark: fc.constantFrom('receipt', 'property', 'served'),
  lastKnownGood: maybe(
    record<NonNullable<SubstitutesOfProgram['lastKnownGood']>>({
      maxAge: fc.constantFrom(0, 100, 5_000, 60_000, 3_600_000),
      refreshAfter: maybe(fc.constantFrom(50, 3_000), 1),
    }),
    7,
  ),
  last: maybe(last),
  on: maybe(kinds, 1),
});

const boundary: fc.Arbitrary<Boundary> = fc.record({
  of: oneOf<Boundary['of']>([4, 'reopening'], [1, 'lease'], [1, 'grace'], [3, 'age'], [1, 'refresh']),
  place: fc.nat(RUNGS - 1),
  isEarly: fc.boolean(),
});

const call = record<Step & { do: 'call' }>({
  do: fc.constant('call'),
  question: oneOf([4, 0], [1, 1]),
  // Whoever has no rung has no part.
  plays: fc.array(play, { minLength: RUNGS, maxLength: RUNGS }),
  isAborted: oneOf([30, false], [1, true]),
  isSwitchedOff: oneOf([6, false], [1, true]),
  at: maybe(boundary, 3),
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 20, arbitrary: call },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      ms: fc.constantFrom(5, 30, 50, 100, 450, 1_000, 5_000, 31_000, 70_000, 400_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('abort' as const), back: oneOf([3, 0], [1, 1]) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('jump' as const),
      ms: fc.constantFrom(-7_200_000, -3_000, 3_000, 7_200_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('isolate' as const, 'restore' as const), place: fc.nat(RUNGS - 1) }),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'reset' }) },
);

export const programs: fc.Arbitrary<Program> = record<Program>({
  rungs: fc
    .tuple(rung(true), fc.array(rung(false), { maxLength: RUNGS - 1 }))
    .map(([first, others]) => [first, ...others]),
  deadline: maybe(fc.constantFrom(60, 150, 1_500), 3),
  reserve: maybe(fc.constantFrom(20, 50), 3),
  unknown: maybe(fc.constantFrom('transient', 'terminal'), 1),
  rethrow: maybe(fc.constantFrom('aggregate', 'last'), 1),
  substitutes: maybe(substitutes),
  isWatched: fc.boolean(),
  steps: fc.array(step, { minLength: 1, maxLength: 14, size: 'max' }),
});
