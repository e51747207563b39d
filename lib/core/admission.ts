/** Whether a candidate may be called now; if not, it is passed over with a record that says why. */
import type { Attempt } from './attempt.js';
import type { Call } from './call.js';
import { REFUSED, mayBeTriedLast, permit } from './circuit.js';
import type { Circuit } from './circuit.js';
import { stopped } from './ending.js';
import { matches } from './gate.js';
import type { CandidatePlan } from './plan.js';
import { supports } from './supports.js';
import type { SkipReason } from './types.js';

/** How long a probe without a timeout of its own may take before another is let in. */
const PROBE_LEASE = 30_000;

/**
 * Lets an attempt begin, or not. A promise only where the candidate's `supports` gives one.
 * @throws the caller's own reason, if the call has been cancelled meanwhile
 * @internal
 */
export function admit(call: Call, attempt: Attempt, ladder: readonly CandidatePlan[]): boolean | Promise<boolean> {
  const { candidate } = attempt;
  throwIfCancelled(call);
  // A spent budget leaves no record of those that it keeps from being called.
  if (call.history !== null && call.history.budget !== null && candidate.cost !== 0) return false;
  if (call.isOutOfTime) return passOver(call, attempt, 'deadline');
  if (ladder !== call.plan.candidates) return passOver(call, attempt, throughCircuitLast(call, attempt));
  if (candidate.supports === null) return passOver(call, attempt, refusal(call, attempt));
  const fits = supports(call, attempt);
  const decide = (does: boolean): boolean => {
    if (call.cancellation !== null) attempt.stopTimer();
    throwIfCancelled(call);
    if (call.isOutOfTime) return passOver(call, attempt, 'deadline');
    return passOver(call, attempt, does ? refusal(call, attempt) : 'unsupported');
  };
  return typeof fits === 'boolean' ? decide(fits) : fits.then((late) => decide(late));
}

/** Open candidates that were passed over and may be tried now that nobody else answered; their skips are forgotten. @internal */
export function takePassedOver(call: Call): readonly CandidatePlan[] {
  const history = call.tell();
  const ladder = history.passedOver;
  history.passedOver = [];
  const isTaken = (index: number): boolean => ladder.some((one) => one.index === index);
  if (ladder.length > 0) {
    history.records = history.records.filter(({ kind, index }) => kind !== 'skipped' || !isTaken(index));
  }
  return ladder;
}

function passOver(call: Call, attempt: Attempt, reason: SkipReason | null): boolean {
  if (reason === null) return true;
  attempt.stopTimer();
  call.skip(attempt.candidate, reason);
  return false;
}

/** Hooks run the caller's code, which may have ended the call. */
function throwIfCancelled(call: Call): void {
  if (call.cancellation !== null) throw stopped(call, call.cancellation.reason, 'cancelled');
}

function refusal(call: Call, attempt: Attempt): SkipReason | null {
  const { candidate } = attempt;
  if (call.firstSupported < 0) call.firstSupported = candidate.index;
  if (candidate.on !== null && !matches(call, candidate, candidate.on)) return 'gated';
  throwIfCancelled(call);
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
  if (takeProbe(call, attempt, circuit, now)) return null;
  if (deferred && mayBeTriedLast(circuit, now)) call.tell().passedOver.push(attempt.candidate);
  return 'cooling';
}

/** The same for a candidate that was passed over as open and is the last resort now. */
function throughCircuitLast(call: Call, attempt: Attempt): 'cooling' | null {
  const circuit = attempt.candidate.circuit!;
  const now = call.plan.engine.clock.now();
  if (mayBeTriedLast(circuit, now)) {
    attempt.epoch = circuit.epoch;
    return null;
  }
  return takeProbe(call, attempt, circuit, now) ? null : 'cooling';
}

/** Takes the candidate's probe, if it is due and nobody else has it. */
function takeProbe(call: Call, attempt: Attempt, circuit: Circuit, now: number): boolean {
  const { name, timeout } = attempt.candidate;
  const epoch = permit(circuit, now, timeout === Infinity ? PROBE_LEASE : timeout);
  if (epoch === REFUSED) return false;
  attempt.epoch = epoch;
  if (circuit.probeUntil > now) {
    call.plan.engine.emit({ name: 'circuit.half-opened', chain: call.plan.name, candidate: name });
  }
  return true;
}
