import type { ChainSpec } from './chain-spec.js';
import { compileChain } from './compile.js';
import { Engine } from './engine.js';
import type { ChainPlan } from './plan.js';

const bare = new WeakMap<ChainPlan, ChainPlan>();

/**
 * The plan of a chain that is switched off: candidate 0 alone, with nothing around it but the caller's signal; its own
 * error is the call's. Made when the chain is first found switched off.
 * @internal
 */
export function barePlan(plan: ChainPlan): ChainPlan {
  let known = bare.get(plan);
  if (known === undefined) bare.set(plan, (known = bareOf(plan)));
  return known;
}

function bareOf({ name, candidates, engine, stream }: ChainPlan): ChainPlan {
  const { name: candidate, bare: invoke } = candidates[0]!;
  const spec: ChainSpec = {
    name,
    where: name,
    candidates: [{ name: candidate, options: { whenOpen: 'ignore' }, invoke }],
    options: { rethrow: 'last' },
    substitutes: null,
    marker: null,
  };
  const { clock, subscribe } = engine;
  return compileChain(spec, new Engine({ clock, subscribe }), {}, undefined, stream?.kind);
}
