import { failedOverTo, nobody, servedBy, stoppedBy } from '../support/check.js';
import type { Case, Run } from '../support/check.js';
import { fails, gives } from '../support/plays.js';

const down = new Error('down');
const alsoDown = new Error('also down');
const notFound = Object.assign(new Error('no such thing'), { status: 404 });
const S = 1_000;
const skippedThenB = { value: 'b', attempts: ['a:skipped(cooling)', 'b:ok'], receipt: failedOverTo('b') } as const;
const failedThenB = { value: 'b', attempts: ['a:transient', 'b:ok'], receipt: failedOverTo('b') } as const;
const onlyA = { attempts: ['a:ok'], receipt: servedBy('a') } as const;

const exhausted = (a: string, b: string, failures: [string, Error][], retryAfter?: number) => ({
  message: `All 2 fallback candidates failed (a: ${a}; b: ${b})`,
  failures,
  ...(retryAfter !== undefined && { retryAfter }),
});
const bothFailed: [string, Error][] = [
  ['a', down],
  ['b', alsoDown],
];

/** A ladder of two that are both down, a for 5 s and b for 8 s from their first failure. */
const bothOpen = (title: string, rest: Omit<Case, 'title' | 'rungs'>): Case => ({
  title: `F24 ${title}`,
  rungs: [
    { name: 'a', plays: fails(down), breaker: { cooldown: 5 * S } },
    { name: 'b', plays: fails(alsoDown), breaker: { cooldown: 8 * S } },
  ],
  ...rest,
  options: { breaker: { threshold: 1 }, ...rest.options },
});
const bothOpened = {
  exhausted: exhausted('transient', 'transient', bothFailed, 5 * S),
  calls: { a: 1, b: 1 },
  attempts: ['a:transient', 'b:transient'],
  receipt: { ...nobody, reason: 'transient' },
  circuits: { a: 'open 1 for 5000', b: 'open 1 for 8000' },
} satisfies Run;

/** a fails at each of these times and cools for so long. */
const cooling = (
  title: string,
  breaker: NonNullable<Case['options']>['breaker'],
  openings: [number, string][],
): Case => ({
  title: `F33 ${title}`,
  rungs: [
    { name: 'a', plays: fails(down) },
    { name: 'b', plays: gives('b') },
  ],
  options: { breaker: { threshold: 1, ...breaker } },
  runs: openings.map(([at, a], place) => ({
    at,
    ...failedThenB,
    calls: { a: place + 1, b: place + 1 },
    circuits: { a, b: 'closed 0' },
  })),
});

