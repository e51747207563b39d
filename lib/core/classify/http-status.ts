/** Rule 3. HTTP statuses. A status that no row names goes by its class. */
import type { Facts } from './facts.js';
import {
  DENIED,
  RATE_LIMITED,
  TERMINAL,
  TIMEOUT,
  TRANSIENT,
  UNSUPPORTED,
  WEAK_TRANSIENT,
  type Finding,
} from './finding.js';
import { headersOf } from './headers.js';

const BY_STATUS: ReadonlyMap<number, Finding> = new Map([
  [401, DENIED],
  [402, DENIED],
  [403, DENIED],
  [408, TIMEOUT],
  [413, UNSUPPORTED],
  [425, TRANSIENT],
  [429, RATE_LIMITED],
  [501, UNSUPPORTED],
  [504, TIMEOUT],
  [522, TIMEOUT],
  [524, TIMEOUT],
]);

const BY_CLASS: ReadonlyMap<number, Finding> = new Map([
  [3, WEAK_TRANSIENT],
  [4, TERMINAL],
  [5, TRANSIENT],
]);

/** What a 4xx of our own Nest exceptions may mean besides a verdict on the request. */
const NEST_RETRYABLE: ReadonlySet<number> = new Set([408, 425, 429]);

/** GitHub's limits are 403. */
function saysRateLimit(facts: Facts): boolean {
  return headersOf(facts).some((header) => header('retry-after') || header('x-ratelimit-remaining') === '0');
}

/** @internal */
export function httpStatus(facts: Facts): Finding | undefined {
  const { status, nest } = facts;
  if (status === undefined) return undefined;
  const family = Math.floor(status / 100);
  if (nest && family === 4 && !NEST_RETRYABLE.has(status)) return TERMINAL;
  if (status === 403 && saysRateLimit(facts)) return RATE_LIMITED;
  return BY_STATUS.get(status) ?? BY_CLASS.get(family);
}
