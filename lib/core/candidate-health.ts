/** What is remembered of a chain's candidates, for those who look, and how it is forgotten. */
import type { ChainStatus } from './chain-watch.js';
import { isIsolated, resetCircuit, stateOf } from './circuit.js';
import { isolate, restore } from './isolation.js';
import type { CandidatePlan, ChainPlan } from './plan.js';
import type { CandidateHealth, CircuitState } from './types.js';

type Watched = Pick<ChainPlan, 'candidates' | 'substitutes' | 'engine'>;

/** Reading runs nothing. @internal */
export function statusOf({ candidates, substitutes, engine }: Watched): ChainStatus {
  const now = engine.clock.now();
  const states = candidates.map((candidate) => stateOfCandidate(candidate, now));
  if (states.every((state) => state === 'closed')) return 'up';
  const canAnswer = substitutes?.isSure === true || states.some((state) => state !== 'open' && state !== 'isolated');
  return canAnswer ? 'degraded' : 'down';
}

/** In declared order. Reading runs nothing, takes no probe and changes no count. @internal */
export function healthOf(plan: ChainPlan): CandidateHealth[] {
  return plan.candidates.map((candidate) => candidateHealth(plan, candidate));
}

/** Forgets failures, openings and counts. @internal */
export function resetHealth({ candidates, engine, name, watch }: ChainPlan): void {
  for (const { circuit, mirror, tally } of candidates) {
    resetCircuit(circuit);
    void mirror?.order('reset');
    tally.clear();
  }
  engine.emit({ name: 'circuit.reset', chain: name });
  watch?.reset();
}

const BY_HAND = {
  isolate: { change: isolate, told: 'circuit.isolated' },
  restore: { change: restore, told: 'circuit.restored' },
} as const;

/** Takes a candidate out of the ladder until it is restored, or puts it back, as fresh. @internal */
export function controlCandidate(
  { engine, name: chain, watch }: ChainPlan,
  { circuit, mirror, name: candidate }: CandidatePlan,
  action: keyof typeof BY_HAND,
): void {
  const { change, told } = BY_HAND[action];
  const now = engine.clock.now();
  if (!change(circuit, now)) return;
  void mirror?.order(action);
  engine.report({ name: told, chain, candidate });
  watch?.look(now);
}

/** The state of its circuit as it counts for this candidate, which may ignore all but isolation. @internal */
export function stateOfCandidate({ circuit, breaker }: CandidatePlan, now: number): CircuitState {
  return breaker === null && !isIsolated(circuit) ? 'closed' : stateOf(circuit, now);
}

function candidateHealth({ engine: { clock } }: ChainPlan, candidate: CandidatePlan): CandidateHealth {
  const { name, index, circuit, breaker, cost = 0, tally } = candidate;
  const now = clock.now();
  const state = stateOfCandidate(candidate, now);
  const coolingFor = state === 'open' ? Math.ceil(circuit.openUntil - now) : 0;
  const lastServedAt = lastServed(candidate, clock.wall() - now);
  return {
    candidate: name,
    index,
    state,
    consecutiveFailures: breaker === null ? 0 : circuit.failures,
    coolingFor,
    openUntil: coolingFor > 0 ? Math.ceil(clock.wall() + circuit.openUntil - now) : 0,
    ...(tally.lastKind !== undefined && { lastKind: tally.lastKind }),
    cost,
    counts: tally.counts(),
    ...(lastServedAt !== undefined && { lastServedAt }),
    neverServed: lastServedAt === undefined,
  };
}

/** By the wall clock: in this process, or before it was started, as a shared store knows. */
function lastServed({ tally, mirror }: CandidatePlan, offset: number): number | undefined {
  return Number.isNaN(tally.lastServedAt) ? mirror?.lastServedAt : tally.lastServedAt + offset;
}
