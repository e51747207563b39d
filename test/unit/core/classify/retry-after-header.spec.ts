import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { classifyFailure } from '../../../../lib/core/classify/index.js';

/** Jest hands tests a copy of process.env; only the real one, in the outer realm, moves the time zone. */
const realEnv = (Buffer.constructor('return process.env') as () => NodeJS.ProcessEnv)();

/** Scenario B14: `Retry-After` in all its dresses, at this wall clock and in New York. */
const NOW = Date.UTC(2027, 2, 5, 9, 30);
const DATE = 'Fri, 05 Mar 2027 10:30:00 GMT';

type Answer = readonly [name: string, headers: Record<string, string>, expected: number | undefined];

const ANSWERS: readonly Answer[] = [
  ['120', 120_000],
  ['1.5', 1500],
  [' 120 ', 120_000],
  ['\t120', 120_000],
  ['0', 0],
  ['0.0', 0],
  ['Fri, 05 Mar 2027 09:31:00 GMT', 60_000],
  ['Friday, 05-Mar-27 09:31:00 GMT', 60_000],
  ['Fri Mar  5 09:31:00 2027', 60_000],
  ['Fri Mar 12 09:30:00 2027', 7 * 86_400_000],
  ['Fri, 05 Mar 2027 09:29:00 GMT', 0],
  ['Friday, 05-Mar-99 09:31:00 GMT', 0],
  ['-3', undefined],
  ['+3', undefined],
  ['1e3', undefined],
  ['0x10', undefined],
  ['+1.5', undefined],
  ['.5', undefined],
  ['1.', undefined],
  ['1,5', undefined],
  ['120abc', undefined],
  ['abc', undefined],
  ['', undefined],
  ['NaN', undefined],
  ['Infinity', undefined],
  ['5, 120', undefined],
  ['31536000', 31_536_000_000],
  ['99999999999999999999', Number.MAX_SAFE_INTEGER],
  ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
  ['Fri, 5 Mar 2027 09:31:00 GMT', undefined],
  ['Fri, 05 Mar 2027 09:31:00', undefined],
  ['Fri, 05 Mar 2027 09:31:00 UTC', undefined],
  ['Fri, 05 Mar 2027 09:31:00 +0000', undefined],
  ['fri, 05 mar 2027 09:31:00 gmt', undefined],
  ['Fri, 31 Feb 2027 09:31:00 GMT', undefined],
  ['Fri, 05 Mar 2027 24:00:00 GMT', undefined],
  ['Fri, 05 Mar 2027 09:60:00 GMT', undefined],
  ['Fri, 05 Mar 2027 09:31:61 GMT', undefined],
  ['2027-03-05T09:31:00Z', undefined],
  ['120; Fri, 05 Mar 2027 09:31:00 GMT', undefined],
].map(([text, expected]) => [`${text}`.slice(0, 40), { 'retry-after': `${text}` }, expected] as Answer);

const SKEWED: readonly Answer[] = [
  ['the answer’s own clock', { 'retry-after': 'Fri, 05 Mar 2027 10:31:00 GMT', date: DATE }, 60_000],
  ['an invalid Date', { 'retry-after': 'Fri, 05 Mar 2027 09:31:00 GMT', date: 'Fri, 05 Mar 2027' }, 60_000],
  ['seconds beside a Date', { 'retry-after': '7', date: DATE }, 7000],
];

const endless: unknown[] = [];
endless.push(endless);

const renamed = (headers: Record<string, string>, rename: (key: string) => string) =>
  Object.fromEntries(Object.entries(headers).map(([key, value]) => [rename(key), value]));
const title = (key: string) => key.replaceAll(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());

const SHAPES: Readonly<Record<string, (headers: Record<string, string>) => unknown>> = {
  Headers: (headers) => new Headers(headers),
  'lower-case record': (headers) => headers,
  'title-case record': (headers) => renamed(headers, title),
  'upper-case record': (headers) => renamed(headers, (key) => key.toUpperCase()),
  'record of arrays': (headers) => Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, [value]])),
  'flat raw array': (headers) => Object.entries(renamed(headers, title)).flat(),
  'array of pairs': (headers) => Object.entries(renamed(headers, title)),
  'get() alone': (headers) => ({ get: (name: string) => headers[name] ?? null }),
  'get() that gives arrays': (headers) => ({ get: (name: string) => (name in headers ? [headers[name]] : []) }),
};

const CARRIERS: Readonly<Record<string, (headers: unknown) => object>> = {
  headers: (headers) => ({ headers }),
  'response.headers': (headers) => ({ response: { headers } }),
  '$response.headers': (headers) => ({ $response: { headers } }),
  'raw.headers': (headers) => ({ raw: { headers } }),
  'cause.headers': (headers) => ({ cause: { headers } }),
};

describe('the Retry-After header', () => {
  const { TZ } = realEnv;
  beforeAll(() => {
    realEnv.TZ = 'America/New_York';
  });
  afterAll(() => {
    if (TZ === undefined) delete realEnv.TZ;
    else realEnv.TZ = TZ;
  });

  it('is read in New York', () => {
    expect(new Date(2027, 2, 5).getTimezoneOffset()).toBe(300);
  });

  it.each([...ANSWERS, ...SKEWED])('%s', (_name, headers, expected) => {
    for (const [shape, dress] of Object.entries(SHAPES)) {
      for (const [carrier, carry] of Object.entries(CARRIERS)) {
        for (const status of [429, 503]) {
          const error = Object.assign(new Error('no'), { status }, carry(dress(headers)));
          const { retryAfter } = classifyFailure(error, { now: NOW });
          expect({ shape, carrier, status, retryAfter }).toEqual({ shape, carrier, status, retryAfter: expected });
        }
      }
    }
  });

  it.each([
    ['an array of two', { 'retry-after': ['5', '120'] }],
    ['two raw lines', ['Retry-After', '5', 'retry-after', '120']],
    ['an empty array', { 'retry-after': [] }],
    ['an array of arrays', { 'retry-after': [['5']] }],
    ['an array that holds itself', { 'retry-after': endless }],
    ['an object', { 'retry-after': { seconds: 5 } }],
    ['NaN', { 'retry-after': Number.NaN }],
    ['a negative number', { 'retry-after': -3 }],
  ])('%s is none', (_name, headers) => {
    expect(classifyFailure({ status: 429, headers }, { now: NOW })).toEqual({ kind: 'rate-limited' });
  });

  it('may be a number', () => {
    expect(classifyFailure({ status: 429, headers: { 'Retry-After': 8 } }).retryAfter).toBe(8000);
  });
});
