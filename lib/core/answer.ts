/**
 * How a call ends with an answer. A full answer is the candidate's own object, untouched. A degraded one gets its
 * receipt and its mark; a value that cannot carry the mark is not served at all.
 */
import type { Attempt } from './attempt.js';
import type { Call } from './call.js';
import type { Told } from './engine.js';
import { envelope, inherited, isObject, isServed, setReceipt } from './marks.js';
import { UNMARKABLE } from './plan.js';
import { isPaid, receiptFor } from './receipt.js';
import type { Ending } from './receipt.js';
import { isLate } from './thenable.js';
import type { Receipt } from './types.js';
import type { Ruling } from './verdict.js';

/** The value of an accepted attempt as the caller gets it, or UNMARKABLE. @internal */
export function answer(call: Call, attempt: Attempt, given: unknown, ruling: Ruling, now: number): unknown {
  const { plan, history } = call;
  const { candidate } = attempt;
  const { name: servedBy, index } = candidate;
  const value = unwrap(call, given);
  const before = inherited(plan.name, given, attempt.marksBefore);
  const isThin = ruling.kind === 'thin' || (ruling.next === 'hold' && ruling.kind !== 'empty');
  if (before !== null || candidate.degraded || isThin) {
    const reason = before?.reason ?? (ruling.kind === 'ok' ? undefined : ruling.kind);
    const source = before?.source ?? 'candidate';
    if (history === null) call.putDown(attempt, given, ruling, now);
    return serveDegraded(call, value, { servedBy, index, source, degraded: true, reason, age: before?.age });
  }
  if (ruling.kind === 'ok') call.plan.substitutes?.remember(call, value);
  const isEnveloped = plan.marker?.wrapsAll === true;
  const shown = isEnveloped ? envelope(value, { servedBy, source: 'candidate', degraded: false }) : value;
  if (history !== null) announceInFull(call, shown, { servedBy, index, source: 'candidate', degraded: false }, now);
  if (plan.watch !== null) {
    const isPaidFor = history === null ? (candidate.cost ?? 0) > 0 : isPaid(history.records);
    plan.watch.answered(now, index !== call.firstSupported, false, isPaidFor);
  }
  return shown;
}

/** What is in the envelope, where every answer of the method comes in one. @internal */
export function unwrap({ plan }: Call, given: unknown): unknown {
  return plan.marker?.wrapsAll === true && isServed(given) ? given.value : given;
}

/** A full answer needs a receipt only where somebody can read it. */
function announceInFull(call: Call, value: unknown, ending: Ending, now: number): void {
  const canCarry = ending.index !== 0 && isObject(value);
  if (!canCarry && !call.isWatched) return;
  const receipt = receiptFor(call, ending, now);
  if (canCarry) setReceipt(value, receipt);
  if (call.isWatched) announce(call, receipt);
}

/** A degraded value with its receipt and its mark, or UNMARKABLE. @internal */
export function serveDegraded(call: Call, value: unknown, ending: Ending): unknown {
  const { marker, engine, name: chain, watch } = call.plan;
  const receipt = receiptFor(call, ending);
  if (call.history?.budget) receipt.stoppedBy = 'budget';
  const marked = marker === null ? value : tryMark(call, value, receipt);
  if (marked === UNMARKABLE) {
    engine.report({ name: 'substitute.unmarkable', chain, source: receipt.source });
    return UNMARKABLE;
  }
  setReceipt(marked, receipt);
  announce(call, receipt);
  watch?.answered(engine.clock.now(), receipt.failedOver, true, receipt.cost > 0);
  return marked;
}

function tryMark(call: Call, value: unknown, receipt: Receipt): unknown {
  try {
    const marked = call.plan.marker!.mark(value, { ...receipt });
    // A function that wants to be awaited has not marked anything; the value itself may well have a `then`.
    if (marked === value || !isLate(marked)) return marked;
  } catch {
    // reported below
  }
  call.plan.engine.report({ name: 'hook.failed', chain: call.plan.name, hook: 'mark' });
  return UNMARKABLE;
}

function announce(call: Call, receipt: Receipt): void {
  const { engine, name: chain } = call.plan;
  call.scope?.collect(receipt);
  if (!engine.isObserved && !receipt.degraded) return;
  const { servedBy, source, degraded, reason, age, failedOver, cost, duration } = receipt;
  const event: Told = { name: 'call.served', chain, source, servedBy, degraded, failedOver, cost, duration };
  if (!degraded) return engine.emit(event);
  if (reason !== undefined) event.reason = reason;
  if (age !== undefined) event.age = age;
  engine.report(event);
}
