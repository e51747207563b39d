import type { AttemptView, CandidatePlan, ChainPlan } from './plan.js';

/** Calls a candidate in the place of the plan. @internal */
export type Route = (attempt: AttemptView, candidate: CandidatePlan) => unknown;

/** The same plan (circuits, counts, options), whose candidates are called by somebody who wants to know. @internal */
export function rerouted(plan: ChainPlan, route: Route): ChainPlan {
  const candidates = plan.candidates.map((candidate) => ({
    ...candidate,
    invoke: (attempt: AttemptView) => route(attempt, candidate),
  }));
  return { ...plan, candidates };
}
