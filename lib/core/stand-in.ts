/** What is served when no candidate has answered in full: the held answer, else a substitute, marked. */
import { answer, serveDegraded } from './answer.js';
import type { Call } from './call.js';
import { lastFailure } from './gate.js';
import { UNMARKABLE } from './plan.js';
import type { Offer, SubstituteSource } from './plan.js';
import { CUT, FAILED, Race } from './race.js';
import { reasonOf } from './receipt.js';
import { answerStream, serveElements } from './stream/answer-stream.js';
import { isThenable } from './thenable.js';
import { unwrap } from './unwrap.js';

/** The answer, or UNMARKABLE if there is nothing. The substitutes of a call are asked once. @internal */
export async function standIn(call: Call): Promise<unknown> {
  if (call.cancellation !== null) return UNMARKABLE;
  const history = call.tell();
  history.resumedAt = NaN;
  if (history.held !== null) {
    const { attempt, value, ruling } = history.held;
    const now = call.plan.engine.clock.now();
    const serve = call.plan.stream === null ? answer : answerStream;
    const kept = serve(call, attempt, value, ruling, now);
    if (kept !== UNMARKABLE) {
      attempt.candidate.tally.lastServedAt = now;
      return kept;
    }
    history.held = null;
  }
  const { substitutes } = call.plan;
  if (substitutes === null || history.substitutesAsked) return UNMARKABLE;
  history.substitutesAsked = true;
  if (!substitutes.allows(call, lastFailure(call)?.kind)) return UNMARKABLE;
  for (const source of substitutes.sources) {
    const offer = await ask(call, source);
    if (call.cancellation !== null) return UNMARKABLE;
    const serve = call.plan.stream === null ? serveOffer : serveElements;
    const served = offer === null ? UNMARKABLE : await serve(call, offer);
    if (served !== UNMARKABLE) return served;
  }
  return UNMARKABLE;
}

/** Asks for a substitute, within what is left of the deadline; what it can give at once it may always give. */
async function ask(call: Call, source: SubstituteSource): Promise<Offer | null> {
  const race = (call.waiting = new Race(call.isCuttable));
  let offer: unknown;
  try {
    offer = source.offer(call, race);
    if (isThenable(offer)) {
      if (call.time !== null) race.startOwnTimer(call.plan.engine.clock, call.time.forSubstitute);
      offer = await race.wait(offer);
    }
  } catch {
    offer = FAILED;
  }
  race.stopTimer();
  call.waiting = null;
  if (offer !== FAILED && offer !== CUT) return offer as Offer | null;
  const isTold = race.teardown !== null;
  race.release();
  if (call.cancellation === null && !isTold) {
    call.plan.engine.report({ name: 'hook.failed', chain: call.plan.name, hook: 'substitute' });
  }
  return null;
}

function serveOffer(call: Call, { value, source, age }: Offer): unknown {
  return serveDegraded(call, unwrap(call, value), {
    servedBy: null,
    source,
    degraded: true,
    reason: reasonOf(call),
    age,
  });
}
