/** The engine for plain functions: the same plan and the same walk, without Nest. */
import { Call, NO_INPUTS } from './call.js';
import type { CallInputs } from './call.js';
import { healthOf, resetHealth } from './candidate-health.js';
import type { ChainSpec, Layers } from './chain-spec.js';
import { barePlan } from './bare-plan.js';
import { compileChain } from './compile.js';
import { isEnabled } from './enabled.js';
import { Engine } from './engine.js';
import { specOf } from './function-candidates.js';
import { faultsOfCandidates, faultsOfInputs, faultsOfRun } from './function-chain-faults.js';
import { faultsOfLoneChain } from './health-keys.js';
import { faultsOfStreamHedge } from './hedge/hedge-faults.js';
import { CHAIN } from './nested-chain.js';
import type { NestedChain } from './nested-chain.js';
import { faultsOfShape } from './options.js';
import type { ChainPlan } from './plan.js';
import { planOfCall, refuse } from './plan-of-call.js';
import type {
  AnyCandidate,
  Chain,
  ChainOptions,
  CoreCandidate,
  CoreOptions,
  CoreStreamCandidate,
} from './option-types.js';
import { run } from './run.js';
import { StreamIterator } from './stream/iterator.js';
import { StreamCall } from './stream/stream-call.js';
import type { CandidateHealth } from './types.js';

const NO_ARGS: readonly unknown[] = [];

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
 * Streams from the first candidate that commits: its first element decides, and after it nothing is spliced. Nothing runs
 * before the first `next()`. Keeps no memory between calls; see `createFallbackChain` for health.
 * @throws FallbackConfigurationError at once if an option cannot work
 * @example for await (const token of fallbackStream([claude, gpt], { timeout: '2s' })) socket.write(token)
 * @publicApi
 */
export function fallbackStream<T>(
  candidates: readonly CoreStreamCandidate<T>[],
  options: CoreOptions<T> = {},
): AsyncGenerator<T, void, undefined> {
  return new FunctionChain<T>(candidates, options).stream();
}

/**
 * A chain of functions that remembers its candidates' health. Candidates get the attempt's context first, then `args`.
 * @throws FallbackConfigurationError at once if an option cannot work
 * @example const geocode = createFallbackChain([osm, archive], { timeout: '2s' }); await geocode.run({ args: ['Bern'] })
 * @publicApi
 */
export function createFallbackChain<T>(candidates: readonly AnyCandidate<T>[], options: CoreOptions<T> = {}): Chain<T> {
  return new FunctionChain(candidates, options);
}

class FunctionChain<T> implements Chain<T>, NestedChain {
  readonly name: string;
  readonly spec: ChainSpec;
  readonly plan: ChainPlan;
  /** by the engines of the applications that have registered the chain; null while none has */
  private registered: WeakMap<Engine, { readonly plan: ChainPlan; readonly layers: Layers }> | null = null;
  /** the same plans for streams, made when they are first asked for */
  private streams: WeakMap<ChainPlan, ChainPlan> | null = null;

  constructor(
    candidates: readonly AnyCandidate<T>[],
    private readonly options: CoreOptions<T>,
  ) {
    refuse(faultsOfShape(options, 'chain'));
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
    return this.runWith(...this.ofCall(this.plan, overrides));
  }

  stream(overrides: Partial<CoreOptions<T>> = {}): AsyncGenerator<T, void, undefined> {
    const [plan, { args = NO_ARGS, signal, onAttempt }] = this.ofCall(this.asStream(this.plan), overrides);
    const inputs = { signal, onAttempt: onAttempt as CallInputs['onAttempt'] };
    return this.streamCall(plan, args, inputs) as AsyncGenerator<T, void, undefined>;
  }

  /** A plan and what it is given, with options that hold for one call. */
  private ofCall(plan: ChainPlan, overrides: Partial<CoreOptions<T>>): [ChainPlan, CallOptions<T>] {
    const { options } = this;
    refuse(faultsOfRun(this.name, overrides, options.clock));
    const { args = options.args, signal = options.signal, onAttempt = options.onAttempt } = overrides;
    const walked = isOfCall(overrides) ? plan : planOfCall(this.spec, plan, {}, chainOptions(overrides));
    return [walked, { args, signal, onAttempt }];
  }

  private runWith(plan: ChainPlan, { args = NO_ARGS, signal, onAttempt }: CallOptions<T>): Promise<T> {
    const isPlain = signal === undefined && onAttempt === undefined;
    const inputs = isPlain ? NO_INPUTS : { signal, onAttempt: onAttempt as CallInputs['onAttempt'] };
    return this.call(plan, args, inputs) as Promise<T>;
  }

  register(plan: ChainPlan, layers: Layers): void {
    this.registered ??= new WeakMap();
    this.registered.set(plan.engine, { plan, layers });
  }

  nested(args: readonly unknown[], inputs: CallInputs, engine: Engine): Promise<unknown> {
    return this.runBy(this.registered?.get(engine)?.plan ?? this.plan, args, inputs);
  }

  nestedStream(args: readonly unknown[], inputs: CallInputs, engine: Engine): AsyncGenerator<unknown, void, undefined> {
    return this.streamBy(this.asStream(this.registered?.get(engine)?.plan ?? this.plan), args, inputs);
  }

  runBy(plan: ChainPlan, args: readonly unknown[] | undefined, inputs: CallInputs): Promise<unknown> {
    return this.call(plan, args ?? this.options.args ?? NO_ARGS, this.withOwn(inputs));
  }

  streamBy(
    plan: ChainPlan,
    args: readonly unknown[] | undefined,
    inputs: CallInputs,
  ): AsyncGenerator<unknown, void, undefined> {
    return this.streamCall(plan, args ?? this.options.args ?? NO_ARGS, this.withOwn(inputs));
  }

  private withOwn({ signal, deadline, scope }: CallInputs): CallInputs {
    const { signal: ownSignal } = this.options;
    const onAttempt = this.options.onAttempt as CallInputs['onAttempt'];
    return { signal, ownSignal, deadline, scope, onAttempt };
  }

  health(): readonly CandidateHealth[] {
    return healthOf(this.plan);
  }

  reset(): void {
    resetHealth(this.plan);
  }

  private call(plan: ChainPlan, args: readonly unknown[], inputs: CallInputs): Promise<unknown> {
    return run(new Call(switchable(plan), undefined, args, inputs));
  }

  private streamCall(
    plan: ChainPlan,
    args: readonly unknown[],
    inputs: CallInputs,
  ): AsyncGenerator<unknown, void, undefined> {
    return new StreamIterator((consumer) => new StreamCall(switchable(plan), undefined, args, inputs, consumer));
  }

  asStream(plan: ChainPlan): ChainPlan {
    this.streams ??= new WeakMap();
    let stream = this.streams.get(plan);
    if (stream === undefined) {
      const layers = this.registered?.get(plan.engine)?.layers ?? {};
      refuse(faultsOfStreamHedge(this.spec, layers));
      stream = compileChain(this.spec, plan.engine, layers, plan, 'async-iterable');
      this.streams.set(plan, stream);
    }
    return stream;
  }
}
Object.defineProperty(FunctionChain.prototype, CHAIN, { value: true });

function switchable(plan: ChainPlan): ChainPlan {
  return isEnabled(plan, undefined, plan.enabled) ? plan : barePlan(plan);
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
