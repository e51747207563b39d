import { Call, NO_INPUTS } from './core/call.js';
import type { CallInputs } from './core/call.js';
import { isSignal } from './core/cancellation.js';
import { compileChain } from './core/compile.js';
import type { Layers } from './core/chain-spec.js';
import { isEnabled } from './core/enabled.js';
import { Engine } from './core/engine.js';
import { FallbackConfigurationError, ShuttingDownError } from './core/errors.js';
import type { ConfigurationFault } from './core/errors.js';
import { InFlight } from './core/in-flight.js';
import type { ChainPlan } from './core/plan.js';
import { start } from './core/start.js';
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
import { logging } from './fallback.logger.js';
import type { Log } from './fallback.logger.js';
import { Shutdown } from './fallback.shutdown.js';
import { currentScope } from './http/scope.js';
import { MemoryValueStore } from './stores/memory-value-store.js';

interface Compiled {
  readonly plan: ChainPlan;
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
  readonly shutdown: Shutdown;
  private readonly values = new MemoryValueStore();
  private readonly compiled = new Map<Policy, Compiled>();
  private readonly graph = new CandidateGraph();
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
    const { clock, observers, logger, drain } = this.options;
    const inFlight = new InFlight();
    this.engine = new Engine({
      clock,
      observers,
      inFlight,
      log: logger === false ? undefined : logging(log),
      warn: (message, error) => log.warn(message, error),
    });
    this.shutdown = new Shutdown(this.engine, inFlight, drain);
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
    const call = new Call(plan, host, args, isPlain ? NO_INPUTS : { signal, ...outer, scope });
    if (this.shutdown.hasBegun && !this.shutdown.admits(outer !== undefined)) {
      call.cancel(new ShuttingDownError());
      return walk(call);
    }
    return isPlain && plan.isPlain ? start(call) : walk(call);
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
    }
    if (faults.length > 0 || this.compiled.has(policy)) return faults;
    const plan = compileChain(spec, this.engine, layers);
    this.compiled.set(policy, { plan, signal: markedParameters(policy.target, policy.key).signal });
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
