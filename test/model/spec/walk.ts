/**
 * Contract, sections 4 and 5: one call, written as it reads. Whenever it has to wait, it says for what and until when.
 *
 * Read where the contract leaves room: whether there is time is asked first, then whether the candidate supports the
 * call, whether the last failure is its business, and at last its circuit. The last resort is for candidates that were
 * open when they were passed over, and not by advice or denial: by then one may be due, and this is its probe, or closed.
 */
import type { FailureKind, SkipReason } from '../../../lib/core/index.js';
import { DISTINCT as TIMES } from '../instants.js';
import { nameOf, reasonOf } from '../program.js';
import { beginAttempt, judgeWoken, settleAttempt } from './attempt.js';
import { isFailure } from './call.js';
import type { Call, Ending, Waiting } from './call.js';
import { admit, admitLast } from './circuit.js';
import type { Admission } from './circuit.js';
import { cutError, errorOf, exhausted, stopped } from './ending.js';
import { answered, remember, serveHeld, substitute } from './serving.js';
import { judge } from './verdicts.js';
import type { Verdict } from './verdicts.js';
import { count } from './world.js';

/** What differs where candidates give streams. */
export interface Ways {
  readonly attempt: Attempt;
  /** What is held goes on; null if nothing is. */
  readonly relayHeld?: () => Waiting<Ending | null>;
}

export function* walk(call: Call, ways: Ways = { attempt }): Waiting<Ending> {
  if (call.given.isCancelled) return stopped(call, reasonOf(call.given.number), 'cancelled');
  for (const place of call.program.rungs.keys()) {
    const ending = yield* visit(call, place, ways.attempt);
    if (ending !== null) return ending;
  }
  const instead = (yield* held(call, ways)) ?? (yield* substitute(call));
  if (instead !== null) return instead;
  for (const place of call.deferred) {
    const ending = yield* tryLast(call, place, ways.attempt);
    if (ending !== null) return ending;
  }
  return (yield* held(call, ways)) ?? exhausted(call);
}

function* held(call: Call, { relayHeld }: Ways): Waiting<Ending | null> {
  return relayHeld === undefined ? serveHeld(call) : yield* relayHeld();
}

/** A candidate is called, or passed over with a record and a reason. */
function* visit(call: Call, place: number, run: Attempt): Waiting<Ending | null> {
  if (call.isTooDear(place)) return null;
  const admission = admissionTo(call, place);
  if (typeof admission === 'object') return yield* run(call, place, admission);
  const memory = call.memory(place);
  memory.counts = count(memory, admission);
  call.records.push({ candidate: nameOf(place), index: place, kind: 'skipped', reason: admission });
  return null;
}

function admissionTo(call: Call, place: number): Admission | SkipReason {
  const { whenOpen, on } = call.rung(place);
  const { circuit } = call.memory(place);
  const { now } = call.world;
  if (call.isOutOfTime) return 'deadline';
  if (call.play(place).does === 'passes') return 'unsupported';
  call.firstSupported ??= place;
  if (!call.isAnsweredBy(on)) return 'gated';
  if (circuit.isIsolated) return 'isolated';
  if (whenOpen === 'ignore') return { period: 0, as: 'usual' };
  const admission = admit(circuit, now);
  if (admission !== null) return admission;
  if (whenOpen !== 'skip' && admitLast(circuit, now) !== null) call.deferred.push(place);
  return 'cooling';
}

/** The last resort: such a candidate has one record, its run. */
function* tryLast(call: Call, place: number, run: Attempt): Waiting<Ending | null> {
  if (call.isOutOfTime || call.isTooDear(place)) return null;
  const admission = admitLast(call.memory(place).circuit, call.world.now);
  if (admission === null) return null;
  call.records.splice(
    call.records.findIndex(({ index }) => index === place),
    1,
  );
  return yield* run(call, place, admission);
}

/** One candidate is called, and what becomes of it; null for the next candidate. */
type Attempt = (call: Call, place: number, admission: Admission) => Waiting<Ending | null>;

function* attempt(call: Call, place: number, admission: Admission): Waiting<Ending | null> {
  const begun = beginAttempt(call, place, admission);
  const play = call.play(place);
  const answerAt = play.does === 'never' ? Infinity : begun.startedAt + TIMES.answer(place, play.after);
  const woken = yield { answerAt, cutAt: begun.cutAt };
  if (woken === 'cut') expectLate(call, place, answerAt);

  const judged = judgeWoken(woken, begun) ?? judge(play, call.rung(place), call.program.unknown ?? 'transient');
  settleAttempt(call, begun, judged);
  return conclude(call, place, judged, woken === 'cut' ? cutError(call, begun) : errorOf(call, place));
}

/** What a verdict means for the call; null for the next candidate. */
export function conclude(call: Call, place: number, { kind, next }: Verdict, error: string): Ending | null {
  if (kind === 'cancelled') return stopped(call, reasonOf(call.given.number), kind);
  if (isFailure(kind)) {
    call.failures.push(`${nameOf(place)}: ${error}`);
    call.lastFailure = kind;
  }
  if (next === 'stop') return stopped(call, error, kind as FailureKind);
  if (next === 'accept') return answered(call, place, kind);
  if (kind === 'budget') call.budgetError = error;
  // The first thin answer is held; one of them is better than an empty one.
  const isBetter = call.held === null || (call.held.kind === 'empty' && kind === 'thin');
  if (next === 'hold' && isBetter) call.held = { place, kind };
  return null;
}

/** A late good answer refreshes the last known good where a write is due, and is counted; all else that is late is inert. */
function expectLate(call: Call, place: number, at: number): void {
  const { degraded, heedsSignal, cost = 0 } = call.rung(place);
  if (at === Infinity || heedsSignal === true || degraded === true) return;
  if (judge(call.play(place), call.rung(place), 'transient').kind !== 'ok') return;
  call.world.later(at, () => {
    const memory = call.memory(place);
    memory.counts = count(memory, cost > 0 ? 'paid-late' : 'late');
    remember(call, place);
  });
}
