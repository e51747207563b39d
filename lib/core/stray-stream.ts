/**
 * A stream as the answer of a promise chain's candidate 0. It would be served before it has given anything, so nothing
 * would protect it: whoever declared the chain forgot to say that it is one of streams. What stands for a body (streams of
 * Node and of the web) is a value like any other.
 */
import type { Attempt } from './attempt.js';
import { FallbackConfigurationError } from './errors.js';
import { isObservable } from './observable.js';
import { RULINGS } from './verdict.js';
import type { Ruling } from './verdict.js';

/** @internal */
export function isStrayStream({ candidate, call }: Attempt, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || candidate.index !== 0 || call.plan.stream !== null) return false;
  return isAsyncIterable(value) || isObservable(value);
}

function isAsyncIterable(value: object): boolean {
  try {
    return Symbol.asyncIterator in value && !('pipe' in value) && !('getReader' in value);
  } catch {
    return false;
  }
}

/** @internal */
export function refuseStray(attempt: Attempt): Ruling {
  const message = "gives a stream where a value is expected; set stream: 'observable' or stream: 'async-iterable'";
  attempt.error = new FallbackConfigurationError([{ where: attempt.call.plan.name, option: 'stream', message }]);
  return RULINGS.terminal;
}
