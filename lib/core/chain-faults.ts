/** What is wrong with a chain's options and names, whichever layer it comes from. */
import { BREAKER } from './compile.js';
import { candidateOptionsOf, chainOptionsOf } from './chain-spec.js';
import type { ChainSpec, Layers } from './chain-spec.js';
import { parseDuration } from './duration.js';
import type { ConfigurationFault } from './errors.js';
import { faultsOfHedge } from './hedge/hedge-faults.js';
import { CANDIDATE_RULES, CHAIN_RULES, object } from './option-rules.js';
import type { BreakerOptions } from './option-types.js';
import { faultsOf } from './options.js';

/** @internal */
export function faultsOfChain(spec: ChainSpec, layers: Layers): ConfigurationFault[] {
  return [
    ...faultsOfLayers(spec, layers),
    ...faultsOfNames(spec),
    ...faultsOfBreakers(spec, layers),
    ...faultsOfReserve(spec, layers),
    ...faultsOfBudget(spec, layers),
    ...faultsOfHedge(spec, layers),
  ];
}

function faultsOfLayers(spec: ChainSpec, layers: Layers): ConfigurationFault[] {
  const { override: whole = {} } = layers;
  if (object(whole) !== undefined) return faultsOf(whole, CHAIN_RULES, spec.where, `overrides.${spec.name}`);
  const { candidates: overridden = {}, ...override } = whole;
  const names = spec.candidates.map(({ name }) => name);
  if (object(overridden) !== undefined) {
    return faultsOf(overridden, {}, spec.where, `overrides.${spec.name}.candidates`);
  }
  return [
    ...faultsOf(spec.options, CHAIN_RULES, spec.where),
    ...spec.candidates.flatMap(({ name, options }) => faultsOf(options, CANDIDATE_RULES, whereIs(spec, name))),
    ...faultsOf(override, CHAIN_RULES, spec.where, `overrides.${spec.name}`),
    ...Object.entries(overridden).flatMap(([name, options]) => {
      const path = `overrides.${spec.name}.candidates.${name}`;
      if (names.includes(name)) return faultsOf(options, CANDIDATE_RULES, spec.where, path);
      return [
        { where: spec.where, option: path, message: `no candidate has this name; there are ${names.join(', ')}` },
      ];
    }),
  ];
}

function faultsOfNames(spec: ChainSpec): ConfigurationFault[] {
  const names = spec.candidates.map(({ name }) => name);
  const message = 'two candidates have this name; give one of them another by name:';
  return names
    .filter((name, place) => names.indexOf(name) !== place)
    .map((name) => ({ where: whereIs(spec, name), option: 'name', message }));
}

function faultsOfBreakers(spec: ChainSpec, layers: Layers): ConfigurationFault[] {
  return spec.candidates.flatMap(({ name }, index) => {
    const { breaker = {} } = candidateOptionsOf(spec, layers, index);
    const { cooldown = BREAKER.cooldown, maxCooldown } = breaker;
    const faults = faultsOfMode(spec, layers, index, breaker);
    // A maxCooldown of 0 is no duration at all, and has been told.
    if (parseDuration(maxCooldown) === 0 || !isLonger(cooldown, maxCooldown)) return faults;
    const message = `maxCooldown is below cooldown; raise it to ${String(cooldown)} at least`;
    return [...faults, { where: whereIs(spec, name), option: 'breaker.maxCooldown', message }];
  });
}

function faultsOfReserve(spec: ChainSpec, layers: Layers): ConfigurationFault[] {
  const { deadline, reserve } = chainOptionsOf(spec, layers);
  if (!isLonger(reserve, deadline)) return [];
  return [{ where: spec.where, option: 'reserve', message: 'reserve is longer than the deadline; lower it' }];
}

/** A budget is given whole. What happens when it is spent may be said in the application's defaults for chains that have one. */
function faultsOfBudget(spec: ChainSpec, layers: Layers): ConfigurationFault[] {
  const { where } = spec;
  const { budget } = chainOptionsOf(spec, layers);
  if (budget === undefined) {
    const { onBudget } = chainOptionsOf(spec, { override: layers.override });
    const message = 'onBudget counts with a budget only; add budget: { limit, per }, or leave it out';
    return onBudget === undefined ? [] : [{ where, option: 'onBudget', message }];
  }
  if (object(budget) !== undefined) return [];
  const missing = (['limit', 'per'] as const).filter((option) => budget[option] === undefined);
  return missing.map((option) => {
    return { where, option: `budget.${option}`, message: "a budget needs both: budget: { limit: 20, per: '1h' }" };
  });
}

/** What belongs to rate mode, said by a chain that is not in it. Defaults of the application may be for other chains. */
function faultsOfMode(spec: ChainSpec, layers: Layers, index: number, { mode, ...all }: BreakerOptions) {
  const idle = (['window', 'volume', 'share'] as const).filter((option) => all[option] !== undefined);
  if (idle.length === 0 || mode === 'rate') return [];
  const own = candidateOptionsOf(spec, { override: layers.override }, index).breaker ?? {};
  return idle
    .filter((option) => own.mode === undefined && own[option] !== undefined)
    .map((option) => {
      const message = `${option} counts in rate mode only; add mode: 'rate', or leave it out`;
      return { where: whereIs(spec, spec.candidates[index]!.name), option: `breaker.${option}`, message };
    });
}

function isLonger(one: unknown, other: unknown): boolean {
  const [first, second] = [parseDuration(one), parseDuration(other)];
  return first !== undefined && second !== undefined && first > second;
}

/** Names a candidate in faults. @internal */
export function whereIs({ where }: ChainSpec, candidate: string): string {
  return `${where} (candidate ${candidate})`;
}
