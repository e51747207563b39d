import type { Attempt } from '../attempt.js';
import { noteHealth } from '../note-health.js';
import { isPaid } from '../receipt.js';
import { RULINGS } from '../verdict.js';
import type { Ruling } from '../verdict.js';
import { ElementFlow } from './flow.js';
import { servingOf } from './serving.js';
import type { Opened } from './serving.js';
import { shapeAll } from './shape.js';
import type { Source } from './sink.js';
import type { StreamCall } from './stream-call.js';

/**
 * The commit: who answers is known, so the circuit of a probe closes and the response may be marked, but how the attempt
 * ends is not. False if the elements so far cannot carry the mark that they need.
 * @param isRecorded the attempt was written down when its stream was held
 * @internal
 */
export function commit(
  call: StreamCall,
  attempt: Attempt,
  opened: Opened & { readonly source: Source | null },
  ruling: Ruling,
  isRecorded: boolean,
): boolean {
  const { plan } = call;
  const { candidate } = attempt;
  const serving = servingOf(call, attempt, opened, ruling);
  const { ending, receipt, shape } = serving;
  const shaped = ending.degraded ? shapeAll(call, opened.elements, shape, ending.source) : [];
  if (shaped === null) return false;
  const now = plan.engine.clock.now();
  const collector = ruling.kind === 'ok' && !ending.degraded ? (plan.substitutes?.collect(call) ?? null) : null;
  const isProven = closesCircuit(attempt);
  if (isProven) {
    noteHealth(attempt, RULINGS.ok, now);
    attempt.epoch = candidate.circuit.epoch;
  }
  candidate.tally.lastServedAt = now;
  const flow = new ElementFlow(call, attempt, opened.source!, { ...serving, ruling, collector, isRecorded, isProven });
  call.commit(attempt, flow);
  if (plan.engine.isObserved)
    plan.engine.emit({ name: 'stream.committed', chain: plan.name, candidate: candidate.name });
  if (receipt !== null) call.scope?.collect(receipt);
  const isPaidFor = (candidate.cost ?? 0) > 0 || isPaid(call.records);
  plan.watch?.answered(now, candidate.index !== call.firstSupported, ending.degraded, isPaidFor);
  flow.begin(shaped, opened);
  return true;
}

/** It is its circuit's probe. One that is tried as the last resort counts by its end alone: its failure changes nothing. */
function closesCircuit({ candidate: { circuit, breaker }, epoch }: Attempt): boolean {
  return breaker !== null && circuit.probeUntil !== 0 && circuit.epoch === epoch;
}
