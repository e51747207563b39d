/** Our own errors and those of the failure makers, by brand: any copy of the package knows them. Delays are in ms. */
import { ERROR_BRAND } from '../errors.js';
import { FAILURE_BRAND } from '../failures.js';
import type { FailureKind } from '../types.js';
import { DENIED, RATE_LIMITED, TERMINAL, TIMEOUT, TRANSIENT, UNSUPPORTED, type Finding } from './finding.js';
import { read } from './read.js';

const REJECTED: Finding = { kind: 'rejected' };
const BUDGET: Finding = { kind: 'budget' };
const CANCELLED: Finding = { kind: 'cancelled' };

const BY_CODE: ReadonlyMap<unknown, Finding> = new Map([
  ['FALLBACK_EXHAUSTED', TRANSIENT],
  ['DEADLINE_EXCEEDED', TRANSIENT],
  ['ATTEMPT_TIMEOUT', TIMEOUT],
  ['RESULT_REJECTED', REJECTED],
  ['BUDGET_EXHAUSTED', BUDGET],
  ['SHUTTING_DOWN', CANCELLED],
  ['CLIENT_DISCONNECTED', CANCELLED],
  ['FALLBACK_CONFIGURATION', TERMINAL],
]);

const BY_KIND: Readonly<Record<FailureKind, Finding>> = {
  rejected: REJECTED,
  transient: TRANSIENT,
  timeout: TIMEOUT,
  'rate-limited': RATE_LIMITED,
  denied: DENIED,
  unsupported: UNSUPPORTED,
  terminal: TERMINAL,
  budget: BUDGET,
  cancelled: CANCELLED,
};
const KINDS: ReadonlyMap<unknown, Finding> = new Map(Object.entries(BY_KIND));

/** @internal */
export function ownFinding(node: object): Finding | undefined {
  return BY_CODE.get(read(node, ERROR_BRAND)) ?? KINDS.get(read(node, FAILURE_BRAND));
}
