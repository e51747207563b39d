import type { Attempt } from './attempt.js';
import { parseDuration } from './duration.js';
import { FallbackConfigurationError } from './errors.js';
import { reportHook } from './judge.js';
import { show } from './option-rules.js';

/**
 * Starts the timer of an attempt whose `timeout` is a function of it. False if that gives nonsense: a candidate without
 * a bound on its time is not called.
 * @internal
 */
export function takesItsTime(attempt: Attempt): boolean {
  const { candidate, call } = attempt;
  // Asked once: an asynchronous `supports` is already inside the attempt's time.
  if (candidate.timeoutOf === null || attempt.timeout !== Infinity) return true;
  let said: unknown;
  try {
    said = candidate.timeoutOf.call(call.host, attempt.context);
  } catch {
    said = null;
  }
  const timeout = said === undefined ? Infinity : parseDuration(said);
  if (timeout === undefined || timeout === 0) {
    const message = `give a positive number of ms, a string with a unit, or nothing; got ${show(said)}`;
    attempt.error = new FallbackConfigurationError([
      { where: `${call.plan.name}/${candidate.name}`, option: 'timeout', message },
    ]);
    reportHook(attempt, 'timeout');
    return false;
  }
  attempt.timeout = timeout;
  attempt.startOwnTimer(call.plan.engine.clock, timeout);
  return true;
}
