/** Which breaker and which bounds hold for each health key: one circuit cannot be opened by two rules. */
import { faultsOfChain, whereIs } from './chain-faults.js';
import { candidateOptionsOf } from './chain-spec.js';
import type { ChainSpec, Layers } from './chain-spec.js';
import { boundsOf, breakerOf, healthKeyOf } from './compile.js';
import type { ConfigurationFault } from './errors.js';

interface Claim {
  readonly where: string;
  readonly said: string;
}

/** The health keys of one application, or of one chain of functions. @internal */
export class HealthKeys {
  private readonly breakers = new Map<string, Claim>();
  private readonly bounds = new Map<string, Claim>();

  /** Takes note of a chain's keys; gives a fault for each that an earlier candidate has with another breaker or bound. */
  add(spec: ChainSpec, layers: Layers): ConfigurationFault[] {
    return spec.candidates.flatMap(({ name }, index) => {
      const options = candidateOptionsOf(spec, layers, index);
      const key = healthKeyOf(spec, index, options);
      const where = whereIs(spec, name);
      const bounds = { where, said: JSON.stringify(boundsOf(options)) };
      const faults = claim(this.bounds, key, bounds, 'minInterval or maxConcurrent');
      if (options.whenOpen === 'ignore') return faults;
      const breaker = { where, said: JSON.stringify(breakerOf(options.breaker)) };
      return [...claim(this.breakers, key, breaker, 'breaker'), ...faults];
    });
  }
}

function claim(claims: Map<string, Claim>, key: string, own: Claim, what: string): ConfigurationFault[] {
  const first = claims.get(key) ?? own;
  claims.set(key, first);
  if (first.said === own.said || first.where === own.where) return [];
  const message = `${first.where} has the healthKey '${key}' too, with another ${what}; give both the same ${what}, or two keys`;
  return [{ where: own.where, option: 'healthKey', message }];
}

/** What is wrong with a chain that stands for itself. @internal */
export function faultsOfLoneChain(spec: ChainSpec, layers: Layers): ConfigurationFault[] {
  const faults = faultsOfChain(spec, layers);
  // By default each candidate has a key of its own.
  const options = [...spec.candidates.map((one) => one.options), spec.options.primary, layers.override?.primary];
  const isShared = options.some((one) => one?.healthKey !== undefined);
  return isShared ? [...faults, ...new HealthKeys().add(spec, layers)] : faults;
}
