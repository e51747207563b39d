/**
 * A chain as it was declared, and which of its options hold. Layers, the later the stronger: built-in defaults, the
 * application's defaults, the chain's options, overrides by chain name, the candidate's own options, overrides by
 * candidate name.
 */
import type { Origin } from './description.js';
import { layer } from './options.js';
import type { Invoke, Marker, Substitutes } from './plan.js';
import type { CandidateOptions, ChainOptions } from './option-types.js';

/** A candidate as it was declared. @internal */
export interface CandidateSpec {
  readonly name: string;
  readonly options: CandidateOptions;
  /** what it says of itself, beneath its options; told of what holds where it is silent */
  readonly hooks?: (ofChain: CandidateOptions) => CandidateOptions;
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

/** Options and who gave them. @internal */
export interface Layer<T> {
  readonly origin: Origin;
  readonly options: T | undefined;
}

/** The layers of the chain itself, the strongest last. @internal */
export function chainLayers(spec: ChainSpec, { defaults, override }: Layers): Layer<ChainOptions>[] {
  return [
    { origin: 'forRoot defaults', options: defaults },
    { origin: 'chain options', options: spec.options },
    { origin: 'overrides', options: override },
  ];
}

/** The layers of one candidate, the strongest last. What is said of all candidates comes first. @internal */
export function candidateLayers(spec: ChainSpec, layers: Layers, index: number): Layer<CandidateOptions>[] {
  const ofChain = chainLayers(spec, layers);
  const { name, options, hooks } = spec.candidates[index]!;
  const candidates: Record<string, CandidateOptions> | null | undefined = layers.override?.candidates;
  const isOverridden = candidates != null && Object.hasOwn(candidates, name);
  const ofAll: Layer<CandidateOptions>[] = [
    ...ofChain.map(({ origin, options: given }) => ({ origin, options: given && withoutPrimary(given) })),
    ...(index === 0 ? ofChain.map(({ origin, options: given }) => ({ origin, options: given?.primary })) : []),
  ];
  return [
    ...ofAll,
    { origin: 'candidate options', options: hooks?.(layer(...ofAll.map(({ options: given }) => given))) },
    { origin: 'candidate options', options },
    { origin: 'candidate overrides', options: isOverridden ? candidates[name] : undefined },
  ];
}

/** The options of the chain itself. @internal */
export function chainOptionsOf(spec: ChainSpec, layers: Layers): ChainOptions {
  return layer(...chainLayers(spec, layers).map(({ options }) => options));
}

/** The options of one candidate. @internal */
export function candidateOptionsOf(spec: ChainSpec, layers: Layers, index: number): CandidateOptions {
  return layer(...candidateLayers(spec, layers, index).map(({ options }) => options));
}

function withoutPrimary({ primary: _primary, ...shared }: ChainOptions): CandidateOptions {
  return shared;
}
