import { failedOverTo, nobody } from '../support/check.js';
import type { Case } from '../support/check.js';
import { fails, gives } from '../support/plays.js';
import type { Step } from '../support/plays.js';

const S = 1_000;
const down = new Error('down');

/** An HTTP client's error for 429, with this `Retry-After`. */
const limited = (retryAfter?: string) =>
  Object.assign(new Error('Too Many Requests'), {
    status: 429,
    headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  });
const inSeconds = (seconds: number): Step => fails(limited(String(seconds)));
/** As a date, this far from now. */
const atDate =
  (ahead: number): Step =>
  async (_ctx, clock) => {
    throw limited(new Date(clock.wall() + ahead).toUTCString());
  };

/** 429 with advice of 90 s: open after one failure, for exactly that long. */
const taken = (title: string, plays: Step): Case => ({
  title: `F32 ${title}`,
  rungs: [
    { name: 'a', plays: [plays, gives('a')] },
    { name: 'b', plays: [gives('b'), gives('b'), fails(down)] },
  ],
  options: { breaker: { threshold: 3 } },
  runs: [
    {
      at: 0,
      value: 'b',
      calls: { a: 1, b: 1 },
      attempts: ['a:rate-limited', 'b:ok'],
      receipt: failedOverTo('b'),
      circuits: { a: 'open 1 for 90000', b: 'closed 0' },
    },
    {
      at: 90 * S - 1,
      value: 'b',
      calls: { a: 1, b: 2 },
      attempts: ['a:skipped(cooling)', 'b:ok'],
      receipt: failedOverTo('b'),
      circuits: { a: 'open 1 for 1', b: 'closed 0' },
    },
    {
      // not even as the last resort
      exhausted: {
        message: 'All 2 fallback candidates failed (a: cooling; b: transient)',
        failures: [['b', down]],
        retryAfter: 1,
      },
      calls: { a: 1, b: 3 },
      attempts: ['a:skipped(cooling)', 'b:transient'],
      receipt: { ...nobody, reason: 'transient' },
      circuits: { a: 'open 1 for 1', b: 'closed 1' },
    },
    {
      at: 90 * S,
      value: 'a',
      calls: { a: 2, b: 3 },
      attempts: ['a:ok'],
      receipt: { servedBy: 'a', failedOver: false, degraded: false },
      circuits: { a: 'closed 0', b: 'closed 1' },
    },
  ],
});

/** One failure is counted and the candidate is tried again by the next call. */
const notOpened = (title: string, plays: Step, threshold = 3): Case => ({
  title: `F32 ${title}`,
  rungs: [
    { name: 'a', plays },
    { name: 'b', plays: gives('b') },
  ],
  options: { breaker: { threshold } },
  runs: [1, 2].map((call) => ({
    value: 'b',
    calls: { a: call, b: call },
    attempts: ['a:rate-limited', 'b:ok'],
    receipt: failedOverTo('b'),
    circuits: { a: `closed ${call}`, b: 'closed 0' },
  })),
});

export const ADVICE_CASES: readonly Case[] = [
  taken('Retry-After in seconds', inSeconds(90)),
  taken('Retry-After as an HTTP date', atDate(90 * S)),
  notOpened('a negative Retry-After is no advice', inSeconds(-90)),
  notOpened('a Retry-After of NaN is no advice', inSeconds(NaN)),
  notOpened('a Retry-After that cannot be parsed is no advice', fails(limited('soon'))),
  notOpened('no Retry-After: an ordinary failure', fails(limited())),
  notOpened('a Retry-After of 0 opens nothing, whatever the threshold', inSeconds(0), 1),
  notOpened('a date in the past opens nothing, whatever the threshold', atDate(-60 * S), 1),
  {
    title: 'F32 a probe that fails after an advised opening reopens at once, whatever the threshold',
    rungs: [
      { name: 'a', plays: [inSeconds(90), fails(down)] },
      { name: 'b', plays: gives('b') },
    ],
    options: { breaker: { threshold: 3 } },
    runs: [
      {
        at: 0,
        value: 'b',
        calls: { a: 1, b: 1 },
        attempts: ['a:rate-limited', 'b:ok'],
        receipt: failedOverTo('b'),
        circuits: { a: 'open 1 for 90000', b: 'closed 0' },
      },
      {
        at: 90 * S,
        value: 'b',
        calls: { a: 2, b: 2 },
        attempts: ['a:transient', 'b:ok'],
        receipt: failedOverTo('b'),
        circuits: { a: 'open 2 for 10000', b: 'closed 0' },
      },
    ],
  },
  {
    title: 'F32 without advice a failure that reaches the threshold opens for the ordinary cooldown',
    rungs: [
      { name: 'a', plays: inSeconds(-1) },
      { name: 'b', plays: gives('b') },
    ],
    options: { breaker: { threshold: 1 } },
    runs: [
      {
        value: 'b',
        calls: { a: 1, b: 1 },
        attempts: ['a:rate-limited', 'b:ok'],
        receipt: failedOverTo('b'),
        circuits: { a: 'open 1 for 5000', b: 'closed 0' },
      },
    ],
  },
];
