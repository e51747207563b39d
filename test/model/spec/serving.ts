/** Contract, section 7, and section 5 where nobody answered in full: what is served, and how it is marked. */
import type { OutcomeKind, Source } from '../../../lib/core/index.js';
import { DISTINCT as TIMES } from '../instants.js';
import { STATIC, STATIC_LIST, nameOf, reasonOf } from '../program.js';
import type { Answer, Call, Ending, Waiting } from './call.js';
import { stopped } from './ending.js';
import { ageOf, isWriteDue } from './last-known-good.js';

/** A candidate's answer. Thin answers, and all of a candidate declared `degraded`, are degraded; only others are stored. */
export function answered(call: Call, place: number, kind: OutcomeKind): Ending {
  call.served(place);
  const answer = answerBy(call, place, kind);
  if (kind === 'ok' && !answer.degraded) remember(call, place);
  return served(call, call.answerOf(place), answer);
}

export function answerBy(call: Call, place: number, kind: OutcomeKind): Answer {
  const degraded = kind === 'thin' || call.rung(place).degraded === true;
  return {
    servedBy: nameOf(place),
    source: 'candidate',
    degraded,
    failedOver: place !== call.firstSupported,
    ...(degraded && kind !== 'ok' && { reason: kind }),
  };
}

export function serveHeld(call: Call): Ending | null {
  return call.held === null ? null : answered(call, call.held.place, call.held.kind);
}

export function remember(call: Call, place: number): void {
  const { world, given, program } = call;
  const { lastKnownGood } = program.substitutes ?? {};
  if (lastKnownGood === undefined || lastKnownGood.maxAge === 0) return;
  if (!isWriteDue(world.store.get(given.question), world.now, lastKnownGood.refreshAfter)) return;
  const value = call.rememberedOf(place);
  if (value === null) return;
  world.store.set(given.question, { value, storedAt: world.wall, writtenAt: world.now });
}

/** The last known good, then the static or computed one; null if there is none for this call. */
export function* substitute(call: Call): Waiting<Ending | null> {
  const { world, given, program } = call;
  const { substitutes } = program;
  if (substitutes === undefined || given.isSwitchedOff || !call.isAnsweredBy(substitutes.on)) return null;
  const { lastKnownGood, last, mark } = substitutes;
  const stored = world.store.get(given.question);
  const age = lastKnownGood === undefined ? null : ageOf(stored, world.wall, lastKnownGood.maxAge);
  if (age !== null) return servedInstead(call, `copy of ${stored!.value}`, 'last-known-good', age);
  if (last === undefined) return null;
  if (last.is === 'static')
    return servedInstead(call, `copy of ${last.isList === true ? STATIC_LIST : STATIC}`, 'static');
  // Bounded by what is left of the deadline, never less than `reserve`.
  const left = Math.max(call.deadlineAt - world.now, program.reserve ?? 0);
  const woken = yield { answerAt: world.now + TIMES.substitute(last.after), cutAt: world.now + left };
  if (woken === 'cancelled') return stopped(call, reasonOf(given.number), 'cancelled');
  // Never unmarked: what cannot carry its mark is not served.
  const isServable = last.gives === 'value' || (last.gives === 'primitive' && mark !== 'property');
  return woken === 'cut' || !isServable ? null : servedInstead(call, `a computed ${last.gives}`, 'static');
}

function servedInstead(call: Call, value: string, source: Source, age?: number): Ending {
  const reason = call.lastFailure ?? call.records.at(-1)?.reason;
  return served(call, value, {
    servedBy: null,
    source,
    degraded: true,
    failedOver: false,
    ...(reason !== undefined && { reason }),
    ...(age !== undefined && { age }),
  });
}

function served({ program, budgetError, records }: Call, value: string, answer: Answer): Ending {
  const { mark = 'receipt' } = program.substitutes ?? {};
  return {
    value,
    ...answer,
    ...(mark !== 'receipt' && { shows: answer.degraded }),
    ...(answer.degraded && budgetError !== null && { stoppedBy: 'budget' }),
    attempts: records,
  };
}
