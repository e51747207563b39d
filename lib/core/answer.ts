/**
 * How a call ends with an answer. A full answer is the candidate's own object, untouched. A degraded one gets its
 * receipt and its mark; a value that cannot carry the mark is not served at all.
 */
import type { Attempt } from './attempt.js';
import type { Call } from './call.js';
import type { Told } from './engine.js';
import { envelope, inherited, isObject, setReceipt } from './marks.js';
import type { Inherited } from './marks.js';
import { UNMARKABLE } from './plan.js';
import { isPaid, receiptFor } from './receipt.js';
import type { Ending } from './receipt.js';
import { isLate } from './thenable.js';
import type { Receipt } from './types.js';
import { unwrap } from './unwrap.js';
import type { Ruling } from './verdict.js';

/** The value of an accepted attempt as the caller gets it, or UNMARKABLE. @internal */
export function answer(call: Call, attempt: Attempt, given: unknown, ruling: Ruling, now: number): unknown {
  const { plan, history } = call;
  const { candidate } = attempt;
  const { name: servedBy, index } = candidate;
  const value = unwrap(call, given);
  const degraded = degradation(attempt, inherited(plan.name, given, attempt.marksBefore), ruling);
  if (degraded !== null) {
    if (history === null) call.putDown(attempt, given, ruling, now);
    return serveDegraded(call, value, degraded);
  }
  if (ruling.kind === 'ok') plan.substitutes?.remember(call, value, now);
  const isEnveloped = plan.marker?.wrapsAll === true;
  const shown = isEnveloped ? envelope(value, { servedBy, source: 'candidate', degraded: false }) : value;
  if (history !== null) announceInFull(call, shown, { servedBy, index, source: 'candidate', degraded: false }, now);
  if (plan.watch !== null) {
    const isPaidFor = history === null ? (candidate.cost ?? 0) > 0 : isPaid(history.records);
    plan.watch.answered(now, index !== call.firstSupported, false, isPaidFor);
  }
  return shown;
}

/**
 * How an accepted answer is less than was asked for; null if it is not.
 * @param before how it was degraded on its way here
 * @internal
 */
export function degradation({ candidate }: Attempt, before: Inherited | null, ruling: Ruling): Ending | null {
  const isThin = ruling.kind === 'thin' || (ruling.next === 'hold' && ruling.kind !== 'empty');
  if (before === null && !candidate.degraded && !isThin) return null;
  const { name: servedBy, index } = candidate;
  const reason = before?.reason ?? (ruling.kind === 'ok' ? undefined : ruling.kind);
  return { servedBy, index, source: before?.source ?? 'candidate', degraded: true, reason, age: before?.age };
}

/** A full answer needs a receipt only where somebody can read it. */
function announceInFull(call: Call, value: unknown, ending: Ending, now: number): void {
  const canCarry = ending.index !== 0 && isObject(value);
  if (!canCarry && !call.isWatched) return;
  const receipt = receiptFor(call, ending, now);
  if (canCarry) setReceipt(value, receipt);
  if (call.isWatched) announce(call, receipt, call.history?.wallAt(now, call.plan.engine.clock));
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

/** A value with its mark, or UNMARKABLE. @internal */
export function tryMark(call: Call, value: unknown, receipt: Receipt): unknown {
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

/** Gives the scope its receipt, and everybody the news. @internal */
export function announce(call: Call, receipt: Receipt, at?: number): void {
  call.scope?.collect(receipt);
  tellServed(call, receipt, at);
}

/** @param at by the wall clock, where that has been read already @internal */
export function tellServed({ plan: { engine, name: chain } }: Call, receipt: Receipt, at?: number): void {
  if (!engine.isObserved && !receipt.degraded) return;
  const { servedBy, source, degraded, reason, age, failedOver, cost, duration } = receipt;
  const event: Told = { name: 'call.served', chain, source, servedBy, degraded, failedOver, cost, duration, at };
  if (!degraded) return engine.emit(event);
  if (reason !== undefined) event.reason = reason;
  if (age !== undefined) event.age = age;
  engine.report(event);
}
