import type { Attempt } from './attempt.js';
import { CallTime } from './call-time.js';
import { groupOf } from './cancellation.js';
import type { CancelGroup, Membership } from './cancellation.js';
import type { Told } from './engine.js';
import { History } from './history.js';
import type { Running } from './in-flight.js';
import type { CallScope, CallView, CandidatePlan, ChainPlan } from './plan.js';
import type { Race } from './race.js';
import { startComputedTime } from './time.js';
import type { AttemptRecord, SkipReason } from './types.js';
import { isFailure } from './verdict.js';
import type { Ruling } from './verdict.js';

/** What one call may be given besides its arguments. @internal */
export interface CallInputs {
  /** the caller's */
  readonly signal?: AbortSignal | undefined;
  /** one more that ends the call: a nested chain has its own beside the outer attempt's */
  readonly ownSignal?: AbortSignal | undefined;
  /** ms; a tighter bound than the chain's own, such as what an outer chain has left */
  readonly deadline?: number | undefined;
  readonly scope?: CallScope | undefined;
  /** told of every attempt, with what no event holds */
  readonly onAttempt?: ((record: AttemptRecord, raw: { value?: unknown; error?: unknown }) => void) | undefined;
}

/** Of a call that is given nothing but its arguments. @internal */
export const NO_INPUTS: CallInputs = {};

/**
 * One call of a chain: what it was given, and what has happened so far.
 * @internal
 */
export class Call implements CallView, Running {
  /** anything can end it before its candidates do: a signal, a scope, a deadline, the end of its application */
  readonly isCuttable: boolean;
  /** somebody wants a receipt or an event even of a healthy first answer */
  readonly isWatched: boolean;
  cancellation: { readonly reason: unknown } | null = null;
  history: History | null = null;
  /** null while the call has all the time in the world */
  time: CallTime | null = null;
  /** what the call waits for right now */
  waiting: Race | null = null;
  valueKey: string | undefined = undefined;
  /** index of the first candidate that supports the arguments */
  firstSupported = -1;
  private first: Attempt | null = null;
  private attempts = 0;
  private memberships: Membership[] | null = null;
  private key: string | null = null;
  /** it was given something that can end it */
  private readonly isBound: boolean;
  before: Running | null = null;
  after: Running | null = null;

  constructor(
    readonly plan: ChainPlan,
    readonly host: unknown,
    readonly args: readonly unknown[],
    private readonly inputs: CallInputs,
  ) {
    const { signal, ownSignal, scope, deadline, onAttempt } = inputs;
    this.isBound =
      signal !== undefined ||
      ownSignal !== undefined ||
      plan.limit !== Infinity ||
      (deadline !== undefined && deadline !== Infinity) ||
      (scope !== undefined && scope.group !== null);
    // Whoever loses a hedge is cut, too.
    this.isCuttable = this.isBound || plan.engine.inFlight !== null || plan.hedge !== null;
    this.isWatched = scope !== undefined || onAttempt !== undefined || plan.engine.isObserved;
  }

  /** Only an outer call says what it has left. */
  get isInner(): boolean {
    return this.inputs.deadline !== undefined;
  }

  get scope(): CallScope | undefined {
    return this.inputs.scope;
  }

  get total(): number {
    return this.time === null ? Infinity : this.time.total;
  }

  get deadline(): { remaining(): number } {
    return { remaining: () => this.remaining };
  }

  /** What its candidates still have, ms. */
  get remaining(): number {
    return this.time === null ? Infinity : this.time.remaining;
  }

  get isOutOfTime(): boolean {
    return this.time !== null && this.time.isOver;
  }

  get records(): readonly AttemptRecord[] {
    return this.history === null ? [] : this.history.records;
  }

  get failures(): readonly { candidate: string; error: unknown }[] {
    return this.history === null ? [] : this.history.failures;
  }

  get idempotencyKey(): string {
    return (this.key ??= globalThis.crypto.randomUUID());
  }

  /** ms from when its first attempt began */
  durationAt(now: number): number {
    return this.first === null ? 0 : now - this.first.startedAt;
  }

  /** What has happened so far, from now on. */
  tell(): History {
    return (this.history ??= new History());
  }

  /** Joins everything that can end the call. */
  enter(): void {
    const { plan } = this;
    if (plan.engine.inFlight !== null) plan.engine.inFlight.add(this);
    if (this.isBound) this.bind();
    // Inside the call's time, like all that its users wrote.
    if (plan.substitutes !== null && this.cancellation === null) this.valueKey = plan.substitutes.keyOf(this);
  }

  /** Joins what it was given that can end it. */
  private bind(): void {
    const { plan } = this;
    const { signal, ownSignal, scope, deadline = Infinity } = this.inputs;
    if (signal?.aborted === true) return this.cancel(signal.reason);
    if (ownSignal?.aborted === true) return this.cancel(ownSignal.reason);
    if (scope?.ended != null) return this.cancel(scope.ended.reason);
    if (signal !== undefined) this.join(groupOf(signal));
    if (ownSignal !== undefined) this.join(groupOf(ownSignal));
    if (scope !== undefined && scope.group !== null) this.join(scope.group);
    const total = Math.min(plan.limit, deadline);
    if (total === Infinity) return;
    this.time = new CallTime(plan.engine.clock, total, plan.deadline, plan.reserve, () => {
      if (this.waiting?.isCandidates === true) this.waiting.interrupt('deadline');
    });
  }

