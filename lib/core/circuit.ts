/**
 * A candidate's health memory. Numbers, changed in place, and decisions that depend on nothing but the numbers, the
 * breaker's options and the time:
 *
 * - closed: `threshold` consecutive failures open it, a success forgets them; in rate mode also too large a share of
 *   failures, see rate-window.ts.
 * - open: for `cooldown`, each further opening `factor` times longer, at most `maxCooldown`. An advised delay or a
 *   denial opens at once and insists: such a circuit is not tried before its time, not even as the last resort.
 * - half-open: the cooldown has run out. Exactly one probe is let in, on a lease, so that one that never settles cannot
 *   lock the candidate out. Its failure reopens at once, longer; its success closes.
 * - isolated: by hand, see isolation.ts. Nothing lets a candidate in until it is restored.
 *
 * An outcome counts only toward the period (`epoch`) in which its attempt began, except for advice, which is always
 * taken: of two deadlines the later wins.
 */
import { failsTooOften, note } from './rate-window.js';
import type { Rate } from './rate-window.js';
import type { CircuitState } from './types.js';
import type { Ruling } from './verdict.js';

/** @internal */
export interface Breaker {
  readonly threshold: number;
  readonly cooldown: number;
  readonly factor: number;
  readonly maxCooldown: number;
  /** null in consecutive mode */
  readonly rate: Rate | null;
}

/** What an open circuit was opened by. @internal */
export type OpenedBy = 'failures' | 'advice' | 'denial' | 'hand';

/** @internal */
export interface Circuit {
  /** the period between two changes of state */
  epoch: number;
  failures: number;
  /** openings in a row, for the growing cooldown */
  openings: number;
  /** monotonic; 0 while closed */
  openUntil: number;
  /** means nothing while closed */
  openedBy: OpenedBy;
  /** end of the running probe's lease, monotonic; 0 without a probe */
  probeUntil: number;
  lastSuccessAt: number;
}

/** What a settled attempt did to the circuit. @internal */
export type Transition = 'opened' | 'closed' | null;

/** `permit` says no. @internal */
export const REFUSED = -1;

/** A candidate that has answered within this time is not taken for unusable at its first denial. */
const DENIAL_GRACE = 60_000;

/** @internal */
export function newCircuit(): Circuit {
  return {
    epoch: 0,
    failures: 0,
    openings: 0,
    openUntil: 0,
    openedBy: 'failures',
    probeUntil: 0,
    lastSuccessAt: -Infinity,
  };
}

/** @internal */
export function isIsolated(circuit: Circuit): boolean {
  return circuit.openUntil !== 0 && circuit.openedBy === 'hand';
}

/** Opened by advice or denial: it is not tried before its time. @internal */
export function insists({ openedBy }: Circuit): boolean {
  return openedBy === 'advice' || openedBy === 'denial';
}

/** @internal */
export function stateOf(circuit: Circuit, now: number): CircuitState {
  if (circuit.openUntil === 0) return 'closed';
  if (isIsolated(circuit)) return 'isolated';
  return now < circuit.openUntil ? 'open' : 'half-open';
}

/** Whether a probe may begin now. @internal */
export function mayProbe(circuit: Circuit, now: number): boolean {
  return now >= circuit.openUntil && now >= circuit.probeUntil && !isIsolated(circuit);
}

/** The epoch in which an attempt may begin now, or REFUSED. In the half-open state this takes the probe's lease. @internal */
export function permit(circuit: Circuit, now: number, lease: number): number {
  if (circuit.openUntil === 0) return circuit.epoch;
  if (!mayProbe(circuit, now)) return REFUSED;
  circuit.probeUntil = now + lease;
  return ++circuit.epoch;
}

/** The probe that began in `epoch` may take until then: its time was not known when it was let in. @internal */
export function extendLease(circuit: Circuit, epoch: number, until: number): void {
  if (circuit.probeUntil !== 0 && circuit.epoch === epoch) circuit.probeUntil = until;
}

/** Whether an open circuit may be tried all the same when nobody else answered. @internal */
export function mayBeTriedLast(circuit: Circuit, now: number): boolean {
  return circuit.openUntil > now && circuit.openedBy === 'failures';
}

