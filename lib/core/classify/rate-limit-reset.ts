/**
 * When a rate limit begins anew, as its headers say. They stand on every answer, so they are advice only if the status
 * says that a limit may be the reason, or if nothing remains of it.
 */
import { parseRfc3339 } from './dates.js';
import type { HeaderReader } from './headers.js';
import { decimal, wholeMs } from './numbers.js';

const LIMITING: ReadonlySet<number | undefined> = new Set([403, 429, 503]);

const WINDOWS = ['x-ratelimit', 'ratelimit'];

/** Providers that count in several dimensions: the headers for what remains and for when it begins anew. */
const DIMENSIONS = [
  ...['requests', 'tokens'].map((what) => [`x-ratelimit-remaining-${what}`, `x-ratelimit-reset-${what}`] as const),
  ...['requests', 'tokens', 'input-tokens', 'output-tokens'].map(
    (what) => [`anthropic-ratelimit-${what}-remaining`, `anthropic-ratelimit-${what}-reset`] as const,
  ),
];

const UNITS = new Map([
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['ns', 1e-6],
]);
const GO_DURATION = /^(?:\d+(?:\.\d+)?(?:h|ms|m|s|us|µs|ns))+$/;

function goDuration(text: string): number | undefined {
  if (!GO_DURATION.test(text)) return undefined;
  let ms = 0;
  for (const [, amount, unit] of text.matchAll(/([\d.]+)([a-zµ]+)/g))
    ms += Number(amount) * (UNITS.get(unit ?? '') ?? 0);
  return ms;
}

/** By size: epoch ms, epoch seconds, or seconds from now. */
function fromNumber(value: number, now: number): number {
  if (value > 1e12) return value - now;
  return value > 1e9 ? value * 1000 - now : value * 1000;
}

function delayUntil(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const number = decimal(text);
  if (number !== undefined) return Math.max(0, fromNumber(number, now));
  const date = parseRfc3339(text);
  return date === undefined ? goDuration(text) : Math.max(0, date - now);
}

function plainReset(header: HeaderReader, limiting: boolean, now: number): number | undefined {
  for (const window of WINDOWS) {
    const counts = limiting || header(`${window}-remaining`) === '0';
    const delay = counts ? delayUntil(header(`${window}-reset`), now) : undefined;
    if (delay !== undefined) return delay;
  }
  return undefined;
}

/** `RateLimit: "burst";r=0;t=11, "day";r=50;t=3600`: the exhausted policies count, the longest of them. */
function structuredReset(header: HeaderReader, limiting: boolean): number | undefined {
  const policies = (header('ratelimit') ?? '').replaceAll(/"[^"]*"/g, '').split(',');
  const exhausted = policies.filter((policy) => parameter(policy, 'r') === 0);
  const seconds = (exhausted.length > 0 || !limiting ? exhausted : policies)
    .map((policy) => parameter(policy, 't'))
    .filter((t) => t !== undefined);
  return seconds.length === 0 ? undefined : Math.max(...seconds) * 1000;
}

function parameter(policy: string, name: string): number | undefined {
  const written = policy.split(';').find((part) => part.trim().startsWith(`${name}=`));
  return decimal(written?.slice(written.indexOf('=') + 1).trim());
}

/** The dimensions of which nothing remains; all of them must begin anew. */
function dimensionReset(header: HeaderReader, now: number): number | undefined {
  let longest: number | undefined;
  for (const [remaining, reset] of DIMENSIONS) {
    const delay = header(remaining) === '0' ? delayUntil(header(reset), now) : undefined;
    if (delay !== undefined) longest = Math.max(longest ?? 0, delay);
  }
  return longest;
}

/** @internal */
export function resetDelay(header: HeaderReader, status: number | undefined, now: number): number | undefined {
  const limiting = LIMITING.has(status);
  const delay = plainReset(header, limiting, now) ?? structuredReset(header, limiting) ?? dimensionReset(header, now);
  return wholeMs(delay);
}
