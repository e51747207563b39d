/**
 * The walk down a ladder. Read this first.
 *
 * Candidates are tried one after another in the chain's order. Each is passed over (it does not support the arguments, or
 * its circuit is open) or called, and what it does is judged: accepted, held while a better answer is looked for,
 * passed on to the next, or the end of the call. When nobody has answered, the held answer is served, then a
 * substitute, marked; then open candidates get their last chance; then the call is exhausted.
 *
 * A healthy call runs one candidate and makes one attempt, nothing else. Everything after an `await` runs in a reaction
 * of this very call, so the caller's AsyncLocalStorage context holds in every candidate, hook and substitute.
 */
import { admit } from './admission.js';
import type { Call } from './call.js';
import { NEXT, conclude } from './conclude.js';
import { endWithoutAnswer } from './ending.js';
import { judge } from './judge.js';
import { ladderOf } from './order.js';
import { UNMARKABLE } from './plan.js';
import { persevere } from './retry.js';
import { standIn } from './stand-in.js';

/**
 * Runs a call to its answer; rejects with what ended it without one.
 * @param from the first candidate; a call that was started elsewhere goes on at the next one
 * @internal
 */
export async function walk(call: Call, from = 0): Promise<unknown> {
  if (from === 0) call.enter();
  let place = from;
  try {
    for (let ladder = ladderOf(call); ladder.length > 0; ladder = call.tell().takePassedOver(), place = 0) {
      for (; place < ladder.length; place++) {
        const admitted = admit(call, ladder[place]!);
        const attempt = admitted instanceof Promise ? await admitted : admitted;
        if (attempt === null) continue;

        call.begin(attempt);
        let settled: unknown;
        try {
          settled = await attempt.run();
        } catch (error) {
          settled = attempt.fail(error);
        }
        let ruling = judge(attempt, settled);
        if (ruling instanceof Promise || attempt.candidate.retries !== null) {
          ({ settled, ruling } = await persevere(call, attempt, settled, ruling));
        }
        const answer = conclude(call, attempt, settled, ruling);
        if (answer !== NEXT) return answer;
      }
      const substitute = await standIn(call);
      if (substitute !== UNMARKABLE) return substitute;
    }
    throw endWithoutAnswer(call);
  } finally {
    call.leave();
  }
}
