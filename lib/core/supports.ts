import type { Attempt } from './attempt.js';
import type { Call } from './call.js';
import { reportHook } from './judge.js';
import type { CandidatePlan } from './plan.js';
import { CUT, FAILED } from './race.js';
import { isLate, isThenable } from './thenable.js';
import { startComputedTime } from './time.js';

/**
 * Whether a candidate takes the call's arguments, or a promise of it. A `supports` that throws says no.
 * @internal
 */
export function supports(call: Call, candidate: CandidatePlan): boolean | PromiseLike<unknown> {
  try {
    const said: unknown = candidate.supports!.apply(call.host, call.args as unknown[]);
    return isThenable(said) ? said : Boolean(said);
  } catch {
    reportHook({ call, candidate }, 'supports');
    return false;
  }
}

/** What it says later, inside the attempt's time; one that is still silent when that is over says no. @internal */
export async function supportsInTime(call: Call, attempt: Attempt, said: PromiseLike<unknown>): Promise<boolean> {
  if (call.history !== null) call.history.resumedAt = NaN;
  const now = call.plan.engine.clock.now();
  attempt.startedAt = now;
  attempt.startTimer(now);
  call.waiting = attempt;
  startComputedTime(attempt);
  if (attempt.cut !== null) {
    isLate(said);
    return true; // begun and written down as what it is, without a call
  }
  let fits: unknown;
  try {
    fits = await attempt.wait(said);
  } catch {
    fits = FAILED;
  }
  if (fits === FAILED || (fits === CUT && attempt.cut === 'timeout')) reportHook(attempt, 'supports');
  call.waiting = null;
  return Boolean(fits) && fits !== FAILED && fits !== CUT;
}
