import type { Attempt } from './attempt.js';
import type { Call } from './call.js';
import { record } from './circuit.js';
import { listenLate } from './late.js';
import type { Ruling } from './verdict.js';

/** Ends an attempt: stops its timer, tells its circuit, and keeps an ear on what was cut. @internal */
export function noteOutcome(call: Call, attempt: Attempt, ruling: Ruling): void {
  const { engine, name: chain } = call.plan;
  const { circuit, breaker, name: candidate } = attempt.candidate;
  const now = (attempt.settledAt = engine.clock.now());
  attempt.stopTimer();
  if (call.total !== Infinity && now >= call.cutAt) call.isOutOfTime = true;
  if (attempt.cut !== null && attempt.cut !== 'cancelled') listenLate(call, attempt);
  if (circuit === null) return;
  const change = record(circuit, breaker, attempt.epoch, ruling, now);
  if (change === null) return;
  const about = { chain, candidate, kind: ruling.kind };
  if (change === 'closed') engine.emit({ name: 'circuit.closed', ...about });
  else engine.emit({ name: 'circuit.opened', ...about, cooldown: circuit.openUntil - now, insists: circuit.insists });
}
