/**
 * From what was declared to the immutable plan that the engine walks, or to everything that is wrong with it.
 * Layers, the later the stronger: built-in defaults, the application's defaults, the chain's options, overrides by
 * chain name, the candidate's own options, overrides by candidate name.
 */
import { parseDuration } from './duration.js';
import type { Engine } from './engine.js';
import type { ConfigurationFault } from './errors.js';
import { CANDIDATE_RULES, CHAIN_RULES } from './option-rules.js';
import { faultsOf, layer } from './options.js';
import type { CandidatePlan, ChainPlan, Invoke, Judge, Marker, Substitutes } from './plan.js';
import { Tally } from './tally.js';
import type { BreakerOptions, CandidateOptions, ChainOptions, Duration } from './types.js';
import type { Breaker } from './circuit.js';

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

/** Numbers that come from outside the code. @internal */
export interface Layers {
  readonly defaults?: ChainOptions | undefined;
  readonly override?: (ChainOptions & { candidates?: Record<string, CandidateOptions> }) | undefined;
}

const BREAKER = { threshold: 3, cooldown: 5_000, factor: 2, maxCooldown: 300_000 };
const MAX_RETRY_AFTER = 3_600_000;

/** What is wrong with a chain's options and names, whichever layer it comes from. @internal */
export function faultsOfChain(spec: ChainSpec, layers: Layers): ConfigurationFault[] {
  const { candidates: overridden = {}, ...override } = layers.override ?? {};
  const names = spec.candidates.map(({ name }) => name);
  return [
    ...faultsOf(spec.options, CHAIN_RULES, spec.where),
    ...spec.candidates.slice(1).flatMap(({ name, options }) => faultsOf(options, CANDIDATE_RULES, whereIs(spec, name))),
    ...faultsOf(override, CHAIN_RULES, spec.where, `overrides.${spec.name}`),
    ...Object.entries(overridden).flatMap(([name, options]) => {
      const path = `overrides.${spec.name}.candidates.${name}`;
      if (names.includes(name)) return faultsOf(options, CANDIDATE_RULES, spec.where, path);
      return [
        { where: spec.where, option: path, message: `no candidate has this name; there are ${names.join(', ')}` },
      ];
    }),
    ...names
      .filter((name, place) => names.indexOf(name) !== place)
      .map((name) => ({
        where: whereIs(spec, name),
        option: 'name',
        message: 'two candidates have this name; give one of them another by name:',
      })),
    ...faultsOfBreakers(spec, layers),
  ];
}

function faultsOfBreakers(spec: ChainSpec, layers: Layers): ConfigurationFault[] {
  return spec.candidates.flatMap(({ name }, index) => {
    const { cooldown, maxCooldown } = optionsOf(spec, layers, index).breaker ?? {};
    const [longest, first] = [parseDuration(maxCooldown), parseDuration(cooldown)];
    if (longest === undefined || first === undefined || longest >= first) return [];
    const message = `maxCooldown is below cooldown; raise it to ${String(cooldown)} at least`;
    return [{ where: whereIs(spec, name), option: 'breaker.maxCooldown', message }];
  });
}

function whereIs({ where }: ChainSpec, candidate: string): string {
  return `${where} (candidate ${candidate})`;
}

/** The plan of a chain without faults. @internal */
export function compileChain(spec: ChainSpec, engine: Engine, layers: Layers): ChainPlan {
  const { rethrow = 'aggregate', unknown = 'transient', detail = 'kinds' } = chainOptionsOf(spec, layers);
  return {
    name: spec.name,
    engine,
    candidates: spec.candidates.map((_, index) => compileCandidate(spec, index, engine, layers)),
    substitutes: spec.substitutes,
    marker: spec.marker,
    rethrow,
    unknown,
    detail,
  };
}

function compileCandidate(spec: ChainSpec, index: number, engine: Engine, layers: Layers): CandidatePlan {
  const { name, invoke } = spec.candidates[index]!;
  const options = optionsOf(spec, layers, index);
  const { whenOpen = 'defer', healthKey = `${spec.name}/${name}` } = options;
  const timeout = ms(options.timeout, Infinity);
  return {
    name,
    index,
    invoke,
    timeout,
    timers: engine.timers.for(timeout),
    cost: options.cost ?? 0,
    degraded: options.degraded ?? false,
    supports: options.supports ?? null,
    judges: judgesOf(options),
    classify: options.classify ?? null,
    circuit: whenOpen === 'ignore' ? null : engine.circuit(healthKey),
    breaker: breakerOf(options.breaker ?? {}),
    deferred: whenOpen === 'defer',
    maxRetryAfter: ms(options.maxRetryAfter, MAX_RETRY_AFTER),
    tally: new Tally(),
  };
}

function chainOptionsOf(spec: ChainSpec, { defaults, override }: Layers): ChainOptions {
  return layer(defaults, spec.options, override);
}

function optionsOf(spec: ChainSpec, layers: Layers, index: number): CandidateOptions {
  const { primary, ...shared } = chainOptionsOf(spec, layers);
  const { name, options } = spec.candidates[index]!;
  const own = index === 0 ? layer(primary, options) : options;
  return layer<CandidateOptions>(shared, own, layers.override?.candidates?.[name]);
}

function judgesOf({ accept, assess }: CandidateOptions): Judge[] {
  const judges: Judge[] = [];
  if (accept !== undefined) judges.push({ hook: 'accept', ask: (host, value, ctx) => accept.call(host, value, ctx) });
  if (assess !== undefined) judges.push({ hook: 'assess', ask: (host, value, ctx) => assess.call(host, value, ctx) });
  return judges;
}

function breakerOf({
  threshold = BREAKER.threshold,
  cooldown,
  factor = BREAKER.factor,
  maxCooldown,
}: BreakerOptions): Breaker {
  const first = ms(cooldown, BREAKER.cooldown);
  return { threshold, cooldown: first, factor, maxCooldown: ms(maxCooldown, Math.max(first, BREAKER.maxCooldown)) };
}

function ms(value: Duration | undefined, otherwise: number): number {
  return value === undefined ? otherwise : (parseDuration(value) ?? otherwise);
}
