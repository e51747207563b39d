/** Rule 10. The last resort for plain Errors without a code (pg, ioredis, child_process): what their message says. */
import type { Facts } from './facts.js';
import { TIMEOUT, TRANSIENT, type Finding } from './finding.js';
import { read } from './read.js';

const TIMED_OUT = /timed? ?out|timeout/i;
const NO_CONNECTION = /^connection (?:is closed|terminated|lost|closed)|socket hang up|isn't writeable/i;

/** @internal */
export function plainText({ node, name, code, message }: Facts): Finding | undefined {
  if (name !== 'Error' || code != null) return undefined;
  return read(node, 'killed') === true && read(node, 'signal') != null ? TIMEOUT : textOnly(message);
}

/** A text without any of these says nothing. */
const TELLING = /time|connection|socket|writeable/i;

/** What a text alone says. @internal */
export function textOnly(message: string): Finding | undefined {
  if (!TELLING.test(message)) return undefined;
  if (TIMED_OUT.test(message)) return TIMEOUT;
  return NO_CONNECTION.test(message) ? TRANSIENT : undefined;
}
