/** Contract, sections 3, 4 and 6: where an attempt begins and where it ends, whatever a candidate gives. */
import { nameOf } from '../program.js';
import type { Call, Woken } from './call.js';
import { begin, settle } from './circuit.js';
import type { Admission } from './circuit.js';
import { cutByDeadline, verdict } from './verdicts.js';
import type { Verdict } from './verdicts.js';
import { count } from './world.js';

export interface Begun {
  readonly place: number;
  readonly admission: Admission;
  readonly number: number;
  readonly startedAt: number;
  readonly cutAt: number;
  /** it is cut by its own `timeout`, not by the deadline */
  readonly isOwnTimeout: boolean;
  /** its stream was held: its outcome is known, and only a failure still counts */
  readonly isRecorded?: boolean;
}

export function beginAttempt(call: Call, place: number, admission: Admission): Begun {
  const { world, candidatesEnd } = call;
  const [rung, memory, startedAt] = [call.rung(place), call.memory(place), world.now];
  memory.circuit = begin(memory.circuit, admission, rung, startedAt);
  world.invoked.push(`${nameOf(place)} of call ${call.given.number} at ${startedAt}`);
  const timeoutAt = startedAt + (rung.timeout ?? Infinity);
  const isOwnTimeout = timeoutAt <= candidatesEnd;
  const cutAt = isOwnTimeout ? timeoutAt : candidatesEnd;
  return { place, admission, number: call.attempts++, startedAt, cutAt, isOwnTimeout };
}

/** Whether our timer fired or the caller went away is our own knowledge. */
export function judgeWoken(woken: Woken, { isOwnTimeout }: Begun): Verdict | null {
  if (woken === 'cancelled') return verdict('cancelled');
  if (woken === 'cut') return isOwnTimeout ? verdict('timeout') : cutByDeadline;
  return null;
}

/** One outcome, one record. */
export function settleAttempt(call: Call, begun: Begun, judged: Verdict): void {
  const { place, admission, number, startedAt, isRecorded = false } = begun;
  const { now } = call.world;
  const [rung, memory] = [call.rung(place), call.memory(place)];
  const isKnown = (isRecorded || admission.isProven === true) && judged.health === 'success';
  if (rung.whenOpen !== 'ignore' && !isKnown) memory.circuit = settle(memory.circuit, admission, judged, rung, now);
  if (isRecorded) return;
  memory.counts = count(memory, judged.kind);
  memory.lastKind = judged.kind;
  call.records.push({
    candidate: nameOf(place),
    index: place,
    attempt: number,
    kind: judged.kind,
    duration: now - startedAt,
    ...((rung.cost ?? 0) > 0 && { cost: rung.cost! }),
    ...(judged.retryAfter !== undefined && { retryAfter: judged.retryAfter }),
  });
}
