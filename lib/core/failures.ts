/**
 * Errors a candidate may throw to say what its failure means, where the client's own error would not.
 * They are recognised by brand, hidden on the object, so another copy of the package understands them too.
 */
import { brand } from './shared.js';
import type { FailureKind } from './types.js';

/** The property that holds the kind of a maker's error. @internal */
export const FAILURE_BRAND = brand('failure');

/** What a failure maker may be told besides the message. */
interface FailureOptions {
  cause?: unknown;
  /** ms */
  retryAfter?: number;
}

function maker(kind: FailureKind, sentence: string) {
  return (message = sentence, options: FailureOptions = {}): Error => {
    const error = new Error(message, 'cause' in options ? { cause: options.cause } : undefined);
    Object.defineProperty(error, FAILURE_BRAND, { value: kind });
    return options.retryAfter === undefined ? error : Object.assign(error, { retryAfter: options.retryAfter });
  };
}

/**
 * The provider wants fewer calls: the next candidate answers; with `retryAfter` this one rests for exactly that long.
 * @example throw rateLimited('quota of the hour is used up', { retryAfter: 60_000 })
 * @publicApi
 */
export const rateLimited = maker('rate-limited', 'Rate limited');

/** The provider failed for now: the next candidate answers, and it counts against this one. @publicApi */
export const transient = maker('transient', 'Transient failure');

/** The request itself is wrong: the call stops and rejects with this error; no other candidate is asked. @publicApi */
export const terminal = maker('terminal', 'Terminal failure');

/** This provider cannot do it, another may: the next candidate answers and nothing is counted. @publicApi */
export const unsupported = maker('unsupported', 'Not supported');

/** Credentials or account are refused; somebody must fix it: the next candidate answers, this one rests. @publicApi */
export const denied = maker('denied', 'Access denied');

/** Our own spend ceiling is reached: only candidates of cost 0 are still tried. @publicApi */
export const budgetExhausted = maker('budget', 'Budget exhausted');
