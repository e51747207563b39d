/**
 * Contract, section 8: a stream after its commit. Nothing is spliced: it ends as it ends, and that is its outcome.
 *
 * Read where the contract leaves room: a caller's signal makes the attempt `cancelled`, a consumer who leaves makes it `ok`.
 */
import type { FailureKind } from '../../../lib/core/index.js';
import { elementOf, reasonOf, thingOf } from '../program.js';
import type { Emission, Play } from '../program.js';
import { settleAttempt } from './attempt.js';
import type { Begun } from './attempt.js';
import type { Ending, Waiting } from './call.js';
import { settle } from './circuit.js';
import { answerBy, answered } from './serving.js';
import type { Opened, StreamCall } from './stream-call.js';
import { cutByDeadline, judge, verdict } from './verdicts.js';
import type { Verdict } from './verdicts.js';
import { Tie } from './world.js';

/** What was wrong, and whether the source is still open. */
export interface Loss {
  readonly judged: Verdict;
  readonly error: string;
  readonly isOpen: boolean;
}

interface Running extends Opened {
  begun: Begun;
  /** the first element that told of an error: it passes, but what it belongs to is no success */
  told: Emission | undefined;
}

export function* relay(call: StreamCall, opened: Opened): Waiting<Ending> {
  const { held, index: first, judged } = opened;
  const { place } = opened.begun;
  const { world } = call;
  const { emits } = call.script(place);
  const degraded = judged.kind === 'thin' || call.rung(place).degraded === true;
  const names = [...held];
  const own: Running = { ...opened, begun: opened.begun, told: undefined };
  const give = (index: number): boolean => {
    if (call.options.errorIn === true && emits[index]!.as === 'in-band') own.told ??= emits[index]!;
    names.push(elementOf(place, index, call.given.number));
    return call.emit(names.at(-1)!, degraded);
  };
  if (opened.begun.isRecorded === true && call.isPushed(place)) call.restOf(opened);
  if (degraded) refuseErrorsPushedAhead(call, opened);
  call.noteCommit(place);
  call.served(place);
  own.begun = proven(call, opened.begun);
  const isWanted = held.every((name) => call.emit(name, degraded)) && give(first);
  call.closeHeld();
  let last = opened.since;
  if (!isWanted) return leaveAfter(call, own, first, last);

  for (let index = first + 1; index <= emits.length; index++) {
    const next = emits[index] ?? call.play(place);
    // Who pushes has gone on while it was held; who is asked gives when it is asked.
    if (!call.isPushed(place)) last = world.now;
    last = call.comesAt(place, next, last);
    const idleAt = world.now + (call.options.idleTimeout ?? Infinity);
    const cutAt = Math.min(idleAt, call.streamEnd);
    if (cutAt <= world.now) throw new Tie();
    const woken = yield { answerAt: last, cutAt };
    if (woken === 'cancelled') return call.hasLeft ? leave(call, own) : breakOff(call, own, abortOf(call));
    if (woken === 'cut') return breakOff(call, own, cutAt === idleAt ? idleOf(call) : streamEndOf(call));
    if (index < emits.length && !give(index)) return leaveAfter(call, own, index, last);
  }
  if (call.play(place).does !== 'ok') return breakOff(call, own, { ...failureOf(call, place), isOpen: false });
  if (own.told === undefined) call.endCleanly(place, names);
  return end(call, own);
}

/** The source's own error, of whatever kind it is. */
export function failureOf(call: StreamCall, place: number): Pick<Loss, 'judged' | 'error'> {
  const own = call.play(place);
  const play: Play = own.does === 'ok' || own.does === 'never' ? { ...own, does: 'unknown' } : own;
  const judged = judge(play, call.rung(place), call.program.unknown ?? 'transient');
  return { judged, error: thingOf(place, own.does, call.given.number) };
}

/** The commit closes a probe. A failure that comes after belongs to the period that begins so. */
function proven(call: StreamCall, begun: Begun): Begun {
  const { place, admission } = begun;
  const memory = call.memory(place);
  if (begun.isRecorded === true || admission.as !== 'probe' || admission.period !== memory.circuit.period) return begun;
  memory.circuit = settle(memory.circuit, admission, verdict('ok'), call.rung(place), call.world.now);
  return { ...begun, admission: { period: memory.circuit.period, as: 'usual', isProven: true } };
}

/** A source that pushes may have ended before it can be closed. */
export function refuseRunningAhead(
  call: StreamCall,
  place: number,
  index: number,
  last: number,
  wasHeld = false,
): void {
  const next = call.script(place).emits[index + 1] ?? call.play(place);
  if ((wasHeld ? call.isPushed(place) : call.runsAhead(place)) && call.comesAt(place, next, last) <= call.world.now)
    throw new Tie();
}

/** Whether `errorIn` hears what a degraded stream was pushed before its commit is open. */
function refuseErrorsPushedAhead(call: StreamCall, { begun: { place }, index, since }: Opened): void {
  if (call.options.errorIn !== true || !call.isPushed(place)) return;
  let last = since;
  for (const emission of call.script(place).emits.slice(index + 1)) {
    last = call.comesAt(place, emission, last);
    if (last <= call.world.now && emission.as === 'in-band') throw new Tie();
  }
}

function leaveAfter(call: StreamCall, opened: Running, index: number, last: number): Ending {
  refuseRunningAhead(call, opened.begun.place, index, last, opened.begun.isRecorded);
  return leave(call, opened);
}

/** A consumer's break after the commit is ok. */
function leave(call: StreamCall, opened: Running): Ending {
  call.note('closed', opened.begun.place);
  return end(call, opened);
}

function end(call: StreamCall, { begun, judged, told }: Running): Ending {
  if (told !== undefined) {
    const failed = judge(told, call.rung(begun.place), call.program.unknown ?? 'transient');
    settleAttempt(call, begun, failed);
    const answer = answerBy(call, begun.place, judged.kind);
    return { value: 'a stream', ...answer, stoppedBy: failed.kind as FailureKind, attempts: call.records };
  }
  settleAttempt(call, begun, judged);
  return answered(call, begun.place, judged.kind);
}

/** The error passes unchanged, and counts; nobody else is called. */
function breakOff(call: StreamCall, opened: Opened, { judged, error, isOpen }: Loss): Ending {
  const { place } = opened.begun;
  if (isOpen) call.note('closed', place);
  settleAttempt(call, opened.begun, judged);
  const answer = answerBy(call, place, opened.judged.kind);
  return { error, ...answer, stoppedBy: judged.kind as FailureKind, attempts: call.records };
}

const abortOf = ({ given }: StreamCall): Loss => ({
  judged: verdict('cancelled'),
  error: reasonOf(given.number),
  isOpen: true,
});

export const idleOf = ({ options }: StreamCall): Loss => ({
  judged: verdict('timeout'),
  error: `timed out after ${options.idleTimeout}`,
  isOpen: true,
});

const streamEndOf = ({ options }: StreamCall): Loss => ({
  judged: cutByDeadline,
  error: `deadline of ${options.streamDeadline}`,
  isOpen: true,
});
