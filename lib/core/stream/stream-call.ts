import type { Attempt } from '../attempt.js';
import { Call } from '../call.js';
import type { CallInputs } from '../call.js';
import type { Cancellable } from '../cancellation.js';
import type { ChainPlan } from '../plan.js';
import type { Ruling } from '../verdict.js';
import type { Consumer } from './sink.js';

/** What flows to the consumer since the commit. @internal */
export interface Flow extends Cancellable {
  /** The consumer has had enough. */
  leave(): void;
}

/** Why a candidate's signal is aborted when its consumer has left. One for all: to make it is dear. @internal */
export const CONSUMER_LEFT = new DOMException('The consumer has left the stream', 'AbortError');

/**
 * One call of a stream chain. Its walk ends at the commit, or without one; what belongs to the call (the caller's signal,
 * its place among the running calls) stays until the stream has ended.
 * @internal
 */
export class StreamCall extends Call {
  /** its consumer can always leave */
  override readonly isCuttable = true;
  /** monotonic */
  readonly startedAt: number;
  private flow: Flow | null = null;
  private committed: Attempt | null = null;

  constructor(
    plan: ChainPlan,
    host: unknown,
    args: readonly unknown[],
    inputs: CallInputs,
    readonly consumer: Consumer,
  ) {
    super(plan, host, args, inputs);
    this.startedAt = plan.engine.clock.now();
  }

  /** The time to commit is over; from now on the consumer, and whoever cancels, has to do with the flow. */
  commit(attempt: Attempt, flow: Flow): void {
    attempt.stopTimer();
    this.waiting = null;
    this.time?.stopTimer();
    this.time = null;
    this.flow = flow;
    this.committed = attempt;
  }

  /** A substitute that is a stream has taken over. */
  standIn(flow: Flow): void {
    this.flow = flow;
  }

  /** The consumer has had enough, before or after the commit: that reaches the source at once. */
  abandon(): void {
    if (this.flow !== null) this.flow.leave();
    else if (this.committed === null) {
      this.cancel(CONSUMER_LEFT);
      this.waiting?.abort();
    }
  }

  override cancel(reason: unknown): void {
    super.cancel(reason);
    this.flow?.cancel(reason);
  }

  /** The walk has ended. An answer that was held and not needed is let go of. */
  override leave(): void {
    const held = this.history?.held?.attempt;
    if (held !== undefined && held !== this.committed) held.release();
    if (this.flow === null) super.leave();
  }

  /** What a stream gave is its consumer's alone. */
  override write(attempt: Attempt, _value: unknown, ruling: Ruling, now: number): void {
    super.write(attempt, undefined, ruling, now);
  }

  /** The stream has ended. */
  end(): void {
    this.flow = null;
    super.leave();
  }
}
