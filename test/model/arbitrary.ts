/** Random programs. The numbers are few and close together, so that things meet. */
import * as fc from 'fast-check';
import type { FailureKind } from '../../lib/core/index.js';
import type {
  Boundary,
  Does,
  Last,
  Play,
  Program,
  Rung,
  Script,
  Step,
  StreamOptions,
  SubstitutesOfProgram,
} from './program.js';
import { end, options, script, takes } from './stream-arbitrary.js';
import { maybe, oneOf, record } from './draw.js';

const RUNGS = 4;

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

const last = (isStream: boolean): fc.Arbitrary<Last> =>
  fc.oneof(
    isStream
      ? fc.record({ is: fc.constant('static' as const), isList: fc.boolean() })
      : fc.constant<Last>({ is: 'static' }),
    fc.record({
      is: fc.constant('computed' as const),
      gives: fc.constantFrom('value', 'primitive', 'error'),
      after: fc.constantFrom(0, 30, 80),
    }),
  );

/** @param collect only of streams */
const substitutes = (final: fc.Arbitrary<Last>, collect: fc.Arbitrary<number | undefined>) =>
  record<SubstitutesOfProgram>({
    mark: fc.constantFrom('receipt', 'property', 'served'),
    lastKnownGood: maybe(
      record<NonNullable<SubstitutesOfProgram['lastKnownGood']>>({
        maxAge: fc.constantFrom(0, 100, 5_000, 60_000, 3_600_000),
        refreshAfter: maybe(fc.constantFrom(50, 3_000), 1),
        collect,
      }),
      7,
    ),
    last: maybe(final),
    on: maybe(kinds, 1),
  });

const absent = fc.constant(undefined);

const boundary: fc.Arbitrary<Boundary> = fc.record({
  of: oneOf<Boundary['of']>([4, 'reopening'], [1, 'lease'], [1, 'grace'], [3, 'age'], [1, 'refresh']),
  place: fc.nat(RUNGS - 1),
  isEarly: fc.boolean(),
});

/** What the steps of a call are made of; of streams there is more. */
interface CallArbitraries {
  readonly plays: fc.Arbitrary<readonly Play[]>;
  readonly scripts: fc.Arbitrary<readonly Script[] | undefined>;
  readonly takes: fc.Arbitrary<number | undefined>;
}

const call = (more: CallArbitraries) =>
  record<Step & { do: 'call' }>({
    do: fc.constant('call'),
    question: oneOf([4, 0], [1, 1]),
    ...more,
    isAborted: oneOf([30, false], [1, true]),
    isSwitchedOff: oneOf([6, false], [1, true]),
    at: maybe(boundary, 3),
  });

const otherSteps: fc.WeightedArbitrary<Step>[] = [
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
];

const leave = fc.record({ do: fc.constant('leave' as const), back: oneOf([3, 0], [1, 1]) });

interface ProgramArbitraries {
  readonly substitutes: fc.Arbitrary<SubstitutesOfProgram>;
  readonly stream: fc.Arbitrary<StreamOptions | undefined>;
  readonly step: fc.Arbitrary<Step>;
}

const program = ({ substitutes: instead, stream, step }: ProgramArbitraries): fc.Arbitrary<Program> =>
  record<Program>({
    rungs: fc
      .tuple(rung(true), fc.array(rung(false), { maxLength: RUNGS - 1 }))
      .map(([first, others]) => [first, ...others]),
    deadline: maybe(fc.constantFrom(60, 150, 1_500), 3),
    reserve: maybe(fc.constantFrom(20, 50), 3),
    unknown: maybe(fc.constantFrom('transient', 'terminal'), 1),
    rethrow: maybe(fc.constantFrom('aggregate', 'last'), 1),
    substitutes: maybe(instead),
    stream,
    isWatched: fc.boolean(),
    steps: fc.array(step, { minLength: 1, maxLength: 14, size: 'max' }),
  });

// Whoever has no rung has no part.
const forAll = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: RUNGS, maxLength: RUNGS });

export const programs = program({
  substitutes: substitutes(last(false), absent),
  stream: absent,
  step: fc.oneof(
    { weight: 20, arbitrary: call({ plays: forAll(play), scripts: absent, takes: absent }) },
    ...otherSteps,
  ),
});

export const streamPrograms = program({
  substitutes: substitutes(last(true), maybe(fc.constantFrom(1, 3, 10), 8)),
  stream: options,
  step: fc.oneof(
    { weight: 20, arbitrary: call({ plays: forAll(end), scripts: forAll(script), takes }) },
    { weight: 3, arbitrary: leave },
    ...otherSteps,
  ),
});
