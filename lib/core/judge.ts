/**
 * From how an attempt settled to what it means. Whether our own timer fired or the caller went away is our own
 * knowledge and comes first; then the candidate's hooks; then the default classifier. A hook that throws or says
 * nonsense never fails a call: a value it could not judge is rejected, an error is classified as if it had not been
 * asked, and neither counts against the candidate's health.
 */
import type { Attempt } from './attempt.js';
import { classifyAt } from './classify/index.js';
import { RejectedResultError } from './errors.js';
import { receiptSince } from './marks.js';
import type { Judge } from './plan.js';
import { CUT, FAILED } from './race.js';
import { isThenable } from './thenable.js';
import { unwrap } from './unwrap.js';
import { EMPTY_RULINGS, OUT_OF_TIME, RULINGS, UNJUDGED, isFailure, rule, rulingOf } from './verdict.js';
import type { Ruling } from './verdict.js';

/** The ruling over what `Attempt.run` gave; a promise of it only if a hook gave one. @internal */
export function judge(attempt: Attempt, settled: unknown): Ruling | Promise<Ruling> {
  // What has settled cannot be late any more.
  if (settled !== CUT) attempt.work = undefined;
  if (settled === CUT || attempt.call.cancellation !== null) return judgeCut(attempt);
  const ruling = attempt.ruled ?? (settled === FAILED ? judgeError(attempt) : judgeValue(attempt, settled));
  return ruling instanceof Promise ? ruling : unlessCancelled(attempt, ruling);
}

/** A hook may have ended the call while it judged. @internal */
export function unlessCancelled(attempt: Attempt, ruling: Ruling): Ruling {
  return attempt.call.cancellation === null ? ruling : judgeCut(attempt);
}

/** @internal */
export function judgeCut(attempt: Attempt): Ruling {
  attempt.interrupt('cancelled');
  attempt.abort();
  if (attempt.cut === 'cancelled') return RULINGS.cancelled;
  return attempt.isTimedOut ? RULINGS.timeout : OUT_OF_TIME;
}

/** The ruling over an answer. Hooks read what is in its envelope: it is no business of theirs who gave one. @internal */
export function judgeValue(attempt: Attempt, value: unknown, first = 0): Ruling | Promise<Ruling> {
  const { judges } = attempt.candidate;
  for (let place = first; place < judges.length; place++) {
    const hook = judges[place]!;
    let said: unknown;
    try {
      said = hook.ask(attempt.call.host, unwrap(attempt.call, value), attempt.context);
      if (isThenable(said)) return judgeValueLater(attempt, value, place, said);
    } catch (error) {
      return unjudged(attempt, hook, value, error);
    }
    const ruling = ruleValue(attempt, hook, value, said);
    if (ruling !== undefined) return ruling;
  }
  return RULINGS.ok;
}

/** Awaited, and nothing else: a promise may have a `then` or a `constructor` that throws, or gives nothing. */
async function judgeValueLater(
  attempt: Attempt,
  value: unknown,
  place: number,
  said: PromiseLike<unknown>,
): Promise<Ruling> {
  const hook = attempt.candidate.judges[place]!;
  let late: unknown;
  try {
    late = await said;
  } catch (error) {
    return unjudged(attempt, hook, value, error);
  }
  return ruleValue(attempt, hook, value, late) ?? judgeValue(attempt, value, place + 1);
}

function ruleValue(attempt: Attempt, { hook }: Judge, value: unknown, said: unknown): Ruling | undefined {
  const ruling = readHook(attempt, hook, said);
  if (ruling === null) return unjudged(attempt, { hook }, value, new TypeError(`${hook} gave no kind and no verdict`));
  if (ruling !== undefined && isFailure(ruling.kind)) reject(attempt, value);
  return ruling;
}

