import type { Call } from './call.js';
import { walkHedged } from './hedge/hedged-walk.js';
import { walk } from './walk.js';

/** Runs a call as its plan says: one candidate after another, or side by side. @internal */
export function run(call: Call): Promise<unknown> {
  const { hedge } = call.plan;
  return hedge === null ? walk(call) : walkHedged(call, hedge);
}