export const CIRCUIT_CASES: readonly Case[] = [
  {
    title: 'F22 an open candidate is passed over until its cooldown has run out to the ms',
    rungs: [
      { name: 'primary', plays: fails(down) },
      { name: 'backup', plays: gives('b') },
    ],
    options: { breaker: { threshold: 1, cooldown: 5 * S }, whenOpen: 'defer' },
    runs: [
      {
        at: 0,
        value: 'b',
        calls: { primary: 1, backup: 1 },
        attempts: ['primary:transient', 'backup:ok'],
        receipt: failedOverTo('backup'),
        circuits: { primary: 'open 1 for 5000', backup: 'closed 0' },
      },
      {
        value: 'b',
        calls: { primary: 1, backup: 2 },
        attempts: ['primary:skipped(cooling)', 'backup:ok'],
        receipt: failedOverTo('backup'),
        circuits: { primary: 'open 1 for 5000', backup: 'closed 0' },
      },
      {
        at: 5 * S - 1,
        value: 'b',
        calls: { primary: 1, backup: 3 },
        attempts: ['primary:skipped(cooling)', 'backup:ok'],
        receipt: failedOverTo('backup'),
        circuits: { primary: 'open 1 for 1', backup: 'closed 0' },
      },
      {
        at: 5 * S,
        value: 'b',
        calls: { primary: 2, backup: 4 },
        attempts: ['primary:transient', 'backup:ok'],
        receipt: failedOverTo('backup'),
        circuits: { primary: 'open 2 for 10000', backup: 'closed 0' },
      },
    ],
  },
  {
    title: 'F23 after its recovery everything is forgotten',
    rungs: [
      { name: 'a', plays: [fails(down), gives('recovered')] },
      { name: 'b', plays: gives('b') },
    ],
    options: { breaker: { threshold: 1 } },
    runs: [
      { at: 0, ...failedThenB, calls: { a: 1, b: 1 }, circuits: { a: 'open 1 for 5000', b: 'closed 0' } },
      {
        at: 5 * S,
        value: 'recovered',
        ...onlyA,
        calls: { a: 2, b: 1 },
        circuits: { a: 'closed 0', b: 'closed 0' },
      },
      { value: 'recovered', ...onlyA, calls: { a: 3, b: 1 }, circuits: { a: 'closed 0', b: 'closed 0' } },
    ],
  },
  bothOpen('defer: with nobody else and no substitute, open candidates are called all the same', {
    options: { whenOpen: 'defer' },
    runs: [bothOpened, { ...bothOpened, calls: { a: 2, b: 2 } }],
  }),
  bothOpen('skip: open candidates are never called, and the error says when to come back', {
    options: { whenOpen: 'skip' },
    runs: [
      bothOpened,
      {
        at: 2 * S,
        exhausted: exhausted('cooling', 'cooling', [], 3 * S),
        calls: { a: 1, b: 1 },
        attempts: ['a:skipped(cooling)', 'b:skipped(cooling)'],
        receipt: { ...nobody, reason: 'cooling' },
        circuits: { a: 'open 1 for 3000', b: 'open 1 for 6000' },
      },
    ],
  }),
  bothOpen('with a static substitute nothing runs', {
    degraded: { substitute: 'popular' },
    runs: [
      {
        value: 'popular',
        calls: bothOpened.calls,
        attempts: bothOpened.attempts,
        receipt: { ...nobody, degraded: true, source: 'static', reason: 'transient' },
        circuits: bothOpened.circuits,
      },
      {
        value: 'popular',
        calls: { a: 1, b: 1 },
        attempts: ['a:skipped(cooling)', 'b:skipped(cooling)'],
        receipt: { ...nobody, degraded: true, source: 'static', reason: 'cooling' },
        circuits: bothOpened.circuits,
      },
    ],
  }),
  {
    title: 'F25 threshold 2: closed after one failure, open after two, then passed over',
    rungs: [
      { name: 'a', plays: fails(down) },
      { name: 'b', plays: gives('b') },
    ],
    options: { breaker: { threshold: 2 } },
    runs: [
      { ...failedThenB, calls: { a: 1, b: 1 }, circuits: { a: 'closed 1', b: 'closed 0' } },
      { ...failedThenB, calls: { a: 2, b: 2 }, circuits: { a: 'open 2 for 5000', b: 'closed 0' } },
      { ...skippedThenB, calls: { a: 2, b: 3 }, circuits: { a: 'open 2 for 5000', b: 'closed 0' } },
    ],
  },
  {
    title: 'F25 threshold 3, cooldown 30 s: the fourth call does not run it',
    rungs: [
      { name: 'a', plays: fails(down) },
      { name: 'b', plays: gives('b') },
    ],
    options: { breaker: { threshold: 3, cooldown: '30s' } },
    runs: [
      { ...failedThenB, calls: { a: 1, b: 1 }, circuits: { a: 'closed 1', b: 'closed 0' } },
      { ...failedThenB, calls: { a: 2, b: 2 }, circuits: { a: 'closed 2', b: 'closed 0' } },
      { ...failedThenB, calls: { a: 3, b: 3 }, circuits: { a: 'open 3 for 30000', b: 'closed 0' } },
      { ...skippedThenB, calls: { a: 3, b: 4 }, circuits: { a: 'open 3 for 30000', b: 'closed 0' } },
    ],
  },
  cooling('threshold 1, base 5 s: the second cooldown is 10 s', { cooldown: '5s' }, [
    [0, 'open 1 for 5000'],
    [10 * S, 'open 2 for 10000'],
  ]),
  cooling('base 10 s, cap 25 s: 10, 20, 25, 25', { cooldown: '10s', maxCooldown: '25s' }, [
    [0, 'open 1 for 10000'],
    [10 * S, 'open 2 for 20000'],
    [30 * S, 'open 3 for 25000'],
    [55 * S, 'open 4 for 25000'],
  ]),
  {
    title: 'F34 a success between two failures forgets the first',
    rungs: [
      { name: 'a', plays: [fails(down), gives('a'), fails(down)] },
      { name: 'b', plays: gives('b') },
    ],
    options: { breaker: { threshold: 2 } },
    runs: [
      { ...failedThenB, calls: { a: 1, b: 1 }, circuits: { a: 'closed 1', b: 'closed 0' } },
      { value: 'a', ...onlyA, calls: { a: 2, b: 1 }, circuits: { a: 'closed 0', b: 'closed 0' } },
      { ...failedThenB, calls: { a: 3, b: 2 }, circuits: { a: 'closed 1', b: 'closed 0' } },
    ],
  },
  {
    title: 'F35 a failed probe reopens at once and for longer; one that succeeds starts everything again',
    rungs: [
      { name: 'a', plays: [fails(down), fails(down), fails(down), gives('a'), fails(down)] },
      { name: 'b', plays: gives('b') },
    ],
    options: { breaker: { threshold: 2, cooldown: '10s' } },
    runs: [
      { at: 0, ...failedThenB, calls: { a: 1, b: 1 }, circuits: { a: 'closed 1', b: 'closed 0' } },
      { ...failedThenB, calls: { a: 2, b: 2 }, circuits: { a: 'open 2 for 10000', b: 'closed 0' } },
      { at: 11 * S, ...failedThenB, calls: { a: 3, b: 3 }, circuits: { a: 'open 3 for 20000', b: 'closed 0' } },
      { at: 31 * S, value: 'a', ...onlyA, calls: { a: 4, b: 3 }, circuits: { a: 'closed 0', b: 'closed 0' } },
      { ...failedThenB, calls: { a: 5, b: 4 }, circuits: { a: 'closed 1', b: 'closed 0' } },
      { ...failedThenB, calls: { a: 6, b: 5 }, circuits: { a: 'open 2 for 10000', b: 'closed 0' } },
    ],
  },
  {
    title: 'F38 a probe that ends in a terminal error closes the circuit, and its error is thrown as it is',
    rungs: [
      { name: 'a', plays: [fails(down), fails(notFound)] },
      { name: 'b', plays: gives('b') },
    ],
    options: { breaker: { threshold: 1 } },
    runs: [
      { at: 0, ...failedThenB, calls: { a: 1, b: 1 }, circuits: { a: 'open 1 for 5000', b: 'closed 0' } },
      {
        at: 5 * S,
        throws: notFound,
        calls: { a: 2, b: 1 },
        attempts: ['a:terminal'],
        receipt: stoppedBy('terminal'),
        circuits: { a: 'closed 0', b: 'closed 0' },
      },
    ],
  },
];
