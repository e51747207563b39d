/**
 * Contract, section 8: one attempt of a stream up to its commit. Until then it falls back invisibly.
 *
 * Read where the contract leaves room: `idleTimeout` counts from the first element on, also where it is held back;
 * `streamDeadline` counts from the beginning of the call and ends it before the commit as `deadline` does; in-band errors
 * are read before `commitWhen` is asked. A stream whose first element is thin, or empty and held, has had its outcome; it
 * stays open while others are tried, unread, and goes on if it is served after all.
 */
import { DISTINCT as TIMES } from '../instants.js';
import { elementOf, errorInOf, seenAs } from '../program.js';
import type { Emission, Play } from '../program.js';
import { beginAttempt, judgeWoken, settleAttempt } from './attempt.js';
import type { Begun } from './attempt.js';
import type { Ending, Waiting } from './call.js';
import { cutError } from './ending.js';
import { failureOf, idleOf, refuseRunningAhead, relay } from './relay.js';
import type { Loss } from './relay.js';
import { serveHeld } from './serving.js';
import { substitutesIn } from './stream-call.js';
import type { Opened, StreamCall } from './stream-call.js';
import { judge, verdict } from './verdicts.js';
import type { Verdict } from './verdicts.js';
import { conclude, walk } from './walk.js';

export function* walkStream(call: StreamCall): Waiting<Ending> {
  const ending = yield* walk(call, {
    attempt: (_call, place, admission) => attempt(call, beginAttempt(call, place, admission)),
    relayHeld: () => relayHeld(call),
  });
  call.closeHeld();
  if ('error' in ending || ending.source === 'candidate') return ending;
  for (const name of substitutesIn(ending.value)) if (!call.emit(name, true)) break;
  return ending;
}

function* attempt(call: StreamCall, begun: Begun): Waiting<Ending | null> {
  const { place } = begun;
  const found = yield* untilCommit(call, begun);
  if ('error' in found) return lose(call, begun, found);
  if ('index' in found) return found.judged.next === 'hold' ? hold(call, found) : yield* relay(call, found);
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

function hold(call: StreamCall, opened: Opened): Ending | null {
  const { begun, judged } = opened;
  const before = call.heldOpen;
  settleAttempt(call, begun, judged);
  const ending = conclude(call, begun.place, judged, 'none');
  const isHeld = call.held?.place === begun.place;
  call.heldOpen = isHeld ? { ...opened, begun: { ...begun, isRecorded: true } } : before;
  call.letGo(isHeld ? before : opened);
  return ending;
}

function* relayHeld(call: StreamCall): Waiting<Ending | null> {
  const { heldOpen } = call;
  if (heldOpen === null) return serveHeld(call);
  call.heldOpen = null;
  return yield* relay(call, heldOpen);
}

function* untilCommit(call: StreamCall, begun: Begun): Waiting<Loss | Opened | { readonly held: readonly string[] }> {
  const { place, cutAt } = begun;
  const [script, end, number] = [call.script(place), call.play(place), call.given.number];
  const { world, options } = call;
  const unknown = call.program.unknown ?? 'transient';

  if (script.promised !== undefined) {
    const judged = judgeWoken(yield { answerAt: world.now + TIMES.answer(place, script.promised), cutAt }, begun);
    if (judged !== null) return { judged, error: cutError(call, begun), isOpen: false };
  }
  if (script.form === 'nothing') return { judged: verdict(unknown), error: 'no stream', isOpen: false };
  if (script.form === 'throws') return { ...failureOf(call, place), isOpen: false };

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
      const judged = judgeElement(call, place, emission);
      if (judged.next !== 'continue') return { begun, held, index, judged, since: world.now };
      if (call.rung(place).hasLateHooks === true) refuseRunningAhead(call, place, index, world.now);
      return { judged, error: `rejected: ${elementOf(place, index, number)}`, isOpen: true };
    }
    held.push(elementOf(place, index, number));
  }
  const lost = yield* next(call, begun, held, end);
  if (lost !== null) return lost;
  return end.does === 'ok' ? { held } : { ...failureOf(call, place), isOpen: false };
}

/** Only what hooks read in an element counts. */
function judgeElement(call: StreamCall, place: number, emission: Emission): Verdict {
  const rung = call.rung(place);
  const does = seenAs(emission, rung);
  return judge(does === 'ok' ? { does, after: 0 } : emission, rung, 'transient');
}

/** Waits for what comes next. Between elements that are held back `idleTimeout` counts too. */
function* next(call: StreamCall, begun: Begun, held: readonly string[], play: Play): Waiting<Loss | null> {
  const idleAt = held.length === 0 ? Infinity : call.world.now + (call.options.idleTimeout ?? Infinity);
  const cutAt = Math.min(begun.cutAt, idleAt);
  const woken = yield { answerAt: call.comesAt(begun.place, play, call.world.now), cutAt };
  if (woken === 'cut' && idleAt < begun.cutAt) return idleOf(call);
  const judged = judgeWoken(woken, begun);
  return judged && { judged, error: cutError(call, begun), isOpen: true };
}
