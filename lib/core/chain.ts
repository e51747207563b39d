/** The engine for plain functions: the same plan and the same walk, without Nest. */
import { Call, NO_INPUTS } from './call.js';
import type { CallInputs } from './call.js';
import { isSignal } from './cancellation.js';
import { healthOf, resetHealth } from './candidate-health.js';
import { faultsOfChain } from './chain-faults.js';
import type { CandidateSpec, ChainSpec, Layers } from './chain-spec.js';
import { compileChain } from './compile.js';
import { isEnabled } from './enabled.js';
import { Engine } from './engine.js';
import { FallbackConfigurationError } from './errors.js';
import type { ConfigurationFault } from './errors.js';
import { HealthKeys } from './health-keys.js';
import { clock as isClock, func, show } from './option-rules.js';
import type { ChainPlan, Invoke } from './plan.js';
import { brand } from './shared.js';
import type { CandidateOptions, Chain, ChainOptions, CoreCandidate, CoreOptions } from './option-types.js';
import type { CandidateHealth } from './types.js';
import { walk } from './walk.js';

const CHAIN = brand('chain');
const NO_ARGS: readonly unknown[] = [];

/** What a chain can be told as a candidate of another one. @internal */
export interface NestedChain {
  readonly name: string;
  nested(args: readonly unknown[], inputs: CallInputs): Promise<unknown>;
}

/** A chain made by `createFallbackChain`, by whichever copy of the package. @internal */
export function isChain(value: unknown): value is NestedChain {
  return typeof value === 'object' && value !== null && CHAIN in value;
}

/**
 * Calls the first candidate that answers. Keeps no memory between calls; see `createFallbackChain` for health.
 * @throws FallbackConfigurationError at once if an option cannot work
 * @example const place = await fallback([() => osm(query), () => archive(query)], { timeout: '2s' })
 * @publicApi
 */
export function fallback<T>(candidates: readonly CoreCandidate<T>[], options: CoreOptions<T> = {}): Promise<T> {
  return new FunctionChain(candidates, options).run();
}

/**
 * A chain of functions that remembers its candidates' health. Candidates get the attempt's context first, then `args`.
 * @throws FallbackConfigurationError at once if an option cannot work
 * @example const geocode = createFallbackChain([osm, archive], { timeout: '2s' }); await geocode.run({ args: ['Bern'] })
 * @publicApi
 */
export function createFallbackChain<T>(
  candidates: readonly CoreCandidate<T>[],
  options: CoreOptions<T> = {},
): Chain<T> {
  return new FunctionChain(candidates, options);
}

class FunctionChain<T> implements Chain<T>, NestedChain {
  readonly name: string;
  private readonly spec: ChainSpec;
  private readonly engine: Engine;
  private readonly plan: ChainPlan;
  /** made when the chain is first found switched off */
  private bare: ChainPlan | null = null;

  constructor(
    candidates: readonly CoreCandidate<T>[],
    private readonly options: CoreOptions<T>,
  ) {
    const faults = [...faultsOfCandidates(options.name, candidates), ...faultsOfInputs(options.name, options)];
    const { name = 'chain', clock } = options;
    this.name = name;
    this.engine = new Engine({ clock });
    this.spec = {
      name,
      where: name,
      candidates: (faults.length > 0 ? [] : candidates).map((candidate, index) =>
        specOf(candidate, index, options.primary?.name),
      ),
      options: chainOptions(options),
      substitutes: null,
      marker: null,
    };
    refuse([...faults, ...faultsOfSpec(this.spec, {})]);
    this.plan = compileChain(this.spec, this.engine, {});
  }

  run(overrides?: Partial<CoreOptions<T>>): Promise<T> {
    if (overrides === undefined) return this.runWith(this.plan, this.options);
    refuse(faultsOfInputs(this.name, overrides));
    const { options } = this;
    const { args = options.args, signal = options.signal, onAttempt = options.onAttempt } = overrides;
    const plan = isOfCall(overrides) ? this.plan : this.planWith(chainOptions(overrides));
    return this.runWith(plan, { args, signal, onAttempt });
  }

  private runWith(plan: ChainPlan, { args = NO_ARGS, signal, onAttempt }: CallOptions<T>): Promise<T> {
    const isPlain = signal === undefined && onAttempt === undefined;
    const inputs = isPlain ? NO_INPUTS : { signal, onAttempt: onAttempt as CallInputs['onAttempt'] };
    return this.call(plan, args, inputs) as Promise<T>;
  }

  nested(args: readonly unknown[], inputs: CallInputs): Promise<unknown> {
    const { signal, onAttempt } = this.options;
    const own = { ownSignal: signal, onAttempt: onAttempt as CallInputs['onAttempt'] };
    return this.call(this.plan, args, { ...inputs, ...own });
  }

  health(): readonly CandidateHealth[] {
    return healthOf(this.plan);
  }

