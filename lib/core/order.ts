/** In which order the candidates of a chain are tried. */
import type { Call } from './call.js';
import type { CandidatePlan } from './plan.js';
import { isLate } from './thenable.js';

/**
 * The cheapest first; equals, and those whose price nobody knows, as declared, the latter at the end. Those that answer
 * the failures of others stand behind all others, whatever they cost.
 * @internal
 */
export function byCost(candidates: readonly CandidatePlan[]): readonly CandidatePlan[] {
  return candidates.toSorted((one, other) => gateOf(one) - gateOf(other) || priceOf(one) - priceOf(other));
}

function gateOf({ on }: CandidatePlan): number {
  return on === null ? 0 : 1;
}

function priceOf({ cost = Number.MAX_VALUE }: CandidatePlan): number {
  return cost;
}

/** The candidates of a call in the order in which they are tried. @internal */
export function ladderOf(call: Call): readonly CandidatePlan[] {
  const { orderOf, ladder } = call.plan;
  return orderOf === null || call.cancellation !== null ? ladder : computed(call, orderOf);
}

/** As the user's function says; as declared, if it does not name every candidate exactly once, and at once. */
function computed(call: Call, orderOf: NonNullable<Call['plan']['orderOf']>): readonly CandidatePlan[] {
  const { candidates, engine, name: chain } = call.plan;
  const names = candidates.map(({ name }) => name);
  try {
    const said: unknown = orderOf.call(call.host, names, [...call.args]);
    const ladder = isLate(said) ? null : inOrder(candidates, said);
    if (ladder !== null) return ladder;
  } catch {
    // reported below
  }
  engine.report({ name: 'hook.failed', chain, hook: 'order' });
  return candidates;
}

function inOrder(candidates: readonly CandidatePlan[], names: unknown): readonly CandidatePlan[] | null {
  if (!Array.isArray(names)) return null;
  const rest = new Map<unknown, CandidatePlan>(candidates.map((candidate) => [candidate.name, candidate]));
  const ladder: CandidatePlan[] = [];
  for (const name of names as unknown[]) {
    const candidate = rest.get(name);
    if (candidate === undefined) return null;
    rest.delete(name);
    ladder.push(candidate);
  }
  return rest.size === 0 ? ladder : null;
}
