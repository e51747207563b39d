import { isSignal } from '../core/cancellation.js';
import type { AttemptView } from '../core/plan.js';
import { UNMARKED, markedParameters } from './policy.js';
import type { Marked } from './policy.js';

/**
 * The arguments of a call as one candidate gets them. A caller's signal is replaced by the attempt's, which follows
 * it; what the candidate marked is filled in. Without marks they are the call's own.
 * @param host the marks of the decorated method
 * @param own the marks of the candidate
 * @internal
 */
export function fillArguments(attempt: AttemptView, host: Marked, own: Marked): unknown[] {
  const { args } = attempt.call;
  const hasSignal = host.signal >= 0 && isSignal(args[host.signal]);
  if (!hasSignal && own.signal < 0 && own.context < 0) return args as unknown[];
  const filled: unknown[] = [...args];
  if (hasSignal) filled[host.signal] = attempt.signal;
  if (own.signal >= 0) filled[own.signal] = attempt.signal;
  if (own.context >= 0) filled[own.context] = attempt.context;
  return filled;
}

/** Looks up a method's marks once per prototype: instances of one class come one after another. @internal */
export function marksOf(key: string | symbol): (target: object) => Marked {
  let seen: object | null = null;
  let marked = UNMARKED;
  return (target) => {
    const prototype = Object.getPrototypeOf(target) as object | null;
    if (prototype !== seen) {
      seen = prototype;
      marked = prototype === null ? UNMARKED : markedParameters(prototype, key);
    }
    return marked;
  };
}
