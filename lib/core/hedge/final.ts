import { degradation } from '../answer.js';
import type { Attempt } from '../attempt.js';
import type { Call } from '../call.js';
import { inherited } from '../marks.js';
import { isFailure } from '../verdict.js';
import type { Ruling } from '../verdict.js';

/**
 * Whether a judged attempt decides the call for certain, whoever else runs. Vetoed, thin and empty answers do not; and a
 * degraded one may yet prove unable to carry its mark.
 * @internal
 */
export function isFinal(call: Call, attempt: Attempt, settled: unknown, { kind, ...ruling }: Ruling): boolean {
  if (ruling.next === 'continue' || ruling.next === 'hold') return false;
  if (ruling.next === 'stop' && isFailure(kind)) return kind !== 'budget';
  const { marker, name } = call.plan;
  const before = inherited(name, settled, attempt.marksBefore);
  return marker === null || degradation(attempt, before, { kind, ...ruling }) === null;
}
