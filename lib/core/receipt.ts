import type { Call } from './call.js';
import type { AttemptRecord, Receipt } from './types.js';

/** What is particular about the end of one call; the rest of its receipt is the call's own. @internal */
export type Ending = Pick<Receipt, 'servedBy' | 'source' | 'degraded'> &
  Partial<{ [K in 'reason' | 'age' | 'stoppedBy']: Receipt[K] | undefined }> & {
    /** index of the candidate that answered */
    readonly index?: number;
  };

/** @internal */
export function receiptFor(call: Call, ending: Ending, now = call.plan.engine.clock.now()): Receipt {
  const { servedBy, source, degraded, reason, age, stoppedBy, index } = ending;
  const attempts = call.records;
  const receipt: Receipt = {
    chain: call.plan.name,
    servedBy,
    source,
    degraded,
    failedOver: index !== undefined && index !== call.firstSupported,
    cost: costOf(attempts),
    duration: call.durationAt(now),
    attempts,
  };
  // Assigned, not spread: this is on the path of every call that failed over.
  if (reason !== undefined) receipt.reason = reason;
  if (age !== undefined) receipt.age = age;
  if (stoppedBy !== undefined) receipt.stoppedBy = stoppedBy;
  return receipt;
}

/** Brings the receipt of a stream that has ended up to date. @internal */
export function renew(receipt: Receipt, call: Call, now: number): Receipt {
  receipt.cost = costOf(call.records);
  receipt.duration = call.durationAt(now);
  return receipt;
}

function costOf(attempts: readonly AttemptRecord[]): number {
  let sum = 0;
  for (const { cost } of attempts) if (cost !== undefined) sum += cost;
  return sum;
}

/** Whether money was spent. @internal */
export function isPaid(attempts: readonly AttemptRecord[]): boolean {
  return costOf(attempts) > 0;
}

/** Why a call was not answered in full: its last failure; where nobody was called, why the last was passed over. @internal */
export function reasonOf({ history }: Call): Receipt['reason'] {
  return history?.lastFailure ?? history?.records.at(-1)?.reason;
}
