import type { Call } from './call.js';
import type { CandidatePlan } from './plan.js';
import { isLate } from './thenable.js';
import type { FailureKind, SkipReason } from './types.js';
import { isFailure } from './verdict.js';

/** What a candidate that was passed over is like: one that cannot be reached, or one that has had too many calls. */
const LIKE: Partial<Record<SkipReason, FailureKind>> = {
  isolated: 'transient',
  saturated: 'transient',
  pacing: 'rate-limited',
  budget: 'budget',
};

/**
 * The last failure of this call. Before the first, what the last candidate that was passed over as cooling is known for,
 * or what one is like that was passed over for another reason of its own; a spent budget is a `budget`.
 * @internal
 */
export function lastFailure(call: Call): { kind: FailureKind; error: unknown } | undefined {
  const { history } = call;
  if (history?.lastFailure !== undefined) return { kind: history.lastFailure, error: history.lastFailed?.error };
  const last = call.records.findLast(({ reason }) => reason === 'cooling' || (reason !== undefined && reason in LIKE));
  if (last?.reason === undefined) return undefined;
  if (last.reason === 'budget') return { kind: 'budget', error: history?.budget?.error };
  const known = LIKE[last.reason] ?? call.plan.candidates[last.index]?.tally.lastKind;
  return known !== undefined && isFailure(known) ? { kind: known, error: undefined } : undefined;
}

/** Whether a candidate's `on` answers the last failure. A predicate that throws, or wants to be awaited, says no. @internal */
export function matches(call: Call, candidate: CandidatePlan, on: NonNullable<CandidatePlan['on']>): boolean {
  const failure = lastFailure(call);
  if (failure === undefined) return false;
  if (typeof on !== 'function') return on.some((each) => answers(each, failure));
  try {
    const said: unknown = on.call(call.host, failure);
    if (!isLate(said)) return Boolean(said);
  } catch {
    // reported below
  }
  call.plan.engine.report({ name: 'hook.failed', chain: call.plan.name, candidate: candidate.name, hook: 'on' });
  return false;
}

function answers(
  each: FailureKind | (abstract new (...args: never[]) => unknown),
  { kind, error }: { kind: FailureKind; error: unknown },
): boolean {
  if (typeof each === 'string') return each === kind;
  try {
    return error instanceof each;
  } catch {
    return false;
  }
}
