import type { Attempt } from './attempt.js';
import type { CandidatePlan } from './plan.js';
import type { AttemptRecord, Clock, FailureKind } from './types.js';
import type { Ruling } from './verdict.js';

/** What a call has to tell. Made when there is something: a healthy call that nobody watches has none. @internal */
export class History {
  records: AttemptRecord[] = [];
  readonly failures: { readonly candidate: string; readonly error: unknown }[] = [];
  lastFailure: FailureKind | undefined = undefined;
  /** the first thin answer, else the first empty one: served if no better one comes */
  held: { readonly attempt: Attempt; readonly value: unknown; readonly ruling: Ruling } | null = null;
  /** a spend ceiling is reached: only free candidates go on, or nobody */
  budget: { readonly error: unknown; readonly isFinal: boolean } | null = null;
  /** open candidates that may be tried when nobody else answered */
  passedOver: CandidatePlan[] = [];
  /** now they are */
  isLastResort = false;
  substitutesAsked = false;
  /** the time at which the call goes on, while it waits for nothing; NaN otherwise */
  resumedAt = NaN;
  /** from monotonic to wall-clock time, for its records; read once, so that they agree with each other */
  wallOffset = NaN;
  private moment = NaN;
  private wall = NaN;

  /** The wall clock at `now`, read once for all that is told of one moment. */
  wallAt(now: number, clock: Clock): number {
    if (now !== this.moment) {
      this.moment = now;
      this.wall = clock.wall();
    }
    return this.wall;
  }
}
