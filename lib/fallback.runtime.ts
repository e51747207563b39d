import { Call, NO_INPUTS } from './core/call.js';
import type { CallInputs } from './core/call.js';
import { isSignal } from './core/cancellation.js';
import { compileChain } from './core/compile.js';
import type { ChainSpec, Layers } from './core/chain-spec.js';
import { describeChain } from './core/describe.js';
import type { ChainDescription } from './core/description.js';
import { isEnabled } from './core/enabled.js';
import { Engine } from './core/engine.js';
import { FallbackConfigurationError } from './core/errors.js';
import type { ConfigurationFault } from './core/errors.js';
import { HealthKeys } from './core/health-keys.js';
import type { ChainPlan } from './core/plan.js';
import { walk } from './core/walk.js';
import { slotOf } from './decorators/injection.js';
import { markedParameters, nameOf } from './decorators/policy.js';
import type { Policy } from './decorators/policy.js';
import type { Runtime } from './decorators/runtime-of.js';
import { CandidateGraph } from './fallback.cycles.js';
import { faultsOfPolicy, specOf } from './fallback.compiler.js';
import type { Host } from './fallback.compiler.js';
import { MESSAGES } from './fallback.messages.js';
import { faultsOfModule, usable } from './fallback.module-options.js';
import type { FallbackModuleOptions } from './fallback.module-options.js';
import { kindOf, logging } from './fallback.logger.js';
import type { Log } from './fallback.logger.js';
import { currentScope } from './http/scope.js';
import { MemoryValueStore } from './stores/memory-value-store.js';

interface Compiled {
  readonly plan: ChainPlan;
  readonly spec: ChainSpec;
  readonly layers: Layers;
  /** the place of the caller's signal among the arguments; -1 without one */
  readonly signal: number;
}

/**
 * One application's chains. Every decorated instance that Nest builds holds the runtime of its application; a chain is
 * compiled once, at start-up or, for classes that Nest meets later, at its first call.
 * @internal
 */
export class FallbackRuntime implements Runtime {
  readonly isFallbackRuntime = true;
  readonly engine: Engine;
  private readonly values = new MemoryValueStore();
  private readonly compiled = new Map<Policy, Compiled>();
  private readonly graph = new CandidateGraph();
  private readonly healthKeys = new HealthKeys();
  /** which policy has a chain name, also before it is compiled */
  private readonly owners = new Map<string, Policy>();

  /** the module's options, without those that are faulty */
  readonly options: FallbackModuleOptions;
  /** what is wrong with the module's options */
  readonly faults: readonly ConfigurationFault[];

  constructor(
    options: FallbackModuleOptions,
    private readonly log: Log,
  ) {
    this.faults = faultsOfModule(options);
    this.options = usable(options, this.faults);
    const { clock, observers, logger } = this.options;
    this.engine = new Engine({
      clock,
      observers,
      log: logger === false ? undefined : logging(log),
      // Not what it says: an error may quote a provider or a client.
      warn: (message, error) => log.warn(`${message} (${kindOf(error)})`),
      isWatching: true,
    });
  }

  /** Runs a decorated method. */
  call(policy: Policy, host: object, args: readonly unknown[], outer?: CallInputs): Promise<unknown> {
    let compiled = this.compiled.get(policy);
    if (compiled === undefined) {
      const faults = this.add(policy, late(policy, host));
      if (faults.length > 0) return Promise.reject(new FallbackConfigurationError(faults));
      compiled = this.compiled.get(policy)!;
    }
    const { plan, signal: place } = compiled;
    if (!isEnabled(plan, host, plan.enabled)) {
      return Promise.resolve(policy.original.apply(host, args as unknown[]));
    }
    const caller = place < 0 ? undefined : args[place];
    const signal = isSignal(caller) ? caller : undefined;
    const scope = currentScope();
    const isPlain = signal === undefined && scope === undefined && outer === undefined;
    return walk(new Call(plan, host, args, isPlain ? NO_INPUTS : { signal, ...outer, scope }));
  }

  /** Checks a policy on one of its hosts and compiles its chain, once; gives what is wrong. */
  add(policy: Policy, host: Host): ConfigurationFault[] {
    const spec = specOf(policy, host, this.values);
    this.graph.add(policy, host);
    const layers: Layers = { defaults: this.options.defaults, override: ownOf(this.options.overrides, spec.name) };
    const faults = faultsOfPolicy(policy, host, spec, layers);
    const owner = this.owners.get(spec.name) ?? policy;
    this.owners.set(spec.name, owner);
    if (owner !== policy) {
      const other = nameOf(owner.target, owner.key);
      faults.push({ where: spec.where, option: 'name', message: MESSAGES.sameChain(spec.name, other) });
    } else faults.push(...this.healthKeys.add(spec, layers));
    if (faults.length > 0 || this.compiled.has(policy)) return faults;
    const plan = compileChain(spec, this.engine, layers);
    this.compiled.set(policy, { plan, spec, layers, signal: markedParameters(policy.target, policy.key).signal });
    return [];
  }

  warn(message: string): void {
    this.log.warn(message);
  }

  /** The chains met so far, in the order in which they were met. */
  plans(): ChainPlan[] {
    return [...this.compiled.values()].map(({ plan }) => plan);
  }

  plan(name: string): ChainPlan | undefined {
    const owner = this.owners.get(name);
    return owner === undefined ? undefined : this.compiled.get(owner)?.plan;
  }

  /** What the chain of this name does, and who said so. */
  describe(name: string): ChainDescription | undefined {
    const owner = this.owners.get(name);
    const compiled = owner === undefined ? undefined : this.compiled.get(owner);
    return compiled === undefined ? undefined : describeChain(compiled.plan, compiled.spec, compiled.layers);
  }

  /** What is wrong between chains, once all are known. */
  faultsOfAll(): ConfigurationFault[] {
    return [...this.graph.faults(), ...this.unusedOverrides()];
  }

  /** Overrides that name no chain: a misspelt name would leave the chain as it is. */
  private unusedOverrides(): ConfigurationFault[] {
    const message = (name: string): string => MESSAGES.noSuchChain(name, [...this.owners.keys()].join(', '));
    return Object.keys(this.options.overrides ?? {})
      .filter((name) => !this.owners.has(name))
      .map((name) => ({ where: 'FallbackModule.forRoot', option: `overrides.${name}`, message: message(name) }));
  }
}

/** Not what every object inherits: a chain may be called `constructor`. */
function ownOf<T>(record: Record<string, T> = {}, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** A host that start-up did not see: all that is known of it is that it is here, with what Nest has injected. */
function late(policy: Policy, instance: object): Host {
  const prototype = Object.getPrototypeOf(instance) as object;
  const slots = instance as Record<symbol, object | undefined>;
  const providerOf: Host['providerOf'] = (token) => slots[slotOf(policy.target, token)];
  return { prototype, instance, isController: false, isRequestScoped: false, providerOf };
}