  reset(): void {
    resetHealth(this.plan);
  }

  private call(plan: ChainPlan, args: readonly unknown[], inputs: CallInputs): Promise<unknown> {
    const walked = isEnabled(plan, undefined, plan.enabled) ? plan : (this.bare ??= bareOf(plan));
    return walk(new Call(walked, undefined, args, inputs));
  }

  /** The plan with options of one call: the same circuits and counts, the chain's own options untouched. */
  private planWith(override: ChainOptions): ChainPlan {
    if (Object.keys(override).length === 0) return this.plan;
    refuse(faultsOfSpec(this.spec, { override }));
    return compileChain(this.spec, this.engine, { override }, this.plan);
  }
}
Object.defineProperty(FunctionChain.prototype, CHAIN, { value: true });

/** Candidate 0 alone, with nothing around it but the caller's signal; its own error is the call's. */
function bareOf({ name, candidates, engine: { clock } }: ChainPlan): ChainPlan {
  const { invoke } = candidates[0]!;
  const spec: ChainSpec = {
    name,
    where: name,
    candidates: [{ name: candidates[0]!.name, options: { whenOpen: 'ignore' }, invoke }],
    options: { rethrow: 'last' },
    substitutes: null,
    marker: null,
  };
  return compileChain(spec, new Engine({ clock }), {});
}

/** What belongs to one call anyway, and not to the chain. */
type CallOptions<T> = { [K in 'args' | 'signal' | 'onAttempt']?: CoreOptions<T>[K] | undefined };

function isOfCall(overrides: object): boolean {
  for (const name in overrides) if (name !== 'args' && name !== 'signal' && name !== 'onAttempt') return false;
  return true;
}

function chainOptions<T>({ signal, args, clock, onAttempt, ...options }: Partial<CoreOptions<T>>): ChainOptions {
  return options;
}

function specOf<T>(candidate: CoreCandidate<T>, index: number, primary: string | undefined): CandidateSpec {
  const unnamed = (index === 0 ? primary : undefined) ?? `candidate${index}`;
  if (isChain(candidate)) return { name: candidate.name, options: {}, invoke: invokeNested(candidate) };
  const plain = candidate as Exclude<CoreCandidate<T>, Chain<T>>;
  if (typeof plain === 'function') {
    return { name: unnamed, options: {}, invoke: ({ context, call }) => plain(context, ...(call.args as unknown[])) };
  }
  const { name = unnamed, run: _run, ...options } = plain as CandidateOptions & { run: unknown };
  return { name, options, invoke: ({ context, call }) => plain.run(context, ...(call.args as unknown[])) };
}

function invokeNested(chain: NestedChain): Invoke {
  return ({ call, signal }) => chain.nested(call.args, { signal, deadline: call.deadline.remaining() });
}

function faultsOfSpec(spec: ChainSpec, layers: Layers): ConfigurationFault[] {
  const faults = faultsOfChain(spec, layers);
  // By default each candidate has a key of its own.
  const options = [
    ...spec.candidates.map((candidate) => candidate.options),
    spec.options.primary,
    layers.override?.primary,
  ];
  const isShared = options.some((one) => one?.healthKey !== undefined);
  return isShared ? [...faults, ...new HealthKeys().add(spec, layers)] : faults;
}

/** What is wrong with what only plain functions can be given. */
function faultsOfInputs<T>(where = 'chain', { clock, onAttempt, signal, args }: Partial<CoreOptions<T>>) {
  const faults: ConfigurationFault[] = [];
  const check = (option: string, message: string | undefined): void => {
    if (message !== undefined) faults.push({ where, option, message });
  };
  if (clock !== undefined) check('clock', isClock(clock));
  if (onAttempt !== undefined) check('onAttempt', func(onAttempt));
  if (signal !== undefined && !isSignal(signal)) check('signal', 'give an AbortSignal');
  if (args !== undefined && !Array.isArray(args)) check('args', 'give a list of arguments');
  return faults;
}

function faultsOfCandidates(where = 'chain', candidates: unknown): ConfigurationFault[] {
  if (!Array.isArray(candidates) || candidates.length === 0) {
    return [{ where, option: 'candidates', message: 'give a list of at least one candidate' }];
  }
  return candidates.flatMap((one: unknown, place) =>
    isCandidate(one) ? [] : [{ where, option: `candidates[${place}]`, message: notACandidate(one) }],
  );
}

function isCandidate(value: unknown): boolean {
  return (
    typeof value === 'function' || isChain(value) || typeof (value as { run?: unknown } | null)?.run === 'function'
  );
}

function notACandidate(value: unknown): string {
  return `this is no candidate: ${show(value)}; give a function, { name, run }, or a chain`;
}

function refuse(faults: readonly ConfigurationFault[]): void {
  if (faults.length > 0) throw new FallbackConfigurationError(faults);
}
