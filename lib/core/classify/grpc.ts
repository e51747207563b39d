/** Rule 1. gRPC status codes: a `code` of 1..16 counts only beside gRPC metadata, exit codes are numbers too. */
import type { Facts } from './facts.js';
import { DENIED, RATE_LIMITED, TERMINAL, TIMEOUT, TRANSIENT, UNSUPPORTED, type Finding } from './finding.js';
import { hasMethod, read } from './read.js';

const BY_CODE: ReadonlyMap<unknown, Finding> = new Map([
  [1, TRANSIENT], // CANCELLED, and the caller did not cancel
  [2, TRANSIENT], // UNKNOWN
  [3, TERMINAL], // INVALID_ARGUMENT
  [4, TIMEOUT], // DEADLINE_EXCEEDED
  [5, TERMINAL], // NOT_FOUND
  [6, TERMINAL], // ALREADY_EXISTS
  [7, DENIED], // PERMISSION_DENIED
  [8, RATE_LIMITED], // RESOURCE_EXHAUSTED
  [9, TERMINAL], // FAILED_PRECONDITION
  [10, TRANSIENT], // ABORTED: a concurrency conflict
  [11, TERMINAL], // OUT_OF_RANGE
  [12, UNSUPPORTED], // UNIMPLEMENTED
  [13, TRANSIENT], // INTERNAL
  [14, TRANSIENT], // UNAVAILABLE
  [15, TRANSIENT], // DATA_LOSS
  [16, DENIED], // UNAUTHENTICATED
]);

/** @internal */
export function grpcStatus({ node, code }: Facts): Finding | undefined {
  if (typeof code !== 'number') return undefined;
  return hasMethod(read(node, 'metadata'), 'getMap') ? BY_CODE.get(code) : undefined;
}
