/** Options that hold for one call. */
import type { ChainSpec, Layers } from './chain-spec.js';
import { compileChain } from './compile.js';
import { FallbackConfigurationError } from './errors.js';
import type { ConfigurationFault } from './errors.js';
import { faultsOfLoneChain } from './health-keys.js';
import { faultsOfStreamHedge } from './hedge/hedge-faults.js';
import { layer } from './options.js';
import type { ChainOptions } from './option-types.js';
import type { ChainPlan } from './plan.js';

/** @internal */
export function refuse(faults: readonly ConfigurationFault[]): void {
  if (faults.length > 0) throw new FallbackConfigurationError(faults);
}

/**
 * A chain's plan with options of one call: the same circuits and counts, the chain's own options untouched.
 * @param layers those with which `plan` was compiled
 * @throws FallbackConfigurationError if an option cannot work
 * @internal
 */
export function planOfCall(spec: ChainSpec, plan: ChainPlan, layers: Layers, options: ChainOptions): ChainPlan {
  if (Object.keys(options).length === 0) return plan;
  const all: Layers = { ...layers, override: layer(layers.override, options) };
  refuse([...faultsOfLoneChain(spec, all), ...(plan.stream === null ? [] : faultsOfStreamHedge(spec, all))]);
  return compileChain(spec, plan.engine, all, plan);
}