function readHook(attempt: Attempt, hook: Judge['hook'], said: unknown): Ruling | undefined | null {
  if (hook === 'isEmpty') return said ? EMPTY_RULINGS[attempt.candidate.onEmpty] : undefined;
  if (hook === 'accept') return said ? undefined : RULINGS.rejected;
  const ruling = readAnswer(attempt, said);
  // `isEmpty` is sugar over `assess`: empty without more means the same from both.
  return ruling === RULINGS.empty ? EMPTY_RULINGS[attempt.candidate.onEmpty] : ruling;
}

/** The ruling over an answer that a hook failed to judge. @internal */
export function unjudged(attempt: Attempt, { hook }: { hook: string }, value: unknown, cause: unknown): Ruling {
  reportHook(attempt, hook);
  reject(attempt, value, { cause });
  return UNJUDGED;
}

/** The error of an attempt whose answer was not taken; one that was cut meanwhile has its error already. */
function reject(attempt: Attempt, value: unknown, options?: { cause: unknown }): void {
  if (attempt.cut === null) attempt.error = new RejectedResultError(attempt.candidate.name, value, options);
}

/** The ruling over the attempt's error. @internal */
export function judgeError(attempt: Attempt): Ruling | Promise<Ruling> {
  const { classify } = attempt.candidate;
  if (classify === null) return byDefault(attempt);
  try {
    const said: unknown = classify.call(attempt.call.host, attempt.error, attempt.context);
    return isThenable(said) ? judgeErrorLater(attempt, said) : ruleError(attempt, said);
  } catch {
    return unclassified(attempt);
  }
}

async function judgeErrorLater(attempt: Attempt, said: PromiseLike<unknown>): Promise<Ruling> {
  let late: unknown;
  try {
    late = await said;
  } catch {
    return unclassified(attempt);
  }
  return ruleError(attempt, late);
}

function ruleError(attempt: Attempt, said: unknown): Ruling {
  const ruling = readAnswer(attempt, said);
  // An error is no answer, so whatever would serve it is nonsense here.
  const isServed = ruling?.next === 'accept' || ruling?.next === 'hold';
  if (ruling === null || isServed || (ruling !== undefined && !isFailure(ruling.kind))) return unclassified(attempt);
  return ruling ?? byDefault(attempt);
}

function unclassified(attempt: Attempt): Ruling {
  reportHook(attempt, 'classify');
  return byDefault(attempt);
}

function byDefault(attempt: Attempt): Ruling {
  const { engine, unknown } = attempt.call.plan;
  const { lastText, maxRetryAfter } = attempt.candidate;
  if (isInnerExhaustion(attempt)) return RULINGS.transient;
  const { kind, retryAfter } = classifyAt(attempt.error, unknown, engine.clock, lastText);
  return ofCaller(attempt, rulingOf(kind, retryAfter, maxRetryAfter));
}

/** An inner chain that nobody answered is one failure like any other, whatever error it chose to throw. */
function isInnerExhaustion({ error, marksBefore }: Attempt): boolean {
  const receipt = receiptSince(error, marksBefore);
  return receipt !== undefined && receipt.servedBy === null && receipt.stoppedBy === undefined && !receipt.degraded;
}

/** A denial of the caller's own credentials is the caller's error, not the candidate's. */
function ofCaller({ candidate }: Attempt, ruling: Ruling): Ruling {
  return ruling.kind === 'denied' && candidate.isCallers ? RULINGS.terminal : ruling;
}

function readAnswer(attempt: Attempt, said: unknown): Ruling | undefined | null {
  try {
    const ruling = rule(said, attempt.candidate.maxRetryAfter);
    return ruling ? ofCaller(attempt, ruling) : ruling;
  } catch {
    return null;
  }
}

/** @internal */
export function reportHook({ call, candidate }: Pick<Attempt, 'call' | 'candidate'>, hook: string): void {
  call.plan.engine.report({ name: 'hook.failed', chain: call.plan.name, candidate: candidate.name, hook });
}
