/**
 * The walk of a chain with `hedge`: the same ladder, judged and ended in the same way, but the next candidate starts
 * beside the running one when that is slow. Only free candidates are hedged, so nothing is paid twice for one answer.
 */
import type { Call } from '../call.js';
import { NEXT } from '../conclude.js';
import { endWithoutAnswer } from '../ending.js';
import { ladderOf } from '../order.js';
import { UNMARKABLE } from '../plan.js';
import type { Hedge } from '../plan.js';
import { standIn } from '../stand-in.js';
import { Field } from './field.js';

/** Runs a call to its answer; rejects with what ended it without one. @internal */
export async function walkHedged(call: Call, hedge: Hedge): Promise<unknown> {
  call.enter();
  try {
    const field = new Field(call, hedge);
    for (let ladder = ladderOf(call); ladder.length > 0; ladder = call.tell().takePassedOver()) {
      const answer = await field.run(ladder);
      if (answer !== NEXT) return answer;
      const substitute = await standIn(call);
      if (substitute !== UNMARKABLE) return substitute;
    }
    throw endWithoutAnswer(call);
  } finally {
    call.leave();
  }
}
