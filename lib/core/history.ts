import type { Attempt } from './attempt.js';
import type { CandidatePlan } from './plan.js';
import type { AttemptRecord, Clock, FailureKind } from './types.js';
import type { Ruling } from './verdict.js';

/** What failed, and what had failed before it. A list is shorter than an array for the few that there are. */
interface Failed {
  readonly candidate: string;
  readonly error: unknown;
  readonly before: Failed | null;
}

/** What a call has to tell. Made when there is something: a healthy call that nobody watches has none. @internal */
export class History {
  records: AttemptRecord[] = [];
  lastFailure: FailureKind | undefined = undefined;
  lastFailed: Failed | null = null;
  /** the first thin answer, else the first empty one: served if no better one comes */
  held: { readonly attempt: Attempt; readonly value: unknown; readonly ruling: Ruling } | null = null;
  /** a spend ceiling is reached: only free candidates go on, or nobody */
  budget: { readonly error: unknown; readonly isFinal: boolean } | null = null;
  /** the open candidates that were passed over are tried, since nobody else answered */
  isLastResort = false;
  substitutesAsked = false;
  /** the time at which the call goes on, while it waits for nothing; NaN otherwise */
  resumedAt = NaN;
  /** null for none: most calls pass nobody over */
  private passedOver: CandidatePlan[] | null = null;
  /** from monotonic to wall-clock time, for its records; read once, so that they agree with each other */
  wallOffset = NaN;
  private moment = NaN;
  private wall = NaN;

  /** An open candidate may be tried when nobody else has answered. */
  defer(candidate: CandidatePlan): void {
    if (this.passedOver === null) this.passedOver = [candidate];
    else this.passedOver.push(candidate);
  }

  /** Nobody else has: the last resort begins. */
  takePassedOver(): readonly CandidatePlan[] {
    const ladder = this.passedOver ?? [];
    this.passedOver = null;
    this.isLastResort = true;
    return ladder;
  }

  /** What each failed attempt threw, or was rejected for, in order. */
  get failures(): { candidate: string; error: unknown }[] {
    const failures: { candidate: string; error: unknown }[] = [];
    for (let failed = this.lastFailed; failed !== null; failed = failed.before) {
      failures.push({ candidate: failed.candidate, error: failed.error });
    }
    return failures.reverse();
  }

  /** The wall clock at `now`, read once for all that is told of one moment. */
  wallAt(now: number, clock: Clock): number {
    if (now !== this.moment) {
      this.moment = now;
      this.wall = clock.wall();
    }
    return this.wall;
  }
}
