import type { AttemptView, CandidatePlan, ChainPlan } from './plan.js';
import { opening } from './stream/opening.js';

/** Calls a candidate (`bare`) in the place of the plan. @internal */
export type Route = (attempt: AttemptView, candidate: CandidatePlan) => unknown;

/** The same plan (circuits, counts, options), whose candidates are called by somebody who wants to know. @internal */
export function rerouted(plan: ChainPlan, route: Route): ChainPlan {
  const candidates = plan.candidates.map((candidate) => {
    const invoke = (attempt: AttemptView): unknown => route(attempt, candidate);
    return { ...candidate, invoke: plan.stream === null ? invoke : opening(invoke) };
  });
  const ladder = plan.ladder === plan.candidates ? candidates : plan.ladder.map(({ index }) => candidates[index]!);
  return { ...plan, candidates, ladder };
}
