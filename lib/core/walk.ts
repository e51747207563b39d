/**
 * The walk down a ladder. Read this first.
 *
 * Candidates are tried one after another in declared order. Each is passed over (it does not support the arguments, or
 * its circuit is open) or called, and what it does is judged: accepted, held while a better answer is looked for,
 * passed on to the next, or the end of the call. When nobody has answered, the held answer is served, then a
 * substitute, marked; then open candidates get their last chance; then the call is exhausted.
 *
 * A healthy call runs one candidate and makes one attempt, nothing else. Everything after an `await` runs in a reaction
 * of this very call, so the caller's AsyncLocalStorage context holds in every candidate, hook and substitute.
 */
import { passOver, passOverLast } from './admission.js';
import { answer, standIn } from './answer.js';
import { Attempt } from './attempt.js';
import type { Call } from './call.js';
import { errorOf, exhausted, stopped } from './ending.js';
import { noteOutcome } from './health.js';
import { judge, judgeCut } from './judge.js';
import { UNMARKABLE } from './plan.js';
import type { CandidatePlan } from './plan.js';
import { CUT } from './race.js';
import { anotherTry } from './retry.js';
import { takesItsTime } from './time.js';
import { OUT_OF_TIME, isFailure } from './verdict.js';
import type { Ruling } from './verdict.js';

/** Runs a call to its answer; rejects with what `stopped` or `exhausted` says. @internal */
export async function walk(call: Call): Promise<unknown> {
  call.enter();
  try {
    for (let ladder = call.plan.candidates; ladder.length > 0; ladder = takePassedOver(call)) {
      const isLastResort = ladder !== call.plan.candidates;
      for (let place = 0; place < ladder.length; place++) {
        const candidate = ladder[place]!;
        if (call.cancellation !== null) throw stopped(call, call.cancellation.reason, 'cancelled');
        if (call.budget !== null && candidate.cost !== 0) continue;

        const attempt = new Attempt(call, candidate);
        const passed = isLastResort ? passOverLast(call, attempt) : passOver(call, attempt);
        const reason = passed instanceof Promise ? await passed : passed;
        if (reason !== null) {
          // Who aborted while `supports` was thinking did not learn that it said no.
          if (call.cancellation === null) call.skip(candidate, reason);
          continue;
        }

        call.begin(attempt);
        let settled: unknown;
        let ruling: Ruling = OUT_OF_TIME;
        for (let again = takesItsTime(attempt); again; again = await anotherTry(call, attempt, ruling)) {
          try {
            settled = await attempt.run();
          } catch (error) {
            settled = attempt.fail(error);
          }
          const judged = judge(attempt, settled);
          ruling = judged instanceof Promise ? await inTime(attempt, judged) : judged;
          if (candidate.retries === null) break;
        }
        noteOutcome(call, attempt, ruling);
        call.write(attempt, settled, ruling);

        if (ruling.next === 'continue') continue;
        if (ruling.next === 'hold') {
          call.hold(attempt, settled, ruling);
          continue;
        }
        if (ruling.next === 'stop' && isFailure(ruling.kind)) {
          if (ruling.kind !== 'budget') throw stopped(call, errorOf(attempt), ruling.kind);
          call.budget = { error: attempt.error };
          continue;
        }
        const served = answer(call, attempt, settled, ruling);
        if (served !== UNMARKABLE) return served;
      }
      const substitute = await standIn(call);
      if (substitute !== UNMARKABLE) return substitute;
    }
    if (call.cancellation !== null) throw stopped(call, call.cancellation.reason, 'cancelled');
    if (call.budget !== null) throw stopped(call, call.budget.error, 'budget');
    throw exhausted(call);
  } finally {
    call.leave();
  }
}

/** A ruling that a hook is still thinking about, within the attempt's time. */
async function inTime(attempt: Attempt, judged: Promise<Ruling>): Promise<Ruling> {
  const ruling = await attempt.wait(judged);
  return ruling === CUT ? judgeCut(attempt) : (ruling as Ruling);
}

/** Open candidates that were passed over and may be tried now that nobody else answered; their skips are forgotten. */
function takePassedOver(call: Call): readonly CandidatePlan[] {
  const ladder = call.passedOver ?? [];
  call.passedOver = null;
  if (ladder.length > 0) {
    call.records = call.records!.filter(
      ({ kind, index }) => kind !== 'skipped' || !ladder.some((one) => one.index === index),
    );
  }
  return ladder;
}
