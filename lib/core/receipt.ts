import type { Call } from './call.js';
import type { Receipt } from './types.js';

/** What is particular about the end of one call; the rest of its receipt is the call's own. @internal */
export type Ending = Pick<Receipt, 'servedBy' | 'source' | 'degraded'> &
  Partial<{ [K in 'reason' | 'age' | 'stoppedBy']: Receipt[K] | undefined }> & {
    /** index of the candidate that answered */
    readonly index?: number;
  };

/** @internal */
export function receiptFor(call: Call, ending: Ending): Receipt {
  const attempts = Object.freeze(call.records ?? []);
  const { index, reason, age, stoppedBy } = ending;
  return {
    chain: call.plan.name,
    servedBy: ending.servedBy,
    source: ending.source,
    degraded: ending.degraded,
    ...(reason !== undefined && { reason }),
    ...(age !== undefined && { age }),
    failedOver: index !== undefined && index !== call.firstSupported,
    ...(stoppedBy !== undefined && { stoppedBy }),
    cost: attempts.reduce((sum, { cost = 0 }) => sum + cost, 0),
    duration: Number.isNaN(call.startedAt) ? 0 : call.plan.engine.clock.now() - call.startedAt,
    attempts,
  };
}
