import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { createFallbackChain } from '../../lib/core/index.js';
import type { CoreCandidate } from '../../lib/core/index.js';
import { TestClock } from '../support/test-clock.js';

/** Jest hands tests a copy of process.env; only the real one, in the outer realm, moves the time zone. */
const realEnv = (Buffer.constructor('return process.env') as () => NodeJS.ProcessEnv)();
const BASE = 30_000;
const CAP = 900_000;

const TABLE: readonly (readonly [unknown, number, Record<string, string>?])[] = [
  ['120', 120_000],
  ['1.5', 1_500],
  [' 120 ', 120_000],
  ['0', 0],
  ['Fri, 05 Mar 2027 09:31:00 GMT', 60_000],
  ['Friday, 05-Mar-27 09:31:00 GMT', 60_000],
  ['Fri Mar  5 09:31:00 2027', 60_000],
  ['Fri, 05 Mar 2027 09:29:00 GMT', 0],
  ...['-3', '+3', '1e3', '0x10', '+1.5', '120abc', 'abc', '', 'NaN', 'Infinity', '5, 120'].map(
    (text) => [text, BASE] as const,
  ),
  [['5', '120'], BASE],
  ['31536000', CAP],
  ['99999999999999999999', CAP],
  [undefined, BASE],
  ['Fri, 05 Mar 2027 10:31:00 GMT', 60_000, { date: 'Fri, 05 Mar 2027 10:30:00 GMT' }],
];

type Carrier = (value: unknown, more: Record<string, string>) => unknown;
const record =
  (name: string): Carrier =>
  (value, more) =>
    value === undefined ? more : { [name]: value, ...more };
const HEADERS: readonly (readonly [string, Carrier])[] = [
  ['a lower-case record', record('retry-after')],
  ['a record with Retry-After', record('Retry-After')],
  ['a record with RETRY-AFTER', record('RETRY-AFTER')],
  [
    'a Headers object',
    (value, more) => {
      const headers = new Headers(more);
      const all = (value === undefined ? [] : [value].flat()) as string[];
      for (const each of all) headers.append('Retry-After', each);
      return headers;
    },
  ],
];
const PLACES: readonly (readonly [string, (status: number, headers: unknown) => unknown])[] = [
  ['error', (status, headers) => ({ status, headers })],
  ['error.response', (status, headers) => ({ response: { status, headers } })],
];
const CASES = HEADERS.flatMap(([form, headers]) =>
  PLACES.flatMap(([place, carry]) => [429, 503].map((status) => ({ form, place, status, carry, headers }))),
);

const down =
  (error: unknown): CoreCandidate<string> =>
  async () => {
    throw error;
  };

/** What A's circuit says after it has failed with this error, threshold 1. */
async function coolingAfter(error: unknown) {
  const clock = new TestClock();
  const chain = createFallbackChain<string>([down(error), () => 'b'], {
    clock,
    maxRetryAfter: CAP,
    breaker: { threshold: 1, cooldown: BASE },
  });
  expect(await chain.run()).toBe('b');
  const [{ state, coolingFor }] = chain.health() as [ReturnType<typeof chain.health>[0]];
  expect(state).toBe(coolingFor > 0 ? 'open' : 'closed');
  return { chain, clock, coolingFor };
}

describe('B14: `Retry-After` in all its dresses, through a chain', () => {
  let zone: string | undefined;

  beforeAll(() => {
    zone = realEnv.TZ;
    realEnv.TZ = 'America/New_York';
  });

  afterAll(() => {
    if (zone === undefined) delete realEnv.TZ;
    else realEnv.TZ = zone;
  });

  it('B14: the process is in New York', () => {
    expect(new Date(Date.UTC(2027, 2, 5, 9, 30)).getHours()).toBe(4);
  });

  describe.each(CASES)('B14: $form on $place, status $status', ({ status, carry, headers }) => {
    it.each(TABLE)('B14: %j cools for %i', async (value, expected, more = {}) => {
      const error = Object.assign(new Error('limited'), carry(status, headers(value, more)));
      const { coolingFor, chain } = await coolingAfter(error);
      expect(coolingFor).toBe(expected);
      expect(chain.health()[0]).toMatchObject({ consecutiveFailures: 1 });
    });
  });

  it('B14: not tried 1 ms before, tried then', async () => {
    const error = Object.assign(new Error('limited'), { status: 429, headers: { 'retry-after': '120' } });
    const { chain, clock } = await coolingAfter(error);
    await clock.advance(119_999);
    await chain.run();
    expect(chain.health()[0]!.counts).toEqual({ 'rate-limited': 1, cooling: 1 });
    await clock.advance(1);
    await chain.run();
    expect(chain.health()[0]!.counts).toEqual({ 'rate-limited': 2, cooling: 1 });
  });

  it('B14: whatever whole number of seconds is sent, that is how long, up to the cap', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 10_000_000 }), fc.constantFrom(429, 503), async (seconds, status) => {
        const error = Object.assign(new Error('limited'), { status, headers: { 'retry-after': String(seconds) } });
        expect((await coolingAfter(error)).coolingFor).toBe(Math.min(seconds * 1_000, CAP));
      }),
      { numRuns: 60 },
    );
  });

  it('B14: whatever is sent, the cooldown is a number from 0 to the cap', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.anything()), async (value) => {
        const error = Object.assign(new Error('limited'), { status: 429, headers: { 'retry-after': value } });
        const { coolingFor } = await coolingAfter(error);
        expect(coolingFor).toBeGreaterThanOrEqual(0);
        expect(coolingFor).toBeLessThanOrEqual(CAP);
      }),
      { numRuns: 100 },
    );
  });
});
