/**
 * A chain as it was declared, and which of its options hold. Layers, the later the stronger: built-in defaults, the
 * application's defaults, the chain's options, overrides by chain name, the candidate's own options, overrides by
 * candidate name.
 */
import { layer } from './options.js';
import type { Invoke, Marker, Substitutes } from './plan.js';
import type { CandidateOptions, ChainOptions } from './option-types.js';

/** A candidate as it was declared. @internal */
export interface CandidateSpec {
  readonly name: string;
  readonly options: CandidateOptions;
  readonly invoke: Invoke;
}

/** A chain as it was declared; candidate 0 first. @internal */
export interface ChainSpec {
  readonly name: string;
  /** names the chain in faults */
  readonly where: string;
  readonly candidates: readonly CandidateSpec[];
  readonly options: ChainOptions;
  readonly substitutes: Substitutes | null;
  readonly marker: Marker | null;
}

/** Options that come from outside the code. @internal */
export interface Layers {
  readonly defaults?: ChainOptions | undefined;
  readonly override?: (ChainOptions & { candidates?: Record<string, CandidateOptions> }) | undefined;
}

/** The options of the chain itself. @internal */
export function chainOptionsOf(spec: ChainSpec, { defaults, override }: Layers): ChainOptions {
  return layer(defaults, spec.options, override);
}

/** The options of one candidate. @internal */
export function candidateOptionsOf(spec: ChainSpec, layers: Layers, index: number): CandidateOptions {
  const { primary, ...shared } = chainOptionsOf(spec, layers);
  const { name, options } = spec.candidates[index]!;
  const own = index === 0 ? layer(primary, options) : options;
  const candidates: Record<string, CandidateOptions> | null | undefined = layers.override?.candidates;
  const isOverridden = candidates != null && Object.hasOwn(candidates, name);
  return layer<CandidateOptions>(shared, own, isOverridden ? candidates[name] : undefined);
}
