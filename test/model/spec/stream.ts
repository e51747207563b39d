/**
 * Contract, section 8: one attempt of a stream. It falls back invisibly until it commits; nothing is spliced after.
 *
 * Read where the contract leaves room: `idleTimeout` counts from the first element on, also
 * where it is held back; `streamDeadline` counts from the beginning of
 * the call and ends it before the commit as `deadline` does; a caller's signal after the commit makes the attempt
 * `cancelled`, a consumer who leaves makes it `ok`; in-band errors are read before `commitWhen` is asked.
 */
import type { FailureKind } from '../../../lib/core/index.js';
import { DISTINCT as TIMES } from '../instants.js';
import { delayOf, elementOf, errorInOf, reasonOf, seenAs, thingOf } from '../program.js';
import type { Play } from '../program.js';
import { beginAttempt, judgeWoken, settleAttempt } from './attempt.js';
import type { Begun } from './attempt.js';
import type { Ending, Waiting } from './call.js';
import { settle } from './circuit.js';
import { cutError } from './ending.js';
import { answerBy, answered } from './serving.js';
import { substitutesIn } from './stream-call.js';
import type { StreamCall } from './stream-call.js';
import { cutByDeadline, judge, verdict } from './verdicts.js';
import type { Verdict } from './verdicts.js';
import { Tie } from './world.js';
import { conclude, walk } from './walk.js';

export function* walkStream(call: StreamCall): Waiting<Ending> {
  const ending = yield* walk(call, (_call, place, admission) => attempt(call, beginAttempt(call, place, admission)));
  if ('error' in ending || ending.source === 'candidate') return ending;
  for (const name of substitutesIn(ending.value)) if (!call.emit(name, true)) break;
  return ending;
}

/** What was wrong before the commit, and whether the source is still open. */
interface Loss {
  readonly judged: Verdict;
  readonly error: string;
  readonly isOpen: boolean;
}

/** The elements that came before the commit and the place of the one that commits; null if it ended cleanly before. */
interface Found {
  readonly held: readonly string[];
  readonly committing: number | null;
}

function* attempt(call: StreamCall, begun: Begun): Waiting<Ending | null> {
  const { place } = begun;
  const found = yield* untilCommit(call, begun);
  if ('judged' in found) return lose(call, begun, found);
  if (found.committing !== null) return yield* commit(call, begun, found.held, found.committing);
  // A clean end that is judged empty falls back; where nobody asked, it is a success.
  const judged = judge({ does: 'empty', after: 0 }, call.rung(place), 'transient');
  settleAttempt(call, begun, judged);
  call.endCleanly(place, found.held);
  return conclude(call, place, judged, 'none');
}

function lose(call: StreamCall, begun: Begun, { judged, error, isOpen }: Loss): Ending | null {
  // Closed before the next candidate starts.
  if (isOpen) call.note('closed', begun.place);
  settleAttempt(call, begun, judged);
  return conclude(call, begun.place, judged, error);
}

function* untilCommit(call: StreamCall, begun: Begun): Waiting<Loss | Found> {
  const { place, cutAt } = begun;
  const [script, end, number] = [call.script(place), call.play(place), call.given.number];
  const { world, options } = call;
  const unknown = call.program.unknown ?? 'transient';

  if (script.promised !== undefined) {
    const judged = judgeWoken(yield { answerAt: world.now + TIMES.answer(place, script.promised), cutAt }, begun);
    if (judged !== null) return { judged, error: cutError(call, begun), isOpen: false };
  }
  if (script.form === 'nothing') return { judged: verdict(unknown), error: 'no stream', isOpen: false };
  if (script.form === 'throws') return { ...failure(call, place), isOpen: false };

  call.note('opened', place);
  const held: string[] = [];
  for (const [index, emission] of script.emits.entries()) {
    const lost = yield* next(call, begun, held, emission);
    if (lost !== null) return lost;
    if (options.errorIn === true && emission.as === 'in-band') {
      const inBand = judge(emission, call.rung(place), unknown);
      return { judged: inBand, error: errorInOf(place, index, number), isOpen: true };
    }
    if (options.commitWhen !== true || emission.as !== 'priming') {
      const vetoed = judge({ ...emission, does: seenAs(emission, call.rung(place)) }, call.rung(place), unknown);
      if (vetoed.kind === 'ok') return { held, committing: index };
      if (call.rung(place).hasLateHooks === true) refuseRunningAhead(call, place, index);
      return { judged: vetoed, error: `rejected: ${elementOf(place, index, number)}`, isOpen: true };
    }
    held.push(elementOf(place, index, number));
  }
  const lost = yield* next(call, begun, held, end);
  if (lost !== null) return lost;
  return end.does === 'ok' ? { held, committing: null } : { ...failure(call, place), isOpen: false };
}