/** Takes note of an attempt that began in `epoch` and settled now. @internal */
export function record(circuit: Circuit, breaker: Breaker, epoch: number, ruling: Ruling, now: number): Transition {
  if (ruling.health === 'success') circuit.lastSuccessAt = now;
  const isOpen = circuit.openUntil !== 0;
  const isProbe = circuit.probeUntil !== 0;
  if (epoch !== circuit.epoch || (isOpen && !isProbe && ruling.health === 'failure')) {
    return takeAdvice(circuit, ruling, now);
  }
  if (ruling.health === 'failure') return fail(circuit, breaker, ruling, now);
  if (ruling.health === 'success') {
    if (breaker.rate !== null) note(breaker.rate.outcomes, epoch, false, now);
    return close(circuit);
  }
  if (isProbe && ruling.kind === 'terminal') return close(circuit);
  circuit.probeUntil = 0;
  return null;
}

/** Forgets everything but that the past is over. @internal */
export function resetCircuit(circuit: Circuit): void {
  Object.assign(circuit, { ...newCircuit(), epoch: circuit.epoch + 1 });
}

function fail(circuit: Circuit, breaker: Breaker, ruling: Ruling, now: number): Transition {
  const { rate, threshold } = breaker;
  circuit.failures++;
  if (rate !== null) note(rate.outcomes, circuit.epoch, true, now);
  const isDue =
    circuit.probeUntil !== 0 || circuit.failures >= threshold || (rate !== null && failsTooOften(rate.outcomes, rate));
  const opening = openingFor(circuit, breaker, ruling, isDue, now);
  if (opening !== null) return open(circuit, now + opening.for, opening.by);
  circuit.probeUntil = 0;
  return null;
}

/** Whether this failure opens the circuit, for how long, and whether somebody else said so. */
function openingFor(
  circuit: Circuit,
  breaker: Breaker,
  { kind, retryAfter }: Ruling,
  isDue: boolean,
  now: number,
): { for: number; by: OpenedBy } | null {
  if (kind === 'denied' && now - circuit.lastSuccessAt > DENIAL_GRACE) {
    return { for: breaker.maxCooldown, by: 'denial' };
  }
  if (retryAfter !== undefined) {
    const isTaken = retryAfter > 0 && (isDue || kind === 'rate-limited');
    return isTaken ? { for: retryAfter, by: 'advice' } : null;
  }
  if (!isDue) return null;
  const cooldown = Math.min(breaker.cooldown * breaker.factor ** circuit.openings, breaker.maxCooldown);
  return cooldown > 0 ? { for: cooldown, by: 'failures' } : null;
}

/** An outcome of another period, or of a try of an open circuit: only its advice counts. */
function takeAdvice(circuit: Circuit, { kind, health, retryAfter = 0 }: Ruling, now: number): Transition {
  const isOpen = circuit.openUntil !== 0;
  const isTaken = health === 'failure' && retryAfter > 0 && (isOpen || kind === 'rate-limited');
  const until = now + retryAfter;
  if (!isTaken || until <= circuit.openUntil) return null;
  if (isIsolated(circuit)) {
    circuit.openUntil = until; // kept for the time after
    return null;
  }
  if (!isOpen) circuit.failures++;
  // Callers who are told at once to come back later are one opening, however many they are.
  if (circuit.openUntil > now) circuit.openings--;
  return open(circuit, until, 'advice');
}

/** @internal */
export function open(circuit: Circuit, until: number, by: OpenedBy): Transition {
  circuit.epoch++;
  circuit.openings++;
  circuit.openUntil = until;
  circuit.openedBy = by;
  circuit.probeUntil = 0;
  return 'opened';
}

/** @internal */
export function close(circuit: Circuit): Transition {
  circuit.failures = 0;
  if (circuit.openUntil === 0) return null;
  circuit.epoch++;
  circuit.openings = 0;
  circuit.openUntil = 0;
  circuit.openedBy = 'failures';
  circuit.probeUntil = 0;
  return 'closed';
}
