/**
 * What one rule says about one error. A definite finding ends the search for the kind. A weak one comes from a generic
 * wrapper and stands only if nothing further down is definite. `final`: what lies beneath is not looked at.
 */
import type { FailureKind } from '../types.js';

/** @internal */
export interface Finding {
  readonly kind: FailureKind;
  readonly weak?: true;
  readonly final?: true;
}

/** @internal */
export const TRANSIENT: Finding = { kind: 'transient' };
/** @internal */
export const TIMEOUT: Finding = { kind: 'timeout' };
/** @internal */
export const RATE_LIMITED: Finding = { kind: 'rate-limited' };
/** @internal */
export const DENIED: Finding = { kind: 'denied' };
/** @internal */
export const UNSUPPORTED: Finding = { kind: 'unsupported' };
/** @internal */
export const TERMINAL: Finding = { kind: 'terminal' };
/** @internal */
export const WEAK_TRANSIENT: Finding = { kind: 'transient', weak: true };
/** @internal */
export const WEAK_TERMINAL: Finding = { kind: 'terminal', weak: true };
/** A mistake in the program: whatever caused it, asking somebody else does not help. @internal */
export const BUG: Finding = { kind: 'terminal', final: true };

/** The first stands, unless it is weak and the second is not. @internal */
export function prefer(first: Finding | undefined, second: Finding | undefined): Finding | undefined {
  return first === undefined || (first.weak && second && !second.weak) ? second : first;
}

/** Builds a look-up from lists of words, each list under what it means. @internal */
export function dictionary<V>(lists: readonly (readonly [V, readonly string[]])[]): ReadonlyMap<string, V> {
  return new Map(lists.flatMap(([value, words]) => words.map((word) => [word, value] as const)));
}
