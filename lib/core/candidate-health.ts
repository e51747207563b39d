/** What is remembered of a chain's candidates, for those who look, and how it is forgotten. */
import { resetCircuit, stateOf } from './circuit.js';
import type { ChainStatus } from './chain-watch.js';
import type { CandidatePlan, ChainPlan } from './plan.js';
import type { CandidateHealth } from './types.js';

type Watched = Pick<ChainPlan, 'candidates' | 'substitutes' | 'engine'>;

/** Reading runs nothing. @internal */
export function statusOf({ candidates, substitutes, engine }: Watched): ChainStatus {
  const now = engine.clock.now();
  const states = candidates.map(({ circuit }) => (circuit === null ? 'closed' : stateOf(circuit, now)));
  if (states.every((state) => state === 'closed')) return 'up';
  const canAnswer = substitutes?.isSure === true || states.some((state) => state !== 'open');
  return canAnswer ? 'degraded' : 'down';
}

/** In declared order. Reading runs nothing, takes no probe and changes no count. @internal */
export function healthOf(plan: ChainPlan): CandidateHealth[] {
  return plan.candidates.map((candidate) => candidateHealth(plan, candidate));
}

/** Forgets failures, openings and counts. @internal */
export function resetHealth({ candidates, engine, name, watch }: ChainPlan): void {
  for (const { circuit, tally } of candidates) {
    if (circuit !== null) resetCircuit(circuit);
    tally.clear();
  }
  engine.emit({ name: 'circuit.reset', chain: name });
  watch?.reset();
}

function candidateHealth({ engine: { clock } }: ChainPlan, candidate: CandidatePlan): CandidateHealth {
  const { name, index, circuit, cost = 0, tally } = candidate;
  const now = clock.now();
  const state = circuit === null ? 'closed' : stateOf(circuit, now);
  const coolingFor = circuit !== null && state === 'open' ? Math.ceil(circuit.openUntil - now) : 0;
  const neverServed = Number.isNaN(tally.lastServedAt);
  return {
    candidate: name,
    index,
    state,
    consecutiveFailures: circuit?.failures ?? 0,
    coolingFor,
    openUntil: coolingFor > 0 ? Math.ceil(clock.wall() + circuit!.openUntil - now) : 0,
    ...(tally.lastKind !== undefined && { lastKind: tally.lastKind }),
    cost,
    counts: tally.counts(),
    ...(!neverServed && { lastServedAt: clock.wall() - (now - tally.lastServedAt) }),
    neverServed,
  };
}
