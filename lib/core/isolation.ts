/**
 * Isolation by hand: the candidate is passed over, not even probed or tried last, until it is restored. Both begin a new
 * period, so that attempts under way say nothing about it any more, but for advice: a delay that a provider asked for,
 * before or during the isolation, is still waited for afterwards. A denial is not, since it is what hands put right.
 */
import { isIsolated, newCircuit } from './circuit.js';
import type { Circuit, OpenedBy } from './circuit.js';

/** Whether anything changed. @internal */
export function isolate(circuit: Circuit, now: number): boolean {
  if (isIsolated(circuit)) return false;
  const isAdvised = circuit.openedBy === 'advice' && circuit.openUntil > now;
  // Until then nothing was asked for; yet not 0, which is closed.
  begin(circuit, isAdvised ? circuit.openUntil : -Infinity, 'hand');
  return true;
}

/** Closes an isolated circuit, or leaves it open for the delay that was asked for; whether anything changed. @internal */
export function restore(circuit: Circuit, now: number): boolean {
  if (!isIsolated(circuit)) return false;
  if (circuit.openUntil <= now) begin(circuit, 0, 'failures');
  else {
    begin(circuit, circuit.openUntil, 'advice');
    circuit.failures = circuit.openings = 1;
  }
  return true;
}

/** A new period, of which only the last success is known. */
function begin(circuit: Circuit, openUntil: number, openedBy: OpenedBy): void {
  const { epoch, lastSuccessAt } = circuit;
  Object.assign(circuit, { ...newCircuit(), epoch: epoch + 1, lastSuccessAt, openUntil, openedBy });
}
