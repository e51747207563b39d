/**
 * Rule 5. What an abort looks like. The caller's own abort never gets here, so somebody else's timer or cancellation
 * ended the attempt. Only the own name counts: ioredis derives an outage from a class named AbortError.
 */
import type { Facts } from './facts.js';
import { TIMEOUT, TRANSIENT, type Finding } from './finding.js';
import { className, read, readText } from './read.js';

const CODES: ReadonlySet<unknown> = new Set(['ABORT_ERR', 'ERR_CANCELED', 'ERR_ABORTED', 'ABORTED']);
const NAMES: ReadonlySet<string> = new Set(['AbortError', 'CanceledError', 'CancelError', 'APIUserAbortError']);

/** @internal */
export function abortShape({ node, code, name, className: own, message }: Facts): Finding | undefined {
  if (!CODES.has(code) && !NAMES.has(name) && !NAMES.has(own)) return undefined;
  const cause = read(node, 'cause');
  const timedOut = readText(cause, 'name') === 'TimeoutError' || className(cause) === 'TimeoutError';
  return timedOut || /due to timeout/i.test(message) ? TIMEOUT : TRANSIENT;
}