/** Waits for what comes next. Between elements that are held back `idleTimeout` counts too. */
function* next(call: StreamCall, begun: Begun, held: readonly string[], play: Play): Waiting<Loss | null> {
  const idleAt = held.length === 0 ? Infinity : call.world.now + (call.options.idleTimeout ?? Infinity);
  const cutAt = Math.min(begun.cutAt, idleAt);
  const woken = yield { answerAt: comesAt(call, begun.place, play), cutAt };
  if (woken === 'cut' && idleAt < begun.cutAt) return idleOf(call);
  const judged = judgeWoken(woken, begun);
  return judged && { judged, error: cutError(call, begun), isOpen: true };
}

/** The source's own error, of whatever kind it is. */
function failure(call: StreamCall, place: number): Pick<Loss, 'judged' | 'error'> {
  const end = call.play(place);
  const play: Play = end.does === 'ok' || end.does === 'never' ? { ...end, does: 'unknown' } : end;
  const judged = judge(play, call.rung(place), call.program.unknown ?? 'transient');
  return { judged, error: thingOf(place, end.does, call.given.number) };
}

/** What comes next of a candidate's script, read as fast as it gives. */
function comesAt(call: StreamCall, place: number, play: Play): number {
  if (play.does === 'never') return Infinity;
  return call.world.now + TIMES.answer(place, delayOf(call.script(place), play));
}

function* commit(call: StreamCall, begun: Begun, held: readonly string[], at: number): Waiting<Ending> {
  const { place } = begun;
  const { world } = call;
  const degraded = call.rung(place).degraded === true;
  const names = [...held];
  const give = (index: number): boolean => {
    names.push(elementOf(place, index, call.given.number));
    return call.emit(names.at(-1)!, degraded);
  };
  call.noteCommit(place);
  call.served(place);
  const own = proven(call, begun);
  const { emits } = call.script(place);
  const leaveAfter = (index: number): Ending => {
    refuseRunningAhead(call, place, index);
    return leave(call, own);
  };
  const isWanted = held.every((name) => call.emit(name, degraded)) && give(at);
  if (!isWanted) return leaveAfter(at);

  for (let index = at + 1; index <= emits.length; index++) {
    const next = emits[index] ?? call.play(place);
    const idleAt = world.now + (call.options.idleTimeout ?? Infinity);
    const isIdle = idleAt <= call.streamEnd;
    const woken = yield { answerAt: comesAt(call, place, next), cutAt: isIdle ? idleAt : call.streamEnd };
    if (woken === 'cancelled') return call.hasLeft ? leave(call, own) : breakOff(call, own, abortOf(call));
    if (woken === 'cut') return breakOff(call, own, isIdle ? idleOf(call) : streamEndOf(call));
    if (index < emits.length && !give(index)) return leaveAfter(index);
  }
  const end = call.play(place);
  if (end.does === 'ok') {
    call.endCleanly(place, names);
    settleAttempt(call, own, verdict('ok'));
    return answered(call, place, 'ok');
  }
  return breakOff(call, own, { ...failure(call, place), isOpen: false });
}

/** The commit closes a probe. A failure that comes after belongs to the period that begins so. */
function proven(call: StreamCall, begun: Begun): Begun {
  const { place, admission } = begun;
  const memory = call.memory(place);
  if (admission.as !== 'probe' || admission.period !== memory.circuit.period) return begun;
  memory.circuit = settle(memory.circuit, admission, verdict('ok'), call.rung(place), call.world.now);
  return { ...begun, admission: { period: memory.circuit.period, as: 'usual', isProven: true } };
}

/** A source that pushes may have ended before it can be closed. */
function refuseRunningAhead(call: StreamCall, place: number, index: number): void {
  const next = call.script(place).emits[index + 1] ?? call.play(place);
  if (call.runsAhead(place) && comesAt(call, place, next) === call.world.now) throw new Tie();
}

/** A consumer's break after the commit is ok. */
function leave(call: StreamCall, begun: Begun): Ending {
  call.note('closed', begun.place);
  settleAttempt(call, begun, verdict('ok'));
  return answered(call, begun.place, 'ok');
}

/** After the commit: the error passes unchanged, and counts; nobody else is called. */
function breakOff(call: StreamCall, begun: Begun, { judged, error, isOpen }: Loss): Ending {
  if (isOpen) call.note('closed', begun.place);
  settleAttempt(call, begun, judged);
  return { error, ...answerBy(call, begun.place, 'ok'), stoppedBy: judged.kind as FailureKind, attempts: call.records };
}

const abortOf = ({ given }: StreamCall): Loss => ({
  judged: verdict('cancelled'),
  error: reasonOf(given.number),
  isOpen: true,
});

const idleOf = ({ options }: StreamCall): Loss => ({
  judged: verdict('timeout'),
  error: `timed out after ${options.idleTimeout}`,
  isOpen: true,
});

const streamEndOf = ({ options }: StreamCall): Loss => ({
  judged: cutByDeadline,
  error: `deadline of ${options.streamDeadline}`,
  isOpen: true,
});
