/** Whether a candidate may be called now, or why it is passed over. */
import type { Attempt } from './attempt.js';
import type { Call } from './call.js';
import { REFUSED, admit, mayBeTriedLast } from './circuit.js';
import type { Circuit } from './circuit.js';
import { matches } from './gate.js';
import { supports } from './supports.js';
import type { SkipReason } from './types.js';

/** How long a probe without a timeout of its own may take before another is let in. */
const PROBE_LEASE = 30_000;

/**
 * Why the candidate is passed over; null if it may be called. A promise only where its `supports` gives one.
 * @internal
 */
export function passOver(call: Call, attempt: Attempt): SkipReason | null | Promise<SkipReason | null> {
  if (call.isOutOfTime) return 'deadline';
  if (attempt.candidate.supports === null) return admission(call, attempt);
  const fits = supports(call, attempt);
  const decide = (does: boolean): SkipReason | null => (does ? admission(call, attempt) : 'unsupported');
  return typeof fits === 'boolean' ? decide(fits) : fits.then((late) => decide(late));
}

function admission(call: Call, attempt: Attempt): SkipReason | null {
  const { candidate } = attempt;
  if (call.firstSupported < 0) call.firstSupported = candidate.index;
  if (candidate.on !== null && !matches(call, candidate, candidate.on)) return 'gated';
  return throughCircuit(call, attempt);
}

/** An open candidate is passed over, and remembered if it may be tried when nobody else answered. */
function throughCircuit(call: Call, attempt: Attempt): 'cooling' | null {
  const { circuit, deferred } = attempt.candidate;
  if (circuit === null) return null;
  if (circuit.openUntil === 0) {
    attempt.epoch = circuit.epoch;
    return null;
  }
  const now = call.plan.engine.clock.now();
  if (!letIn(call, attempt, circuit, now)) {
    if (deferred && mayBeTriedLast(circuit, now)) (call.passedOver ??= []).push(attempt.candidate);
    return 'cooling';
  }
  return null;
}

/** The same for a candidate that was passed over as open and is the last resort now. @internal */
export function passOverLast(call: Call, attempt: Attempt): SkipReason | null {
  if (call.isOutOfTime) return 'deadline';
  const circuit = attempt.candidate.circuit!;
  const now = call.plan.engine.clock.now();
  if (mayBeTriedLast(circuit, now)) {
    attempt.epoch = circuit.epoch;
    return null;
  }
  return letIn(call, attempt, circuit, now) ? null : 'cooling';
}

/** Takes the candidate's probe, if it is due and nobody else has it. */
function letIn(call: Call, attempt: Attempt, circuit: Circuit, now: number): boolean {
  const { name, timeout } = attempt.candidate;
  const epoch = admit(circuit, now, timeout === Infinity ? PROBE_LEASE : timeout);
  if (epoch === REFUSED) return false;
  attempt.epoch = epoch;
  if (circuit.probeUntil > now) {
    call.plan.engine.emit({ name: 'circuit.half-opened', chain: call.plan.name, candidate: name });
  }
  return true;
}
