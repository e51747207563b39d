/** The engine for plain functions: the same plan and the same walk, without Nest. */
import { Call, NO_INPUTS } from './call.js';
import type { CallInputs } from './call.js';
import { healthOf, resetHealth } from './candidate-health.js';
import type { CandidateSpec, ChainSpec } from './chain-spec.js';
import { compileChain } from './compile.js';
import { isEnabled } from './enabled.js';
import { Engine } from './engine.js';
import { faultsOfCandidates, faultsOfInputs } from './function-chain-faults.js';
import { faultsOfLoneChain } from './health-keys.js';
import { CHAIN, isChain } from './nested-chain.js';
import type { NestedChain } from './nested-chain.js';
import type { ChainPlan, Invoke } from './plan.js';
import { planOfCall, refuse } from './plan-of-call.js';
import type { CandidateOptions, Chain, ChainOptions, CoreCandidate, CoreOptions } from './option-types.js';
import type { CandidateHealth } from './types.js';
import { walk } from './walk.js';

const NO_ARGS: readonly unknown[] = [];
const NO_OPTIONS: CandidateOptions = {};

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
  readonly spec: ChainSpec;
  readonly plan: ChainPlan;
  /** by the engines of the applications that have registered the chain; null while none has */
  private registered: WeakMap<Engine, ChainPlan> | null = null;
  /** made when the chain is first found switched off */
  private bare: WeakMap<Engine, ChainPlan> | null = null;

  constructor(
    candidates: readonly CoreCandidate<T>[],
    private readonly options: CoreOptions<T>,
  ) {
    const faults = [...faultsOfCandidates(options.name, candidates), ...faultsOfInputs(options.name, options)];
    const { name = 'chain', clock } = options;
    this.name = name;
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
    refuse([...faults, ...faultsOfLoneChain(this.spec, {})]);
    this.plan = compileChain(this.spec, new Engine({ clock }), {});
  }

  run(overrides?: Partial<CoreOptions<T>>): Promise<T> {
    if (overrides === undefined) return this.runWith(this.plan, this.options);
    refuse(faultsOfInputs(this.name, overrides));
    const { options } = this;
    const { args = options.args, signal = options.signal, onAttempt = options.onAttempt } = overrides;
    const plan = isOfCall(overrides) ? this.plan : planOfCall(this.spec, this.plan, {}, chainOptions(overrides));
    return this.runWith(plan, { args, signal, onAttempt });
  }

  private runWith(plan: ChainPlan, { args = NO_ARGS, signal, onAttempt }: CallOptions<T>): Promise<T> {
    const isPlain = signal === undefined && onAttempt === undefined;
    const inputs = isPlain ? NO_INPUTS : { signal, onAttempt: onAttempt as CallInputs['onAttempt'] };
    return this.call(plan, args, inputs) as Promise<T>;
  }

  register(plan: ChainPlan): void {
    this.registered ??= new WeakMap();
    this.registered.set(plan.engine, plan);
  }

  nested(args: readonly unknown[], inputs: CallInputs, engine: Engine): Promise<unknown> {
    return this.runBy(this.registered?.get(engine) ?? this.plan, args, inputs);
  }

  runBy(plan: ChainPlan, args: readonly unknown[] | undefined, inputs: CallInputs): Promise<unknown> {
    const { signal: ownSignal, args: ownArgs = NO_ARGS } = this.options;
    const onAttempt = this.options.onAttempt as CallInputs['onAttempt'];
    const { signal, deadline, scope } = inputs;
    return this.call(plan, args ?? ownArgs, { signal, ownSignal, deadline, scope, onAttempt });
  }

  health(): readonly CandidateHealth[] {
    return healthOf(this.plan);
  }

  reset(): void {
    resetHealth(this.plan);
  }

  private call(plan: ChainPlan, args: readonly unknown[], inputs: CallInputs): Promise<unknown> {
    const walked = isEnabled(plan, undefined, plan.enabled) ? plan : this.bareFor(plan);
    return walk(new Call(walked, undefined, args, inputs));
  }

  private bareFor(plan: ChainPlan): ChainPlan {
    this.bare ??= new WeakMap();
    let bare = this.bare.get(plan.engine);
    if (bare === undefined) this.bare.set(plan.engine, (bare = bareOf(plan)));
    return bare;
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
  if (isChain(candidate)) return { name: candidate.name, options: NO_OPTIONS, invoke: invokeNested(candidate) };
  const plain = candidate as Exclude<CoreCandidate<T>, Chain<T>>;
  if (typeof plain === 'function') {
    return {
      name: unnamed,
      options: NO_OPTIONS,
      invoke: ({ context, call }) => plain(context, ...(call.args as unknown[])),
    };
  }
  const { name = unnamed, run: _run, ...options } = plain as CandidateOptions & { run: unknown };
  return { name, options, invoke: ({ context, call }) => plain.run(context, ...(call.args as unknown[])) };
}

function invokeNested(chain: NestedChain): Invoke {
  return ({ call, signal }) =>
    chain.nested(call.args, { signal, deadline: call.deadline.remaining() }, call.plan.engine);
}
