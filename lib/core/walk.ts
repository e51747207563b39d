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
import { answer, standIn } from './answer.js';
import { Attempt } from './attempt.js';
import type { Call } from './call.js';
import { REFUSED } from './circuit.js';
import { errorOf, exhausted, stopped } from './ending.js';
import { judge, judgeCut } from './judge.js';
import { UNMARKABLE } from './plan.js';
import { CUT } from './race.js';
import { supports } from './supports.js';
import { isFailure } from './verdict.js';

/** Runs a call to its answer; rejects with what `stopped` or `exhausted` says. @internal */
export async function walk(call: Call): Promise<unknown> {
  call.enter();
  try {
    for (let ladder = call.plan.candidates; ladder.length > 0; ladder = call.takePassedOver()) {
      const isLastResort = ladder !== call.plan.candidates;
      for (let place = 0; place < ladder.length; place++) {
        if (call.cancellation !== null) throw stopped(call, call.cancellation.reason, 'cancelled');
        const attempt = new Attempt(call, ladder[place]!);
        const { candidate } = attempt;

        if (candidate.supports !== null && !isLastResort) {
          const fits = supports(call, attempt);
          if (!(fits instanceof Promise ? await fits : fits)) {
            call.skip(candidate, 'unsupported');
            continue;
          }
        }
        if (call.firstSupported < 0) call.firstSupported = candidate.index;

        const epoch = call.admit(candidate, isLastResort);
        if (epoch === REFUSED) continue;

        call.begin(attempt, epoch);
        let settled: unknown;
        try {
          settled = await attempt.run();
        } catch (error) {
          settled = attempt.fail(error);
        }
        let ruling = judge(attempt, settled);
        if (ruling instanceof Promise) {
          const late = await attempt.wait(ruling);
          ruling = late === CUT ? judgeCut(attempt) : (late as Awaited<typeof ruling>);
        }
        call.settle(attempt, ruling);

        if (ruling.next === 'continue') continue;
        if (ruling.next === 'hold') {
          call.held ??= { attempt, value: settled, ruling };
          continue;
        }
        if (ruling.next === 'stop' && isFailure(ruling.kind)) throw stopped(call, errorOf(attempt), ruling.kind);
        const served = answer(call, attempt, settled, ruling);
        if (served !== UNMARKABLE) return served;
      }
      const substitute = await standIn(call);
      if (substitute !== UNMARKABLE) return substitute;
    }
    if (call.cancellation !== null) throw stopped(call, call.cancellation.reason, 'cancelled');
    throw exhausted(call);
  } finally {
    call.leave();
  }
}
