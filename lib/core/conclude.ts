/** What a judged attempt means for the call: its answer, its end, or the next candidate. */
import { answer } from './answer.js';
import type { Attempt } from './attempt.js';
import type { Call } from './call.js';
import { stopped } from './ending.js';
import { listenLate } from './late.js';
import { noteHealth } from './note-health.js';
import { UNMARKABLE } from './plan.js';
import { answerStream } from './stream/answer-stream.js';
import { COMMITTED } from './stream/opening.js';
import { leaveTraffic } from './traffic.js';
import { isFailure } from './verdict.js';
import type { Ruling } from './verdict.js';

/** The next candidate is tried. @internal */
export const NEXT: unique symbol = Symbol('next');

/** Writes the attempt down; gives the call's answer or NEXT, throws what stops the call. @internal */
export function conclude(call: Call, attempt: Attempt, settled: unknown, ruling: Ruling): unknown {
  if (settled === COMMITTED) return COMMITTED;
  return decide(call, attempt, settled, ruling, close(call, attempt, settled, ruling));
}

/** Writes down how an attempt went; gives the time at which it had ended. @internal */
export function close(call: Call, attempt: Attempt, settled: unknown, ruling: Ruling): number {
  const now = call.plan.engine.clock.now();
  attempt.stopTimer();
  call.waiting = null;
  call.time?.check(now);
  if (attempt.cut !== null && attempt.cut !== 'cancelled') listenLate(call, attempt);
  const { traffic } = attempt.candidate;
  if (traffic !== null) leaveTraffic(attempt, traffic, ruling, now);
  noteHealth(attempt, ruling, now);
  call.write(attempt, settled, ruling, now);
  return now;
}

function decide(call: Call, attempt: Attempt, settled: unknown, ruling: Ruling, now: number): unknown {
  if (call.history !== null) call.history.resumedAt = now;
  if (ruling.next === 'continue') return NEXT;
  if (ruling.next === 'hold') return hold(call, attempt, settled, ruling);
  if (ruling.next === 'stop' && isFailure(ruling.kind)) {
    if (ruling.kind !== 'budget') throw stopped(call, attempt.error, ruling.kind);
    call.tell().budget = { error: attempt.error, isFinal: false };
    return NEXT;
  }
  const serve = call.plan.stream === null ? answer : answerStream;
  const served = serve(call, attempt, settled, ruling, now);
  if (served === UNMARKABLE) return NEXT;
  attempt.candidate.tally.lastServedAt = now;
  return served;
}

/** Keeps an answer for the case that no better one comes: a thin one rather than an empty one. */
function hold(call: Call, attempt: Attempt, value: unknown, ruling: Ruling): typeof NEXT {
  const history = call.tell();
  const isBetter = history.held?.ruling.kind === 'empty' && ruling.kind !== 'empty';
  if (history.held === null || isBetter) {
    history.held?.attempt.release();
    history.held = { attempt, value, ruling };
  } else attempt.release();
  return NEXT;
}
