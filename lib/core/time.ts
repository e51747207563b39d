import type { Attempt } from './attempt.js';
import { extendLease } from './circuit.js';
import { parseDuration } from './duration.js';
import { FallbackConfigurationError } from './errors.js';
import { reportHook } from './judge.js';
import { show } from './option-rules.js';
import { isLate } from './thenable.js';

/**
 * Starts the timer of an attempt whose `timeout` is a function of it. If that gives nonsense the attempt is cut before
 * it begins: a candidate without a bound on its time is not called.
 * @internal
 */
export function startComputedTime(attempt: Attempt): void {
  const { candidate, call } = attempt;
  // Once: an asynchronous `supports` is already inside the attempt's time.
  if (candidate.timeoutOf === null || attempt.computedTimeout !== null || attempt.cut !== null) return;
  let said: unknown;
  try {
    said = candidate.timeoutOf.call(call.host, attempt.context);
  } catch {
    said = null;
  }
  const timeout = said === undefined ? Infinity : parseDuration(said);
  if (timeout === undefined || timeout === 0) {
    isLate(said);
    const message = `give a positive number of ms, a string with a unit, or nothing; got ${show(said)}`;
    const where = `${call.plan.name} (candidate ${candidate.name})`;
    attempt.error = new FallbackConfigurationError([{ where, option: 'timeout', message }]);
    attempt.interrupt('untimed');
    reportHook(attempt, 'timeout');
    return;
  }
  attempt.computedTimeout = timeout;
  attempt.startOwnTimer(call.plan.engine.clock, timeout);
  const isBounded = timeout !== Infinity && candidate.breaker !== null;
  if (isBounded) extendLease(candidate.circuit, attempt.epoch, attempt.startedAt + timeout);
}