  leave(): void {
    if (this.memberships !== null) for (const place of this.memberships) place.group.leave(place);
    if (this.time !== null) this.time.stopTimer();
    const { inFlight } = this.plan.engine;
    if (inFlight !== null) inFlight.remove(this);
  }

  private join(group: CancelGroup): void {
    this.memberships ??= [];
    this.memberships.push(group.join(this));
  }

  cancel(reason: unknown): void {
    if (this.cancellation !== null) return;
    this.cancellation = { reason };
    this.waiting?.interrupt('cancelled');
  }

  /** Takes the candidate for tried: from here on its attempt has a number and a time. */
  begin(attempt: Attempt): void {
    const { history } = this;
    const now = history === null ? this.plan.engine.clock.now() : this.now(history);
    if (history !== null) history.resumedAt = NaN;
    attempt.number = this.attempts++;
    // An asynchronous `supports` is part of the attempt's time, so it may have begun already.
    if (Number.isNaN(attempt.startedAt)) attempt.startedAt = now;
    this.first ??= attempt;
    attempt.startTimer(now);
    this.waiting = attempt;
    if (attempt.candidate.timeoutOf !== null) startComputedTime(attempt);
    if (this.cancellation !== null) attempt.interrupt('cancelled');
  }

  /** The time, read once for all candidates that are passed over at once. */
  now(history: History): number {
    if (Number.isNaN(history.resumedAt)) history.resumedAt = this.plan.engine.clock.now();
    return history.resumedAt;
  }

  skip(candidate: CandidatePlan, reason: SkipReason): void {
    const { name: chain, engine } = this.plan;
    this.tell().records.push(candidate.tally.skip(reason));
    if (engine.isObserved) engine.emit({ name: 'attempt.skipped', chain, candidate: candidate.name, reason });
  }

  /** Writes down a settled attempt: counts, failure, record, event. */
  write(attempt: Attempt, value: unknown, ruling: Ruling, now: number): void {
    const { candidate } = attempt;
    candidate.tally.count(ruling.kind);
    candidate.tally.lastKind = ruling.kind;
    if (!this.isWatched && this.history === null && ruling.kind === 'ok' && candidate.index === 0) return;
    this.putDown(attempt, value, ruling, now);
  }

  /** The record of a settled attempt. A good first answer that nobody watches needs one only if it proves degraded. */
  putDown(attempt: Attempt, value: unknown, ruling: Ruling, now: number): void {
    const { candidate } = attempt;
    const { name: chain, engine } = this.plan;
    const history = this.tell();
    if (Number.isNaN(history.wallOffset)) history.wallOffset = history.wallAt(now, engine.clock) - now;
    const record = recordOf(attempt, ruling, now, history.wallOffset);
    history.records.push(record);
    if (isFailure(ruling.kind)) {
      history.lastFailure = ruling.kind;
      history.lastFailed = { candidate: candidate.name, error: attempt.error, before: history.lastFailed };
    }
    // Somebody must fix a denial. Where there is a circuit, that is what says so.
    const isUrgent = ruling.kind === 'denied' && candidate.breaker === null;
    if (isUrgent) engine.report(settledEvent(chain, record, history.wallAt(now, engine.clock)));
    else if (engine.isObserved) engine.emit(settledEvent(chain, record, history.wallAt(now, engine.clock)));
    const { onAttempt } = this.inputs;
    if (onAttempt === undefined) return;
    const raw = isFailure(ruling.kind) ? { error: attempt.error } : { value };
    engine.listen(onAttempt, { ...record }, raw);
  }
}

function recordOf({ candidate, number, startedAt, tries }: Attempt, ruling: Ruling, now: number, wallOffset: number) {
  const record: AttemptRecord & { kind: Ruling['kind'] } = {
    candidate: candidate.name,
    index: candidate.index,
    attempt: number,
    kind: ruling.kind,
    startedAt: startedAt + wallOffset,
    duration: now - startedAt,
  };
  if (tries > 1) record.tries = tries;
  if (candidate.cost !== undefined && candidate.cost * tries > 0) record.cost = candidate.cost * tries;
  if (ruling.retryAfter !== undefined) record.retryAfter = ruling.retryAfter;
  return record;
}

/** Written out: to spread a record takes longer than all else that a listener costs. */
function settledEvent(chain: string, record: AttemptRecord, at: number): Told {
  const { candidate, index, attempt, kind, startedAt, duration, tries, cost, retryAfter } = record;
  const event: Told = { name: 'attempt.settled', chain, candidate, index, attempt, kind, startedAt, duration, at };
  if (tries !== undefined) event.tries = tries;
  if (cost !== undefined) event.cost = cost;
  if (retryAfter !== undefined) event.retryAfter = retryAfter;
  return event;
}
