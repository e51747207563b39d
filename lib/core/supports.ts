import type { Attempt } from './attempt.js';
import type { Call } from './call.js';
import { reportHook } from './judge.js';
import { CUT, FAILED } from './race.js';
import { isThenable } from './thenable.js';
import { startComputedTime } from './time.js';

/**
 * Whether a candidate takes the call's arguments. Asked inside the attempt's time; a `supports` that throws, or is
 * still silent when that time is over, says no.
 * @internal
 */
export function supports(call: Call, attempt: Attempt): boolean | Promise<boolean> {
  const { candidate } = attempt;
  try {
    const said: unknown = candidate.supports!.apply(call.host, call.args as unknown[]);
    return isThenable(said) ? supportsLate(call, attempt, said) : Boolean(said);
  } catch {
    reportHook(attempt, 'supports');
    return false;
  }
}

async function supportsLate(call: Call, attempt: Attempt, said: PromiseLike<unknown>): Promise<boolean> {
  const now = call.plan.engine.clock.now();
  attempt.startedAt = now;
  attempt.startTimer(now);
  startComputedTime(attempt);
  if (attempt.cut !== null) return true; // begun and written down as what it is, without a call
  call.waiting = attempt;
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
