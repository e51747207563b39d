import type { Attempt } from './attempt.js';
import { groupOf } from './cancellation.js';
import type { Cancellable, Membership } from './cancellation.js';
import type { CallScope, CallView, CandidatePlan, ChainPlan } from './plan.js';
import type { Race } from './race.js';
import { Timed } from './timer-list.js';
import type { AttemptRecord, FailureKind, SkipReason } from './types.js';
import { isFailure } from './verdict.js';
import type { Ruling } from './verdict.js';

/** What one call may be given besides its arguments. @internal */
export interface CallInputs {
  /** the caller's */
  readonly signal?: AbortSignal | undefined;
  /** ms; a tighter bound than the chain's own, such as what an outer chain has left */
  readonly deadline?: number | undefined;
  readonly scope?: CallScope | undefined;
  /** told of every attempt, with what no event holds */
  readonly onAttempt?: ((record: AttemptRecord, raw: { value?: unknown; error?: unknown }) => void) | undefined;
}

const NOTHING: CallInputs = {};
const NO_FAILURES: { candidate: string; error: unknown }[] = [];

/**
 * One call of a chain: what it was given, and what has happened so far. Lists are made when there is something to put
 * on them, since a healthy call has nothing to tell.
 * @internal
 */
export class Call extends Timed implements CallView, Cancellable {
  readonly isCuttable: boolean;
  /** somebody wants a receipt or an event even of a healthy first answer */
  readonly isWatched: boolean;
  /** its whole time, ms */
  readonly total: number;
  startedAt = NaN;
  /** its candidates' time is over: only what is left for the substitute remains */
  isOutOfTime = false;
  cancellation: { readonly reason: unknown } | null = null;
  /** a candidate's spend ceiling is reached: only free candidates go on */
  budget: { readonly error: unknown } | null = null;
  records: AttemptRecord[] | null = null;
  failures = NO_FAILURES;
  /** the first thin answer, else the first empty one: served if no better one comes */
  held: { readonly attempt: Attempt; readonly value: unknown; readonly ruling: Ruling } | null = null;
  /** what the call waits for right now */
  waiting: Race | null = null;
  lastFailure: FailureKind | undefined = undefined;
  substitutesAsked = false;
  /** index of the first candidate that supports the arguments */
  firstSupported = -1;
  /** open candidates that may be tried when nobody else answered */
  passedOver: CandidatePlan[] | null = null;
  private attempts = 0;
  private viaSignal: Membership | null = null;
  private viaScope: Membership | null = null;
  private key: string | null = null;

  constructor(
    readonly plan: ChainPlan,
    readonly host: unknown,
    readonly args: readonly unknown[],
    private readonly inputs: CallInputs = NOTHING,
  ) {
    super();
    const { signal, scope, deadline = Infinity, onAttempt } = inputs;
    this.total = plan.deadline === null ? deadline : Math.min(plan.deadline.total, deadline);
    this.isCuttable = signal !== undefined || this.total !== Infinity || (scope !== undefined && scope.group !== null);
    this.isWatched = scope !== undefined || onAttempt !== undefined || plan.engine.isObserved;
  }

  get scope(): CallScope | undefined {
    return this.inputs.scope;
  }

  get deadline(): { remaining(): number } {
    return { remaining: () => Math.max(0, this.cutAt - this.plan.engine.clock.now()) };
  }

  get idempotencyKey(): string {
    return (this.key ??= globalThis.crypto.randomUUID());
  }

  /** When its candidates must have answered, monotonic. */
  get cutAt(): number {
    return this.total === Infinity ? Infinity : this.startedAt + this.total - this.reserve;
  }

  /** What is left for a substitute, ms. */
  get leftForSubstitute(): number {
    if (this.total === Infinity) return Infinity;
    return Math.max(this.startedAt + this.total - this.plan.engine.clock.now(), this.reserve, 0);
  }

  /** Joins everything that can end the call. */
  enter(): void {
    if (!this.isCuttable) return;
    const { signal, scope } = this.inputs;
    if (signal?.aborted === true) this.cancel(signal.reason);
    else if (scope?.ended != null) this.cancel(scope.ended.reason);
    else {
      this.viaSignal = signal === undefined ? null : groupOf(signal).join(this);
      this.viaScope = scope?.group?.join(this) ?? null;
      if (this.total !== Infinity) this.startDeadline();
    }
  }

