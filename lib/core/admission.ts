/** Whether a candidate may be called now; if not, it is passed over with a record that says why. */
import { Attempt } from './attempt.js';
import type { Budget } from './budget.js';
import type { Call } from './call.js';
import { REFUSED, extendLease, isIsolated, mayBeTriedLast, mayProbe, permit } from './circuit.js';
import { BudgetExhaustedError } from './errors.js';
import { matches } from './gate.js';
import type { CandidatePlan, Traffic } from './plan.js';
import { supports, supportsInTime } from './supports.js';
import { waitForPermit } from './shared-health/wait-for-permit.js';
import { isLate } from './thenable.js';
import { refusalOf, waitForSlot } from './traffic.js';
import type { SkipReason } from './types.js';

/** How long a probe without a timeout of its own may take before another is let in. */
const PROBE_LEASE = 30_000;

type Admission = Attempt | null | Promise<Attempt | null>;

/**
 * The attempt that may begin; null if the candidate is passed over, and, without a record, if the call has been cancelled
 * meanwhile. A promise only where its `supports` gives one, where it waits for its slot, or as the last resort for the
 * fleet's word on a probe.
 * @internal
 */
export function admit(call: Call, candidate: CandidatePlan): Admission {
  if (call.cancellation !== null) return null;
  const { history } = call;
  if (history !== null) {
    // A spent budget leaves no record of those that it keeps from being called.
    if (history.budget !== null && (history.budget.isFinal || candidate.cost !== 0)) return null;
    if (history.isLastResort) return lastChance(call, candidate);
  }
  if (call.isOutOfTime) return passOver(call, candidate, 'deadline');
  if (candidate.supports === null) return enter(call, candidate, null);
  const fits = supports(call, candidate);
  forgetTime(call);
  if (call.cancellation !== null) {
    isLate(fits); // may still reject
    return null;
  }
  if (typeof fits === 'boolean') return fits ? enter(call, candidate, null) : passOver(call, candidate, 'unsupported');
  const attempt = new Attempt(call, candidate);
  return supportsInTime(call, attempt, fits).then(async (does) => {
    const admitted = await decideLate(call, attempt, does);
    if (admitted === null) attempt.stopTimer();
    return admitted;
  });
}

function decideLate(call: Call, attempt: Attempt, does: boolean): Admission {
  const { candidate } = attempt;
  if (call.cancellation !== null) return null;
  if (call.isOutOfTime) return passOver(call, candidate, 'deadline');
  return does ? enter(call, candidate, attempt) : passOver(call, candidate, 'unsupported');
}

/** A candidate that supports the arguments: its gate, then its circuit. Hooks run the caller's code, which may end the call. */
function enter(call: Call, candidate: CandidatePlan, begun: Attempt | null): Admission {
  if (call.cancellation !== null) return null;
  if (call.firstSupported < 0) call.firstSupported = candidate.index;
  if (candidate.on !== null) {
    const isMatch = matches(call, candidate, candidate.on);
    forgetTime(call);
    if (!isMatch) return passOver(call, candidate, 'gated');
    if (call.cancellation !== null) return null;
  }
  if (call.plan.budget !== null && isOverBudget(call, call.plan.budget, candidate)) {
    return passOver(call, candidate, 'budget');
  }
  const { circuit } = candidate;
  if (circuit.openUntil === 0) return throughCircuit(call, candidate, circuit.epoch, begun);
  return enterOpen(call, candidate, begun);
}

/** What the chain may spend is spent; with `onBudget: 'stop'` that is the end of the call's candidates. */
function isOverBudget(call: Call, budget: Budget, { cost }: CandidatePlan): boolean {
  if (!budget.forbids(cost)) return false;
  if (budget.isFinal) call.tell().budget = { error: new BudgetExhaustedError(), isFinal: true };
  return true;
}

/** Apart, so that the way of a healthy candidate stays short. */
function enterOpen(call: Call, candidate: CandidatePlan, begun: Attempt | null): Admission {
  const { circuit } = candidate;
  if (candidate.breaker === null && !isIsolated(circuit)) return throughCircuit(call, candidate, circuit.epoch, begun);
  const history = call.tell();
  const now = call.now(history);
  const busy = mayProbe(circuit, now) ? refusalOf(call, candidate, now) : null;
  if (busy !== null) return passOver(call, candidate, busy);
  const epoch = takeProbe(call, candidate, (begun ?? candidate).timeout, now);
  if (epoch === REFUSED && candidate.deferred && mayYetBeTried(candidate, now)) history.defer(candidate);
  return throughCircuit(call, candidate, epoch, begun);
}

/** When nobody else has answered: while it is open, or once the fleet's word on a probe is there. */
function mayYetBeTried({ circuit, mirror }: CandidatePlan, now: number): boolean {
  return mayBeTriedLast(circuit, now) || (mirror !== null && mirror.asking !== null);
}

function throughCircuit(call: Call, candidate: CandidatePlan, epoch: number, begun: Attempt | null): Admission {
  if (epoch === REFUSED) return passOver(call, candidate, refusal(candidate));
  const { traffic } = candidate;
  // One whose time was up before it began is written down, and nobody is called.
  if (traffic !== null && (begun === null || begun.cut === null))
    return intoTraffic(call, candidate, traffic, epoch, begun);
  return attemptOf(call, candidate, epoch, begun);
}

