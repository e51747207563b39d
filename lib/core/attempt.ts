import type { Expense } from './budget.js';
import { AttemptTimeoutError, DeadlineExceededError } from './errors.js';
import { countMarks } from './marks.js';
import { isObservable, lastValue } from './observable.js';
import type { AttemptView, CallView, CandidatePlan } from './plan.js';
import { CUT, Race } from './race.js';
import { isThenable } from './thenable.js';
import type { AttemptContext } from './types.js';
import type { Ruling } from './verdict.js';

/** One run of one candidate inside one call, retries included. @internal */
export class Attempt extends Race implements AttemptView {
  /** 0-based among the attempts of the call; -1 before it has begun */
  number = -1;
  /** monotonic */
  startedAt = NaN;
  /** how often its candidate was called */
  tries = 0;
  /** what it costs, where the chain has a budget */
  expense: Expense | null = null;
  /** what was said of its stream while that was read; null where the answer itself is judged */
  ruled: Ruling | null = null;
  /** tells marks that an inner chain leaves from older ones */
  readonly marksBefore = countMarks();
  /** the circuit's period in which it began */
  epoch = 0;
  /** its own timeout, where that was computed for it, ms */
  computedTimeout: number | null = null;
  /** what the candidate gave: it may still settle after the attempt was cut */
  work: unknown = undefined;
  private ctx: AttemptContext | null = null;
  private controller: AbortController | null = null;
  /** nobody waits for it any more, or for the stream that it gave */
  private ended: { readonly reason: unknown } | null = null;
  private isAborted = false;

  constructor(
    readonly call: CallView,
    readonly candidate: CandidatePlan,
  ) {
    super(candidate.timers !== null || candidate.timeoutOf !== null || call.isCuttable);
  }

  override get isCandidates(): boolean {
    return true;
  }

  get timeout(): number {
    return this.computedTimeout ?? this.candidate.timeout;
  }

  get context(): AttemptContext {
    return (this.ctx ??= new Context(this));
  }

  /** Made when first read: most candidates never look. */
  get signal(): AbortSignal {
    if (this.controller === null) {
      this.controller = new AbortController();
      if (this.cut !== null) this.abort();
      else if (this.ended !== null) this.controller.abort(this.ended.reason);
    }
    return this.controller.signal;
  }

  startTimer(now: number): void {
    if (this.list === null) this.candidate.timers?.add(this, now);
  }

  /** Begins a try: what it gives, FAILED, or CUT. May reject when nothing can cut it. */
  run(): unknown {
    return this.cut === null ? this.wait(this.invoke()) : this.forgo();
  }

  /** It was cut before its candidate could be called. */
  forgo(): typeof CUT {
    this.expense?.giveBack();
    return CUT;
  }

  /** Calls the candidate; what it gives may still settle when the attempt is over. */
  invoke(): unknown {
    const { candidate, call, expense } = this;
    this.tries++;
    if (expense !== null) expense.spend();
    const given = call.scope === undefined ? candidate.invoke(this) : call.scope.within(() => candidate.invoke(this));
    return (this.work = settling(given, this));
  }

  /** Takes the cut for the attempt's error, lets go of its source, and tells whoever listens to its signal. */
  override abort(): void {
    if (!this.isAborted) {
      this.isAborted = true;
      this.error = this.reason();
    }
    this.drop(this.error);
  }

  /** Lets go of its source, and tells whoever listens to its signal why. */
  drop(reason: unknown): void {
    if (this.ended === null) {
      this.ended = { reason };
      this.release();
    }
    this.controller?.abort(this.ended.reason);
  }

  /** Another try of what was let go of: with a source, and a signal, of its own. */
  renew(): void {
    if (this.ended === null || this.cut !== null) return;
    this.ended = null;
    this.controller = null;
  }

  /** Cut by its own timeout, and not by the call's deadline before that was over. */
  get isTimedOut(): boolean {
    const { clock } = this.call.plan.engine;
    return this.cut === 'timeout' || (this.cut === 'deadline' && clock.now() - this.startedAt >= this.timeout);
  }

  private reason(): unknown {
    if (this.cut === 'cancelled') return this.call.cancellation?.reason;
    if (this.cut === 'untimed') return this.error;
    return this.isTimedOut ? new AttemptTimeoutError(this.timeout) : new DeadlineExceededError(this.call.total);
  }
}

/**
 * What a candidate gave as a value or a native promise. A thenable may be lazy (a query builder runs when its `then` is
 * called), so it is asked once, whoever listens afterwards.
 */
function settling(given: unknown, attempt: Attempt): unknown {
  if (given instanceof Promise) return given;
  if (isObservable(given)) return lastValue(given, attempt);
  return isThenable(given) ? Promise.resolve(given) : given;
}

/** The face of an attempt that candidates and hooks see. */
class Context implements AttemptContext {
  readonly #attempt: Attempt;

  constructor(attempt: Attempt) {
    this.#attempt = attempt;
  }

  get chain(): string {
    return this.#attempt.call.plan.name;
  }

  get candidate(): string {
    return this.#attempt.candidate.name;
  }

  get index(): number {
    return this.#attempt.candidate.index;
  }

  get attempt(): number {
    return this.#attempt.number;
  }

  get signal(): AbortSignal {
    return this.#attempt.signal;
  }

  get deadline(): { remaining(): number } {
    return this.#attempt.call.deadline;
  }

  get errors(): readonly unknown[] {
    return this.#attempt.call.failures.map(({ error }) => error);
  }

  get idempotencyKey(): string {
    return this.#attempt.call.idempotencyKey;
  }
}
