/** Which breaker holds for each health key: one circuit cannot be opened by two rules. */
import { faultsOfChain, whereIs } from './chain-faults.js';
import { candidateOptionsOf } from './chain-spec.js';
import type { ChainSpec, Layers } from './chain-spec.js';
import { breakerOf, healthKeyOf } from './compile.js';
import type { ConfigurationFault } from './errors.js';

interface Claim {
  readonly where: string;
  readonly breaker: string;
}

/** The health keys of one application, or of one chain of functions. @internal */
export class HealthKeys {
  private readonly claims = new Map<string, Claim>();

  /** Takes note of a chain's keys; gives a fault for each that an earlier candidate has with another breaker. */
  add(spec: ChainSpec, layers: Layers): ConfigurationFault[] {
    return spec.candidates.flatMap(({ name }, index) => {
      const options = candidateOptionsOf(spec, layers, index);
      if (options.whenOpen === 'ignore') return [];
      const key = healthKeyOf(spec, index, options);
      const claim = { where: whereIs(spec, name), breaker: JSON.stringify(breakerOf(options.breaker)) };
      const first = this.claims.get(key) ?? claim;
      this.claims.set(key, first);
      if (first.breaker === claim.breaker || first.where === claim.where) return [];
      const message = `${first.where} has the healthKey '${key}' too, with another breaker; give both the same breaker, or two keys`;
      return [{ where: claim.where, option: 'healthKey', message }];
    });
  }
}

/** What is wrong with a chain that stands for itself. @internal */
export function faultsOfLoneChain(spec: ChainSpec, layers: Layers): ConfigurationFault[] {
  const faults = faultsOfChain(spec, layers);
  // By default each candidate has a key of its own.
  const options = [...spec.candidates.map((one) => one.options), spec.options.primary, layers.override?.primary];
  const isShared = options.some((one) => one?.healthKey !== undefined);
  return isShared ? [...faults, ...new HealthKeys().add(spec, layers)] : faults;
}
