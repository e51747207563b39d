import { describe, expect, it } from '@jest/globals';
import { classifyFailure } from '../../../../lib/core/classify/index.js';

const NOW = Date.UTC(2026, 10, 30);
const delayOf = (status: number, headers: Record<string, string>, more: object = {}) =>
  classifyFailure({ status, headers, ...more }, { now: NOW }).retryAfter;

describe('sources of a delay besides Retry-After', () => {
  it.each<[string, Record<string, string>, number | undefined]>([
    ['retry-after-ms first', { 'retry-after-ms': '1500', 'retry-after': '2' }, 1500],
    ['retry-after-ms that is junk', { 'retry-after-ms': 'soon', 'retry-after': '2' }, 2000],
    ['grpc-retry-pushback-ms', { 'grpc-retry-pushback-ms': '250', 'retry-after': '2' }, 250],
    ['a negative pushback', { 'grpc-retry-pushback-ms': '-1' }, undefined],
    ['x-amz-retry-after after Retry-After', { 'x-amz-retry-after': '300', 'retry-after': '2' }, 2000],
    ['x-amz-retry-after', { 'x-amz-retry-after': '300', 'x-ratelimit-reset': '9' }, 300],
    ['seconds from now', { 'x-ratelimit-reset': '12' }, 12_000],
    ['epoch seconds', { 'ratelimit-reset': String(NOW / 1000 + 45) }, 45_000],
    ['epoch ms', { 'x-ratelimit-reset': String(NOW + 2500) }, 2500],
    ['an epoch in the past', { 'x-ratelimit-reset': String(NOW / 1000 - 45) }, 0],
    ['RateLimit', { ratelimit: '"default";r=0;t=11' }, 11_000],
    ['RateLimit, blanks and commas in names', { ratelimit: '"a,b"; r=0; t=3, "c"; r=5; t=60' }, 3000],
    ['RateLimit, the longest exhausted policy', { ratelimit: '"a";r=0;t=3,"b";r=0;t=60' }, 60_000],
    ['RateLimit without t', { ratelimit: '"default";r=0' }, undefined],
    ['Go durations', { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1h1m1.5s6ms' }, 3_661_506],
    [
      'a Go duration that is none',
      { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1w' },
      undefined,
    ],
    [
      'RFC 3339 with an offset',
      {
        'anthropic-ratelimit-input-tokens-remaining': '0',
        'anthropic-ratelimit-input-tokens-reset': '2026-11-30T02:00:20.5+02:00',
      },
      20_500,
    ],
    [
      'no day of RFC 3339',
      { 'anthropic-ratelimit-requests-remaining': '0', 'anthropic-ratelimit-requests-reset': '2026-13-30T00:00:20Z' },
      undefined,
    ],
    [
      'all exhausted dimensions',
      {
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '6ms',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '2s',
      },
      2000,
    ],
    [
      'a dimension that is not exhausted',
      { 'x-ratelimit-remaining-tokens': '9', 'x-ratelimit-reset-tokens': '2s' },
      undefined,
    ],
  ])('%s', (_name, headers, expected) => {
    expect(delayOf(429, headers)).toBe(expected);
  });

  it('trusts resets of other answers only if nothing remains', () => {
    expect(delayOf(500, { 'x-ratelimit-reset': '12', 'x-ratelimit-remaining': '7' })).toBeUndefined();
    expect(delayOf(500, { 'x-ratelimit-reset': '12', 'x-ratelimit-remaining': '0' })).toBe(12_000);
    expect(delayOf(500, { ratelimit: '"default";r=5;t=11' })).toBeUndefined();
    expect(delayOf(503, { ratelimit: '"default";r=5;t=11' })).toBe(11_000);
  });

  it('reads Google’s RetryInfo in a body, in a message and in JSON quoted inside JSON', () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '37.5s' }];
    const json = JSON.stringify({ error: { details } });
    expect(delayOf(429, {}, { response: { data: { error: { details } } } })).toBe(37_500);
    expect(delayOf(429, {}, { message: `[429 Too Many Requests] ${json}` })).toBe(37_500);
    expect(delayOf(429, {}, { message: JSON.stringify({ error: { message: json } }) })).toBe(37_500);
    expect(delayOf(429, {}, { error: { details: [null, { retryDelay: '-1s' }] } })).toBeUndefined();
  });

  it('reads retryAfter (s) and retryAfterMs on the error and on the body of a Nest exception', () => {
    expect(delayOf(429, {}, { retryAfter: 1.5 })).toBe(1500);
    expect(delayOf(429, {}, { retryAfter: '3' })).toBe(3000);
    expect(delayOf(429, {}, { retryAfterMs: 40, retryAfter: 5 })).toBe(40);
    expect(delayOf(429, {}, { retryAfter: Number.NaN })).toBeUndefined();
    expect(delayOf(429, {}, { retryAfter: -0 })).toBe(0);
    expect(delayOf(429, {}, { getStatus: () => 429, getResponse: () => ({ retryAfter: 5 }) })).toBe(5000);
    expect(delayOf(429, {}, { response: { retryAfter: 5 } })).toBeUndefined();
  });

  it('carries a delay only where waiting helps', () => {
    const headers = { 'retry-after': '7' };
    const kinds = [400, 401, 402, 413, 501].map((status) => classifyFailure({ status, headers }));
    expect(kinds.map(({ kind }) => kind)).toEqual(['terminal', 'denied', 'denied', 'unsupported', 'unsupported']);
    expect(kinds.some((verdict) => 'retryAfter' in verdict)).toBe(false);
    expect(delayOf(504, headers)).toBe(7000);
    expect(classifyFailure({ headers })).toEqual({ kind: 'transient', retryAfter: 7000 });
    expect(classifyFailure({ headers }, { unknown: 'terminal' })).toEqual({ kind: 'terminal' });
  });

  it('finds the first usable delay of the whole walk, whoever gave the kind', () => {
    const inner = { status: 400, headers: { 'retry-after': '7' } };
    const middle = new Error('m', { cause: inner });
    expect(classifyFailure(Object.assign(new Error('o', { cause: middle }), { status: 503 }))).toEqual({
      kind: 'transient',
      retryAfter: 7000,
    });
  });
});
