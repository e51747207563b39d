import type { Attempt } from './attempt.js';
import { insists, record } from './circuit.js';
import type { Ruling } from './verdict.js';

/** Tells the candidate's circuit how an attempt went, and everybody what that changed. @internal */
export function noteHealth(attempt: Attempt, ruling: Ruling, now: number): void {
  const { circuit, breaker, mirror, name: candidate } = attempt.candidate;
  if (breaker === null) return;
  const news = mirror === null ? null : mirror.newsOf(attempt.epoch, ruling, breaker, now);
  const change = record(circuit, breaker, attempt.epoch, ruling, now);
  if (news !== null) mirror!.tell(news, now);
  if (change === null) return;
  const { engine, name: chain, watch } = attempt.call.plan;
  const about = { chain, candidate, kind: ruling.kind };
  if (change === 'closed') engine.emit({ name: 'circuit.closed', ...about });
  else
    engine.report({ name: 'circuit.opened', ...about, cooldown: circuit.openUntil - now, insists: insists(circuit) });
  watch?.look(now);
}
