/**
 * How long the other side asks us to stay away, in whole ms. The first usable source wins: retry headers, rate-limit
 * resets, what a body says, what the error itself says. Whatever is malformed or negative is absent; a past date is 0.
 */
import { bodyDelay } from './body-delay.js';
import { parseHttpDate } from './dates.js';
import type { Facts } from './facts.js';
import { headersOf, type HeaderReader } from './headers.js';
import { decimal, wholeMs } from './numbers.js';
import { resetDelay } from './rate-limit-reset.js';
import { read } from './read.js';

function milliseconds(text: string | undefined): number | undefined {
  return wholeMs(decimal(text));
}

/** Seconds, or a date, which the answer's own clock is the measure of. */
function retryAfter(header: HeaderReader, now: number): number | undefined {
  const text = header('retry-after');
  if (text === undefined) return undefined;
  const seconds = decimal(text);
  if (seconds !== undefined) return wholeMs(seconds * 1000);
  const date = parseHttpDate(text, now);
  if (date === undefined) return undefined;
  return wholeMs(Math.max(0, date - (parseHttpDate(header('date') ?? '', now) ?? now)));
}

function headerDelay(header: HeaderReader, status: number | undefined, now: number): number | undefined {
  return (
    milliseconds(header('retry-after-ms')) ??
    milliseconds(header('x-ms-retry-after-ms')) ??
    milliseconds(header('grpc-retry-pushback-ms')) ??
    retryAfter(header, now) ??
    milliseconds(header('x-amz-retry-after')) ??
    resetDelay(header, status, now)
  );
}

/** @internal */
export function retryAfterOf(facts: Facts, now: number): number | undefined {
  // Our own errors say it in ms.
  if (facts.own) return wholeMs(decimal(read(facts.node, 'retryAfter')));
  for (const header of headersOf(facts)) {
    const delay = headerDelay(header, facts.status, now);
    if (delay !== undefined) return delay;
  }
  return bodyDelay(facts);
}
