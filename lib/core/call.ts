import type { Attempt } from './attempt.js';
import { groupOf } from './cancellation.js';
import type { Cancellable, Membership } from './cancellation.js';
import { REFUSED, admit, mayBeTriedLast, record } from './circuit.js';
import { isFailure } from './verdict.js';
import type { Ruling } from './verdict.js';
import type { CallScope, CallView, CandidatePlan, ChainPlan } from './plan.js';
import type { Race } from './race.js';
import type { AttemptRecord, FailureKind, SkipReason } from './types.js';

/** How long a probe without a timeout of its own may take before another is let in. */
const PROBE_LEASE = 30_000;

const NO_FAILURES: { candidate: string; error: unknown }[] = [];
const ENDLESS = { remaining: (): number => Infinity };

/**
 * One call of a chain: what it was given, and what has happened so far. Lists are made when there is something to put
 * on them, since a healthy call has nothing to tell.
 * @internal
 */
export class Call implements CallView, Cancellable {
  readonly isCancellable: boolean;
  /** somebody wants a receipt or an event even of a healthy first answer */
  readonly isWatched: boolean;
  startedAt = NaN;
  cancellation: { readonly reason: unknown } | null = null;
  records: AttemptRecord[] | null = null;
  failures = NO_FAILURES;
  /** the first thin answer: served if no better one comes */
  held: { readonly attempt: Attempt; readonly value: unknown; readonly ruling: Ruling } | null = null;
  /** what the call waits for right now */
  waiting: Race | null = null;
  lastFailure: FailureKind | undefined = undefined;
  substitutesAsked = false;
  /** index of the first candidate that supports the arguments */
  firstSupported = -1;
  private attempts = 0;
  private passedOver: CandidatePlan[] | null = null;
  private viaSignal: Membership | null = null;
  private viaScope: Membership | null = null;
  private key: string | null = null;

  constructor(
    readonly plan: ChainPlan,
    readonly host: unknown,
    readonly args: readonly unknown[],
    readonly signal: AbortSignal | undefined,
    readonly scope: CallScope | undefined,
  ) {
    this.isCancellable = signal !== undefined || (scope !== undefined && scope.group !== null);
    this.isWatched = scope !== undefined || plan.engine.isObserved;
  }

  get deadline(): { remaining(): number } {
    return ENDLESS;
  }

  get idempotencyKey(): string {
    return (this.key ??= globalThis.crypto.randomUUID());
  }

  /** Joins everything that can end the call. */
  enter(): void {
    if (!this.isCancellable) return;
    if (this.signal?.aborted === true) this.cancel(this.signal.reason);
    else if (this.scope?.ended != null) this.cancel(this.scope.ended.reason);
    else {
      this.viaSignal = this.signal === undefined ? null : groupOf(this.signal).join(this);
      this.viaScope = this.scope?.group?.join(this) ?? null;
    }
  }

  leave(): void {
    this.viaSignal?.group.leave(this.viaSignal);
    this.viaScope?.group.leave(this.viaScope);
  }

  cancel(reason: unknown): void {
    if (this.cancellation !== null) return;
    this.cancellation = { reason };
    this.waiting?.interrupt('cancelled');
  }

  /** The period in which the candidate may be called now; REFUSED, with a record, while its circuit does not let it. */
  admit(candidate: CandidatePlan, isLastResort: boolean): number {
    const { circuit } = candidate;
    if (circuit === null || circuit.openUntil === 0) return circuit === null ? 0 : circuit.epoch;
    const now = this.plan.engine.clock.now();
    const lease = candidate.timeout === Infinity ? PROBE_LEASE : candidate.timeout;
    const mayBeLast = candidate.deferred && mayBeTriedLast(circuit, now);
    if (isLastResort && mayBeLast) return circuit.epoch;
    const epoch = admit(circuit, now, lease);
    if (epoch === REFUSED) {
      if (mayBeLast) (this.passedOver ??= []).push(candidate);
      this.skip(candidate, 'cooling');
    } else this.plan.engine.emit({ name: 'circuit.half-opened', chain: this.plan.name, candidate: candidate.name });
    return epoch;
  }

