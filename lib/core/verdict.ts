/**
 * What each kind means, on two independent axes: is the next candidate tried, and does it count against this one's
 * health. This table is the default; a verdict from a hook may say otherwise on either axis.
 */
import type { FailureKind, OutcomeKind, Verdict } from './types.js';

/** A verdict with nothing left open. @internal */
export interface Ruling {
  readonly kind: OutcomeKind;
  readonly next: NonNullable<Verdict['next']>;
  readonly health: NonNullable<Verdict['health']>;
  readonly retryAfter?: number;
}

/** The ruling of every kind. @internal */
export const RULINGS: Readonly<Record<OutcomeKind, Ruling>> = {
  ok: { kind: 'ok', next: 'accept', health: 'success' },
  thin: { kind: 'thin', next: 'hold', health: 'success' },
  empty: { kind: 'empty', next: 'accept', health: 'success' },
  rejected: { kind: 'rejected', next: 'continue', health: 'failure' },
  transient: { kind: 'transient', next: 'continue', health: 'failure' },
  timeout: { kind: 'timeout', next: 'continue', health: 'failure' },
  'rate-limited': { kind: 'rate-limited', next: 'continue', health: 'failure' },
  denied: { kind: 'denied', next: 'continue', health: 'failure' },
  unsupported: { kind: 'unsupported', next: 'continue', health: 'ignore' },
  terminal: { kind: 'terminal', next: 'stop', health: 'ignore' },
  budget: { kind: 'budget', next: 'stop', health: 'ignore' },
  cancelled: { kind: 'cancelled', next: 'stop', health: 'ignore' },
};

/** The rulings of an empty answer, by `onEmpty`. One that is held is a full answer if nobody does better. @internal */
export const EMPTY_RULINGS = {
  accept: RULINGS.empty,
  continue: { ...RULINGS.empty, next: 'hold' },
  stop: { ...RULINGS.empty, next: 'stop' },
} as const satisfies Record<string, Ruling>;

/** Cut by the call's deadline before its own timeout: no evidence about the candidate. @internal */
export const OUT_OF_TIME: Ruling = { ...RULINGS.timeout, health: 'ignore' };

/** A value that a hook failed to judge: no evidence about the candidate either. @internal */
export const UNJUDGED: Ruling = { ...RULINGS.rejected, health: 'ignore' };

const NEXT = new Set<unknown>(['accept', 'hold', 'continue', 'stop']);
const HEALTH = new Set<unknown>(['success', 'failure', 'ignore']);
/** @internal */
export function isFailure(kind: OutcomeKind): kind is FailureKind {
  return kind !== 'ok' && kind !== 'thin' && kind !== 'empty';
}

/** @internal */
export function isKind(value: unknown): value is OutcomeKind {
  return typeof value === 'string' && Object.hasOwn(RULINGS, value);
}

/** An advised delay that can be used: a number of ms from 0 up. */
function isAdvice(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

/**
 * Completes what a hook or the classifier said. `undefined`: it said nothing. `null`: it said nonsense.
 * Whatever advice it carries is capped at `maxRetryAfter`.
 * @internal
 */
export function rule(said: unknown, maxRetryAfter: number): Ruling | undefined | null {
  if (said === undefined) return undefined;
  if (typeof said === 'string') return isKind(said) ? RULINGS[said] : null;
  if (typeof said !== 'object' || said === null) return null;
  const { kind, next, health, retryAfter } = said as Partial<Verdict>;
  if (!isKind(kind)) return null;
  if (next !== undefined && !NEXT.has(next)) return null;
  if (health !== undefined && !HEALTH.has(health)) return null;
  const usual = rulingOf(kind, isAdvice(retryAfter) ? retryAfter : undefined, maxRetryAfter);
  if (next === undefined && health === undefined) return usual;
  return { ...usual, next: next ?? usual.next, health: health ?? usual.health };
}

/** What a kind means by default, with the advice that came with it, capped. @internal */
export function rulingOf(kind: OutcomeKind, retryAfter: number | undefined, maxRetryAfter: number): Ruling {
  const usual = RULINGS[kind];
  if (retryAfter === undefined) return usual;
  const { next, health } = usual;
  return { kind, next, health, retryAfter: Math.min(retryAfter, maxRetryAfter) };
}
