/**
 * What an attempt that was given up still brings. It is inert: no second outcome, no change of health, no unhandled
 * rejection. Only a good answer is of use: it refreshes the last known good, where a write is due, and is counted.
 */
import type { Attempt } from './attempt.js';
import type { Call } from './call.js';
import { judgeValue } from './judge.js';
import { inherited } from './marks.js';
import { ignore, isThenable } from './thenable.js';
import { unwrap } from './unwrap.js';

/** Listens to the work of an attempt that ran out of time. @internal */
export function listenLate(call: Call, attempt: Attempt): void {
  try {
    if (isThenable(attempt.work)) attempt.work.then((value) => arrive(call, attempt, value).catch(ignore), ignore);
  } catch {
    // a hostile thenable has had its chance
  }
}

async function arrive(call: Call, attempt: Attempt, value: unknown): Promise<void> {
  const { candidate } = attempt;
  const { kind } = await judgeValue(attempt, value);
  if (kind !== 'ok' || candidate.degraded || inherited(call.plan.name, value, attempt.marksBefore) !== null) return;
  const late = candidate.cost !== undefined && candidate.cost > 0 ? 'paid-late' : 'late';
  candidate.tally.count(late);
  const { engine, name: chain, substitutes } = call.plan;
  substitutes?.remember(call, unwrap(call, value), engine.clock.now());
  engine.emit({ name: 'attempt.late', chain, candidate: candidate.name, kind: late === 'late' ? 'ok' : late });
}