  /** Open candidates that were passed over and may be tried now that nobody else answered; their skips are forgotten. */
  takePassedOver(): readonly CandidatePlan[] {
    const ladder = this.passedOver ?? [];
    this.passedOver = null;
    if (ladder.length > 0) {
      this.records = this.records!.filter(({ kind, index }) => kind !== 'skipped' || !isAmong(ladder, index));
    }
    return ladder;
  }

  /** Takes the candidate for tried: from here on its attempt has a number, a time and a timer. */
  begin(attempt: Attempt, epoch: number): void {
    const now = this.plan.engine.clock.now();
    attempt.number = this.attempts++;
    attempt.epoch = epoch;
    attempt.startedAt = now;
    if (attempt.number === 0) this.startedAt = now;
    attempt.startTimer(now);
    this.waiting = attempt;
  }

  skip(candidate: CandidatePlan, reason: SkipReason): void {
    const { name: chain, engine } = this.plan;
    candidate.tally.count(reason);
    (this.records ??= []).push({ candidate: candidate.name, index: candidate.index, kind: 'skipped', reason });
    engine.emit({ name: 'attempt.skipped', chain, candidate: candidate.name, reason });
  }

  /** Writes down a settled attempt: circuit, counts, record, event. */
  settle(attempt: Attempt, ruling: Ruling): void {
    const { candidate } = attempt;
    const { clock } = this.plan.engine;
    const now = clock.now();
    attempt.settledAt = now;
    attempt.stopTimer();
    this.waiting = null;
    candidate.tally.count(ruling.kind);
    candidate.tally.lastKind = ruling.kind;
    if (candidate.circuit !== null) this.noteHealth(attempt, ruling, now);
    if (isFailure(ruling.kind)) {
      this.lastFailure = ruling.kind;
      if (this.failures === NO_FAILURES) this.failures = [];
      this.failures.push({ candidate: candidate.name, error: attempt.error });
    }
    if (this.isWatched || this.records !== null || ruling.kind !== 'ok' || candidate.index > 0) {
      this.write(attempt, ruling, now);
    }
  }

  private noteHealth(attempt: Attempt, ruling: Ruling, now: number): void {
    const { candidate } = attempt;
    const change = record(candidate.circuit!, candidate.breaker, attempt.epoch, ruling, now);
    if (change === null) return;
    const about = { chain: this.plan.name, candidate: candidate.name, kind: ruling.kind };
    if (change === 'closed') this.plan.engine.emit({ name: 'circuit.closed', ...about });
    else {
      const cooldown = candidate.circuit!.openUntil - now;
      this.plan.engine.emit({ name: 'circuit.opened', ...about, cooldown, insists: candidate.circuit!.insists });
    }
  }

  private write(attempt: Attempt, ruling: Ruling, now: number): void {
    const { name: chain, engine } = this.plan;
    const record = recordOf(attempt, ruling, now);
    (this.records ??= []).push(record);
    if (engine.isObserved) engine.emit({ name: 'attempt.settled', chain, ...record });
  }
}

function recordOf({ call, candidate, number, startedAt }: Attempt, ruling: Ruling, now: number) {
  const written: AttemptRecord & { kind: Ruling['kind'] } = {
    candidate: candidate.name,
    index: candidate.index,
    attempt: number,
    kind: ruling.kind,
    startedAt: call.plan.engine.clock.wall() - (now - startedAt),
    duration: now - startedAt,
  };
  if (candidate.cost > 0) written.cost = candidate.cost;
  if (ruling.retryAfter !== undefined) written.retryAfter = ruling.retryAfter;
  return written;
}

function isAmong(ladder: readonly CandidatePlan[], index: number): boolean {
  return ladder.some((candidate) => candidate.index === index);
}
