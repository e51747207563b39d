/**
 * How a call ends with an answer. A full answer is the candidate's own object, untouched. A degraded one gets its
 * receipt and its mark; a value that cannot carry the mark is not served at all.
 */
import type { Attempt } from './attempt.js';
import type { Call } from './call.js';
import { lastFailure } from './gate.js';
import { envelope, inherited, isObject, isServed, setReceipt } from './marks.js';
import { UNMARKABLE } from './plan.js';
import type { Offer, SubstituteSource } from './plan.js';
import { CUT, FAILED, Race } from './race.js';
import { receiptFor } from './receipt.js';
import type { Ending } from './receipt.js';
import { isThenable } from './thenable.js';
import type { Receipt } from './types.js';
import type { Ruling } from './verdict.js';

/** The value of an accepted attempt as the caller gets it, or UNMARKABLE. @internal */
export function answer(call: Call, attempt: Attempt, given: unknown, ruling: Ruling): unknown {
  const { plan } = call;
  const { candidate } = attempt;
  const { name: servedBy, index } = candidate;
  candidate.tally.lastServedAt = attempt.settledAt;
  const isEnveloped = plan.marker !== null && plan.marker.wrapsAll;
  const value = isEnveloped && isServed(given) ? given.value : given;
  const before = inherited(plan.name, given);
  if (before !== null || candidate.degraded || ruling.kind === 'thin') {
    const reason = before?.reason ?? (ruling.kind === 'ok' ? undefined : ruling.kind);
    const source = before?.source ?? 'candidate';
    return serveDegraded(call, value, { servedBy, index, source, degraded: true, reason, age: before?.age });
  }
  if (ruling.kind === 'ok') call.remember(value);
  if (call.records !== null) concludeInFull(call, value, { servedBy, index, source: 'candidate', degraded: false });
  return isEnveloped ? envelope(value, { servedBy, source: 'candidate', degraded: false }) : value;
}

/** A full answer needs a receipt only where somebody can read it. */
function concludeInFull(call: Call, value: unknown, ending: Ending): void {
  const canCarry = ending.index !== 0 && isObject(value);
  if (!canCarry && !call.isWatched) return;
  const receipt = receiptFor(call, ending);
  if (canCarry) setReceipt(value, receipt);
  conclude(call, receipt);
}

/** What can be served when no candidate has answered in full: the held thin answer, then the substitutes. @internal */
export async function standIn(call: Call): Promise<unknown> {
  if (call.cancellation !== null) return UNMARKABLE;
  if (call.held !== null) {
    const { attempt, value, ruling } = call.held;
    const thin = answer(call, attempt, value, ruling);
    if (thin !== UNMARKABLE) return thin;
    call.held = null;
  }
  const { substitutes } = call.plan;
  if (substitutes === null || call.substitutesAsked || !substitutes.allows(call, lastFailure(call)?.kind))
    return UNMARKABLE;
  call.substitutesAsked = true;
  for (const source of substitutes.sources) {
    const offer = await ask(call, source);
    if (call.cancellation !== null) return UNMARKABLE;
    if (offer === FAILED || offer === CUT)
      call.plan.engine.emit({ name: 'hook.failed', chain: call.plan.name, hook: 'substitute' });
    else if (offer !== null) {
      const served = serveOffer(call, offer as Offer);
      if (served !== UNMARKABLE) return served;
    }
  }
  return UNMARKABLE;
}

/** Asks for a substitute, within what is left of the deadline; what it can give at once it may always give. */
async function ask(call: Call, source: SubstituteSource): Promise<unknown> {
  const race = (call.waiting = new Race(call.isCuttable));
  try {
    const offer = source.offer(call);
    if (!isThenable(offer)) return offer;
    race.startOwnTimer(call.plan.engine.clock, call.leftForSubstitute);
    return await race.wait(offer);
  } catch {
    return FAILED;
  } finally {
    race.stopTimer();
    call.waiting = null;
  }
}

function serveOffer(call: Call, { value, source, age }: Offer): unknown {
  const inner = isServed(value) && call.plan.marker?.wrapsAll === true ? value.value : value;
  return serveDegraded(call, inner, { servedBy: null, source, degraded: true, reason: reasonOf(call), age });
}

function serveDegraded(call: Call, value: unknown, ending: Ending): unknown {
  const { marker, engine, name: chain } = call.plan;
  const receipt = receiptFor(call, { ...ending, stoppedBy: call.budget === null ? undefined : 'budget' });
  const marked = marker === null ? value : tryMark(call, value, receipt);
  if (marked === UNMARKABLE) {
    engine.emit({ name: 'substitute.unmarkable', chain, source: receipt.source });
    return UNMARKABLE;
  }
  setReceipt(marked, receipt);
  conclude(call, receipt);
  return marked;
}

function tryMark(call: Call, value: unknown, receipt: Receipt): unknown {
  try {
    return call.plan.marker!.mark(value, receipt);
  } catch {
    call.plan.engine.emit({ name: 'hook.failed', chain: call.plan.name, hook: 'mark' });
    return UNMARKABLE;
  }
}

function conclude(call: Call, receipt: Receipt): void {
  const { engine, name: chain } = call.plan;
  call.scope?.collect(receipt);
  if (!engine.isObserved && !receipt.degraded) return;
  const { servedBy, source, degraded, reason, age, failedOver, cost, duration } = receipt;
  engine.emit({ name: 'call.served', chain, source, servedBy, degraded, reason, age, failedOver, cost, duration });
}

function reasonOf(call: Call): Receipt['reason'] {
  return call.lastFailure ?? call.records?.at(-1)?.reason;
}
