import { AttemptTimeoutError } from './errors.js';
import type { AttemptView, CallView, CandidatePlan } from './plan.js';
import { Race } from './race.js';
import type { AttemptContext } from './types.js';

/** One run of one candidate inside one call. @internal */
export class Attempt extends Race implements AttemptView {
  /** 0-based among the attempts of the call; -1 before it has begun */
  number = -1;
  /** monotonic */
  startedAt = 0;
  settledAt = 0;
  /** the circuit's period in which it began */
  epoch = 0;
  private ctx: AttemptContext | null = null;
  private controller: AbortController | null = null;

  constructor(
    readonly call: CallView,
    readonly candidate: CandidatePlan,
  ) {
    super(candidate.timers !== null || call.isCancellable);
  }

  get context(): AttemptContext {
    return (this.ctx ??= new Context(this));
  }

  /** Made when first read: most candidates never look. */
  get signal(): AbortSignal {
    if (this.controller === null) {
      this.controller = new AbortController();
      if (this.cut !== null) this.abort();
    }
    return this.controller.signal;
  }

  startTimer(now: number): void {
    if (this.list === null) this.candidate.timers?.add(this, now);
  }

  /** Begins the attempt: what it gives, FAILED, or CUT. May reject when nothing can cut it. */
  run(): unknown {
    const { candidate, call } = this;
    if (call.scope === undefined) return this.wait(candidate.invoke(this));
    return this.wait(call.scope.within(() => candidate.invoke(this)));
  }

  /** Takes the cut for the attempt's error and tells whoever listens to its signal. */
  abort(): void {
    this.error = this.reason();
    this.controller?.abort(this.error);
  }

  private reason(): unknown {
    if (this.cut === 'cancelled') return this.call.cancellation?.reason;
    return this.error instanceof AttemptTimeoutError ? this.error : new AttemptTimeoutError(this.candidate.timeout);
  }
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