function attemptOf(call: Call, candidate: CandidatePlan, epoch: number, begun: Attempt | null): Attempt {
  const attempt = begun ?? new Attempt(call, candidate);
  attempt.epoch = epoch;
  if (call.plan.budget !== null) attempt.expense = call.plan.budget.reserve(candidate.cost);
  return attempt;
}

/** @param from the slot that it has waited for, or now */
function intoTraffic(
  call: Call,
  candidate: CandidatePlan,
  traffic: Traffic,
  epoch: number,
  begun: Attempt | null,
  from = call.plan.engine.clock.now(),
): Admission {
  const reason = refusalOf(call, candidate, from);
  if (reason !== null) {
    giveUpProbe(candidate, epoch, from);
    return passOver(call, candidate, reason);
  }
  const slot = traffic.pace.next(traffic.interval, from);
  if (slot > from) return whenDue(call, candidate, traffic, epoch, begun, slot);
  const attempt = attemptOf(call, candidate, epoch, begun);
  traffic.pace.use(slot);
  if (traffic.limit !== Infinity) traffic.permits.take(attempt);
  return attempt;
}

/** Waits, as the probe if it is one, and looks at everything again. */
async function whenDue(
  call: Call,
  candidate: CandidatePlan,
  traffic: Traffic,
  epoch: number,
  begun: Attempt | null,
  slot: number,
): Promise<Attempt | null> {
  const { circuit, breaker } = candidate;
  const wait = slot - call.plan.engine.clock.now();
  if (breaker !== null) extendLease(circuit, epoch, circuit.probeUntil + wait);
  const from = await waitForSlot(call, traffic, slot, begun);
  if (call.cancellation !== null || call.isOutOfTime) giveUpProbe(candidate, epoch, from);
  if (call.cancellation !== null) {
    begun?.stopTimer();
    return null;
  }
  if (call.isOutOfTime) return passOver(call, candidate, 'deadline');
  // Others may have spent meanwhile what was left.
  if (call.plan.budget !== null && isOverBudget(call, call.plan.budget, candidate)) {
    giveUpProbe(candidate, epoch, from);
    return passOver(call, candidate, 'budget');
  }
  if (circuit.epoch !== epoch) return enterOpen(call, candidate, begun);
  return intoTraffic(call, candidate, traffic, epoch, begun, from);
}

/** Its probe does not run: another call may have it. */
function giveUpProbe({ circuit, breaker, mirror }: CandidatePlan, epoch: number, now: number): void {
  if (breaker === null) return;
  mirror?.giveUp(epoch, breaker, now);
  extendLease(circuit, epoch, 0);
}

function refusal({ circuit }: CandidatePlan): SkipReason {
  return isIsolated(circuit) ? 'isolated' : 'cooling';
}

/** The last resort. Who is tried has one record, its run; who cannot be tried now has been passed over, and stays so. */
function lastChance(call: Call, candidate: CandidatePlan, mayWait = true): Admission {
  const { circuit, timeout, index } = candidate;
  const now = call.plan.engine.clock.now();
  // The substitutes may have taken what was left.
  call.time?.check(now);
  const isSpent = call.plan.budget !== null && isOverBudget(call, call.plan.budget, candidate);
  if (call.isOutOfTime || isSpent || refusalOf(call, candidate, now) !== null) return null;
  const epoch = mayBeTriedLast(circuit, now) ? circuit.epoch : takeProbe(call, candidate, timeout, now);
  if (epoch === REFUSED) return mayWait ? onceAllowed(call, candidate) : null;
  const history = call.tell();
  history.records = history.records.filter((record) => record.index !== index);
  return throughCircuit(call, candidate, epoch, null);
}

/** A probe is the fleet's: whoever has nobody else left waits for the word on it, once. */
function onceAllowed(call: Call, candidate: CandidatePlan): Admission {
  const { mirror } = candidate;
  if (mirror === null || mirror.asking === null) return null;
  return waitForPermit(call, mirror).then(() =>
    call.cancellation === null ? lastChance(call, candidate, false) : null,
  );
}

/** Takes the candidate's probe, if it is due and nobody else has it; the period in which the attempt begins, or REFUSED. */
function takeProbe(call: Call, { name, circuit, mirror }: CandidatePlan, timeout: number, now: number): number {
  const lease = timeout === Infinity ? PROBE_LEASE : timeout;
  const epoch = mirror === null ? permit(circuit, now, lease) : mirror.permit(now, lease);
  if (epoch !== REFUSED && circuit.probeUntil > now) {
    call.plan.engine.emit({ name: 'circuit.half-opened', chain: call.plan.name, candidate: name });
  }
  return epoch;
}

function passOver(call: Call, candidate: CandidatePlan, reason: SkipReason): null {
  call.skip(candidate, reason);
  return null;
}

/** A hook may have taken its time. */
function forgetTime({ history }: Call): void {
  if (history !== null) history.resumedAt = NaN;
}