  leave(): void {
    this.viaSignal?.group.leave(this.viaSignal);
    this.viaScope?.group.leave(this.viaScope);
    if (this.total !== Infinity) this.stopTimer();
  }

  cancel(reason: unknown): void {
    if (this.cancellation !== null) return;
    this.cancellation = { reason };
    this.waiting?.interrupt('cancelled');
  }

  /** The candidates' part of the deadline is over. */
  expire(): void {
    this.isOutOfTime = true;
    this.waiting?.interrupt('deadline');
  }

  /** Takes the candidate for tried: from here on its attempt has a number and a time. */
  begin(attempt: Attempt): void {
    const now = this.plan.engine.clock.now();
    attempt.number = this.attempts++;
    attempt.startedAt = now;
    if (Number.isNaN(this.startedAt)) this.startedAt = now;
    attempt.startTimer(now);
    this.waiting = attempt;
  }

  /** A full answer: it may become the last known good. */
  remember(value: unknown): void {
    this.plan.substitutes?.remember(this, value);
  }

  /** Keeps an answer for the case that no better one comes: a thin one rather than an empty one. */
  hold(attempt: Attempt, value: unknown, ruling: Ruling): void {
    const isBetter = this.held?.ruling.kind === 'empty' && ruling.kind !== 'empty';
    if (this.held === null || isBetter) this.held = { attempt, value, ruling };
  }

  skip(candidate: CandidatePlan, reason: SkipReason): void {
    const { name: chain, engine } = this.plan;
    candidate.tally.count(reason);
    (this.records ??= []).push({ candidate: candidate.name, index: candidate.index, kind: 'skipped', reason });
    engine.emit({ name: 'attempt.skipped', chain, candidate: candidate.name, reason });
  }

  /** Writes down a settled attempt: counts, failure, record, event. Its circuit has been told. */
  write(attempt: Attempt, value: unknown, ruling: Ruling): void {
    const { candidate } = attempt;
    this.waiting = null;
    candidate.tally.count(ruling.kind);
    candidate.tally.lastKind = ruling.kind;
    if (isFailure(ruling.kind)) {
      this.lastFailure = ruling.kind;
      if (this.failures === NO_FAILURES) this.failures = [];
      this.failures.push({ candidate: candidate.name, error: attempt.error });
    }
    if (!this.isWatched && this.records === null && ruling.kind === 'ok' && candidate.index === 0) return;
    const record = recordOf(attempt, ruling);
    (this.records ??= []).push(record);
    const { name: chain, engine } = this.plan;
    if (engine.isObserved) engine.emit({ name: 'attempt.settled', chain, ...record });
    if (this.inputs.onAttempt !== undefined) {
      const raw = isFailure(ruling.kind) ? { error: attempt.error } : { value };
      engine.tell(() => this.inputs.onAttempt!(record, raw), this.inputs.onAttempt);
    }
  }

  private startDeadline(): void {
    const { deadline, engine } = this.plan;
    const now = (this.startedAt = engine.clock.now());
    const left = this.cutAt - now;
    if (left <= 0) this.isOutOfTime = true;
    else if (this.total === deadline?.total) deadline.timers.add(this, now);
    else this.startOwnTimer(engine.clock, left);
  }

  private get reserve(): number {
    return this.plan.deadline?.reserve ?? 0;
  }
}

function recordOf(attempt: Attempt, ruling: Ruling): AttemptRecord & { kind: Ruling['kind'] } {
  const { call, candidate, number, startedAt, settledAt, tries } = attempt;
  const record: ReturnType<typeof recordOf> = {
    candidate: candidate.name,
    index: candidate.index,
    attempt: number,
    kind: ruling.kind,
    startedAt: call.plan.engine.clock.wall() - (settledAt - startedAt),
    duration: settledAt - startedAt,
  };
  if (tries > 1) record.tries = tries;
  if (candidate.cost !== undefined && candidate.cost > 0) record.cost = candidate.cost * tries;
  if (ruling.retryAfter !== undefined) record.retryAfter = ruling.retryAfter;
  return record;
}
