/**
 * The words of the package as types: what a chain is made of, what it promises, what it reports.
 * All times are milliseconds; a `Duration` is a number of them or a string with a unit.
 */

/** Milliseconds, or a string with a unit: `250`, `'300ms'`, `'15m'`. @publicApi */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

/** What a failed attempt means. @publicApi */
export type FailureKind =
  | 'rejected'
  | 'transient'
  | 'timeout'
  | 'rate-limited'
  | 'denied'
  | 'unsupported'
  | 'terminal'
  | 'budget'
  | 'cancelled';

/** What a settled attempt means. @publicApi */
export type OutcomeKind = 'ok' | 'thin' | 'empty' | FailureKind;

/** Why a candidate was passed over without being called. @publicApi */
export type SkipReason =
  'unsupported' | 'cooling' | 'isolated' | 'gated' | 'budget' | 'deadline' | 'pacing' | 'saturated';

/**
 * What an attempt means on two independent axes: is the next candidate tried, and does it count against this one.
 * `next` and `health` default to what the kind says; `retryAfter` is in ms.
 * @example { kind: 'rate-limited', retryAfter: 30_000 }
 * @publicApi
 */
export interface Verdict {
  kind: OutcomeKind;
  next?: 'accept' | 'hold' | 'continue' | 'stop';
  health?: 'success' | 'failure' | 'ignore';
  retryAfter?: number;
}

/** What a candidate may know of the attempt it is. `signal` and `idempotencyKey` are made when first read. @publicApi */
export interface AttemptContext {
  readonly chain: string;
  readonly candidate: string;
  /** the candidate's declared place; the primary is 0 */
  readonly index: number;
  /** 0-based count of attempts in this call */
  readonly attempt: number;
  /** aborted when this attempt times out or the caller goes away */
  readonly signal: AbortSignal;
  /** ms that the whole call still has; `Infinity` without a deadline */
  readonly deadline: { remaining(): number };
  /** what the earlier candidates of this call threw, in order */
  readonly errors: readonly unknown[];
  /** one per call */
  readonly idempotencyKey: string;
}

/** One attempt or skip, as plain JSON. A skip has `reason` and no `attempt`. @publicApi */
export interface AttemptRecord {
  candidate: string;
  index: number;
  attempt?: number;
  kind: OutcomeKind | 'skipped';
  reason?: SkipReason;
  /** wall clock, ms */
  startedAt?: number;
  duration?: number;
  tries?: number;
  cost?: number;
  retryAfter?: number;
}

/** Where an answer came from. @publicApi */
export type Source = 'candidate' | 'last-known-good' | 'static' | 'deferred' | 'skipped';

/** Who answered, from where, how old, how degraded, and every attempt. Plain JSON. @publicApi */
export interface Receipt {
  chain: string;
  /** the candidate's name; null when a substitute or nobody answered */
  servedBy: string | null;
  source: Source;
  degraded: boolean;
  reason?: OutcomeKind | SkipReason;
  /** ms since the last known good was stored */
  age?: number;
  failedOver: boolean;
  stoppedBy?: FailureKind;
  cost: number;
  duration: number;
  attempts: readonly AttemptRecord[];
}

/** The envelope of `mark: 'served'`: the value and how it was come by. @publicApi */
export interface Served<T> {
  value: T;
  degraded: boolean;
  source: Source;
  servedBy: string | null;
  age?: number;
  reason?: OutcomeKind | SkipReason;
}

/** Time, injected. @publicApi */
export interface Clock {
  /** monotonic ms */
  now(): number;
  /** wall-clock ms */
  wall(): number;
  /** calls `fn` once after `delay` ms, unless cleared */
  setTimer(fn: () => void, delay: number): { clear(): void; ref(): void; unref(): void };
}

/** A candidate's circuit: closed, open (cooling), half-open (one probe), isolated (by hand). @publicApi */
export type CircuitState = 'closed' | 'open' | 'half-open' | 'isolated';

/** One candidate's health at the moment of the snapshot. @publicApi */
export interface CandidateHealth {
  candidate: string;
  index: number;
  state: CircuitState;
  consecutiveFailures: number;
  /** ms that remain, 0 unless open */
  coolingFor: number;
  /** wall-clock time, 0 unless open */
  openUntil: number;
  lastKind?: OutcomeKind;
  cost: number;
  counts: Readonly<Partial<Record<OutcomeKind | SkipReason | 'late' | 'paid-late', number>>>;
  /** wall-clock time of the last answer that was served */
  lastServedAt?: number;
  neverServed: boolean;
}

/** What observers hear: plain JSON, no arguments, no raw errors. @publicApi */
export interface FallbackEvent {
  readonly name:
    | 'attempt.settled'
    | 'attempt.skipped'
    | 'attempt.late'
    | 'call.served'
    | 'call.exhausted'
    | 'call.stopped'
    | 'stream.committed'
    | 'circuit.opened'
    | 'circuit.half-opened'
    | 'circuit.closed'
    | 'circuit.isolated'
    | 'circuit.restored'
    | 'circuit.reset'
    | 'chain.degraded'
    | 'chain.recovered'
    | 'store.failed'
    | 'store.recovered'
    | 'value.not-stored'
    | 'substitute.unmarkable'
    | 'hook.failed';
  readonly chain: string;
  readonly candidate?: string;
  readonly kind?: OutcomeKind | 'paid-late';
  readonly source?: Source;
  /** wall clock, ms */
  readonly at: number;
  readonly [field: string]: unknown;
}
