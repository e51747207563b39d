/** Delays outside of headers: Google's RetryInfo in a body or a message, and `retryAfter` (s) or `retryAfterMs`. */
import type { Facts } from './facts.js';
import { decimal, wholeMs } from './numbers.js';
import { call, elements, readText, read } from './read.js';

/** In JSON text, also in JSON quoted inside JSON. */
const RETRY_DELAY = /retryDelay\\*"\s*:\s*\\*"(\d+(?:\.\d+)?)s\\*"/;
const DURATION = /^(\d+(?:\.\d+)?)s$/;

function seconds(value: string | undefined): number | undefined {
  return value === undefined ? undefined : wholeMs(Number(value) * 1000);
}

function googleDelay({ bodies, message }: Facts): number | undefined {
  for (const body of bodies) {
    for (const detail of elements(read(body, 'details')) ?? []) {
      const delay = seconds(DURATION.exec(readText(detail, 'retryDelay'))?.[1]);
      if (delay !== undefined) return delay;
    }
  }
  return message.includes('retryDelay') ? seconds(RETRY_DELAY.exec(message)?.[1]) : undefined;
}

function saidBy(of: unknown): number | undefined {
  const inSeconds = decimal(read(of, 'retryAfter'));
  return wholeMs(decimal(read(of, 'retryAfterMs'))) ?? wholeMs(inSeconds === undefined ? undefined : inSeconds * 1000);
}

/** @internal */
export function bodyDelay(facts: Facts): number | undefined {
  const said = googleDelay(facts) ?? saidBy(facts.node);
  return said ?? (facts.nest ? saidBy(call(facts.node, 'getResponse')) : undefined);
}
