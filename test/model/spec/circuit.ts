/**
 * Contract, section 6: a candidate's circuit as pure functions.
 *
 * Read where it leaves room (docs/choices.md says more): advice that only moves the end of an opening begins a new period
 * but is no opening for the doubling; a probe is a period of its own, so the outcome of one whose lease has run out
 * counts until another has been let in.
 */
import type { CircuitState } from '../../../lib/core/index.js';
import type { Rung } from '../program.js';
import type { Verdict } from './verdicts.js';

export interface Circuit {
  /** an outcome counts only toward the period in which its attempt began */
  readonly period: number;
  readonly failures: number;
  /** in a row, whatever the reason: each doubles the next cooldown */
  readonly openings: number;
  /** null while closed; while isolated the end of a delay that the provider asked for */
  readonly openUntil: number | null;
  readonly openedBy: 'failures' | 'advice' | 'denial';
  readonly isIsolated: boolean;
  /** end of the running probe's lease */
  readonly probeUntil: number | null;
  readonly succeededAt: number;
}

export interface Admission {
  readonly period: number;
  readonly as: 'usual' | 'probe' | 'last resort';
  /** its success has been recorded, at the commit of its stream */
  readonly isProven?: boolean;
}

export const CLOSED: Circuit = {
  period: 0,
  failures: 0,
  openings: 0,
  openUntil: null,
  openedBy: 'failures',
  isIsolated: false,
  probeUntil: null,
  succeededAt: -Infinity,
};

/** A candidate that succeeded in the last minute is not out of order at its first denial. */
export const GRACE = 60_000;
const LEASE = 30_000;

const breakerOf = ({ breaker = {} }: Rung) => {
  const { threshold = 3, cooldown = 5_000, factor = 2 } = breaker;
  return { threshold, cooldown, factor, maxCooldown: breaker.maxCooldown ?? Math.max(cooldown, 300_000) };
};

/** A cooldown that has run out reads half-open, also before the probe starts. */
export function state({ openUntil, isIsolated }: Circuit, now: number): CircuitState {
  if (isIsolated) return 'isolated';
  if (openUntil === null) return 'closed';
  return now < openUntil ? 'open' : 'half-open';
}

/** Whether an attempt may begin: half-open, exactly one probe. */
export function admit(circuit: Circuit, now: number): Admission | null {
  const { period, probeUntil } = circuit;
  switch (state(circuit, now)) {
    case 'closed':
      return { period, as: 'usual' };
    case 'half-open':
      return probeUntil !== null && now < probeUntil ? null : { period: period + 1, as: 'probe' };
    default:
      return null;
  }
}

/** As a last resort open candidates are tried, except those opened by advice or denial. */
export function admitLast(circuit: Circuit, now: number): Admission | null {
  const isOpen = state(circuit, now) === 'open';
  if (isOpen) return circuit.openedBy === 'failures' ? { period: circuit.period, as: 'last resort' } : null;
  return admit(circuit, now);
}

/** The permit of a probe is leased: the attempt's timeout, else 30 s. */
export function begin(circuit: Circuit, { period, as }: Admission, rung: Rung, now: number): Circuit {
  return as === 'probe' ? { ...circuit, period, probeUntil: now + (rung.timeout ?? LEASE) } : circuit;
}

export function settle(before: Circuit, { period, as }: Admission, verdict: Verdict, rung: Rung, now: number): Circuit {
  const { kind, health } = verdict;
  const circuit = health === 'success' ? { ...before, succeededAt: now } : before;
  if (period !== circuit.period) return takeAdvice(circuit, verdict, now);
  if (health === 'success' || (as === 'probe' && kind === 'terminal')) return close(circuit);
  if (health === 'ignore') return as === 'probe' ? { ...circuit, probeUntil: null } : circuit;
  return as === 'last resort' ? takeAdvice(circuit, verdict, now) : fail(circuit, as, verdict, rung, now);
}

export const reset = ({ period }: Circuit): Circuit => ({ ...CLOSED, period: period + 1 });

/** By hand: nothing lets a candidate in until it is restored. Advice is kept, all else is forgotten. */
export function isolate(circuit: Circuit, now: number): Circuit {
  if (circuit.isIsolated) return circuit;
  const { period, succeededAt, openedBy, openUntil } = circuit;
  const isAdvised = openedBy === 'advice' && openUntil !== null && openUntil > now;
  return { ...CLOSED, period: period + 1, succeededAt, isIsolated: true, openUntil: isAdvised ? openUntil : null };
}

export function restore(circuit: Circuit, now: number): Circuit {
  if (!circuit.isIsolated) return circuit;
  const { period, succeededAt, openUntil } = circuit;
  const fresh = { ...CLOSED, period: period + 1, succeededAt };
  const isAdvised = openUntil !== null && openUntil > now;
  return isAdvised ? { ...fresh, failures: 1, openings: 1, openUntil, openedBy: 'advice' } : fresh;
}

/** Success closes it and forgets. */
function close(circuit: Circuit): Circuit {
  const period = circuit.openUntil === null ? circuit.period : circuit.period + 1;
  return { ...CLOSED, period, succeededAt: circuit.succeededAt };
}

function fail(circuit: Circuit, as: Admission['as'], { kind, retryAfter }: Verdict, rung: Rung, now: number): Circuit {
  const { threshold, cooldown, factor, maxCooldown } = breakerOf(rung);
  const failures = circuit.failures + 1;
  const counted: Circuit = { ...circuit, failures, probeUntil: null };
  if (kind === 'denied' && now - circuit.succeededAt > GRACE) return open(counted, now + maxCooldown, 'denial');
  const opens = as === 'probe' || failures >= threshold;
  if (retryAfter !== undefined) {
    // An advised delay replaces the cooldown; 0 or a past date never opens.
    const isTaken = retryAfter > 0 && (opens || kind === 'rate-limited');
    return isTaken ? open(counted, now + retryAfter, 'advice') : counted;
  }
  const cooling = Math.min(cooldown * factor ** circuit.openings, maxCooldown);
  return opens && cooling > 0 ? open(counted, now + cooling, 'failures') : counted;
}

/** Of an outcome that does not count otherwise advised delays are always taken; of two deadlines the later wins. */
function takeAdvice(circuit: Circuit, { kind, retryAfter = 0 }: Verdict, now: number): Circuit {
  const is = state(circuit, now);
  const until = now + retryAfter;
  if (retryAfter <= 0 || (is === 'closed' && kind !== 'rate-limited')) return circuit;
  if (until <= (circuit.openUntil ?? 0)) return circuit;
  if (is === 'isolated') return { ...circuit, openUntil: until };
  if (is === 'closed') return open({ ...circuit, failures: circuit.failures + 1 }, until, 'advice');
  return open(is === 'open' ? { ...circuit, openings: circuit.openings - 1 } : circuit, until, 'advice');
}

function open(circuit: Circuit, openUntil: number, openedBy: Circuit['openedBy']): Circuit {
  const { period, openings } = circuit;
  return { ...circuit, period: period + 1, openings: openings + 1, openUntil, openedBy, probeUntil: null };
}
