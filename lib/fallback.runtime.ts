import { Call } from './core/call.js';
import { isSignal } from './core/cancellation.js';
import { compileChain } from './core/compile.js';
import type { Layers } from './core/compile.js';
import { Engine } from './core/engine.js';
import { FallbackConfigurationError } from './core/errors.js';
import type { ConfigurationFault } from './core/errors.js';
import type { ChainPlan } from './core/plan.js';
import { walk } from './core/walk.js';
import { markedParameters } from './decorators/policy.js';
import type { Policy } from './decorators/policy.js';
import { faultsOfPolicy, specOf } from './fallback.compiler.js';
import type { Host } from './fallback.compiler.js';
import { MESSAGES } from './fallback.messages.js';
import { faultsOfModule, usable } from './fallback.module-options.js';
import type { FallbackModuleOptions } from './fallback.module-options.js';
import { logging } from './fallback.logger.js';
import type { Log } from './fallback.logger.js';
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
export class FallbackRuntime {
  /** recognised by this, not by class: a mocking tool may inject anything, and there may be two copies of the package */
  readonly isFallbackRuntime = true;
  readonly engine: Engine;
  private readonly values = new MemoryValueStore();
  private readonly compiled = new Map<Policy, Compiled>();
  private readonly byName = new Map<string, { readonly policy: Policy; readonly plan: ChainPlan }>();

  /** the module's options, without those that are faulty */
  readonly options: FallbackModuleOptions;
  /** what is wrong with the module's options */
  readonly faults: readonly ConfigurationFault[];

  constructor(options: FallbackModuleOptions, log: Log) {
    this.faults = faultsOfModule(options);
    this.options = usable(options, this.faults);
    const { clock, observers, logger } = this.options;
    this.engine = new Engine({
      clock,
      observers,
      log: logger === false ? undefined : logging(log),
      warn: (message, error) => log.warn(message, error),
    });
  }

  /** Runs a decorated method. */
  call(policy: Policy, host: object, args: readonly unknown[]): Promise<unknown> {
    let compiled = this.compiled.get(policy);
    if (compiled === undefined) {
      const faults = this.add(policy, late(host));
      if (faults.length > 0) return Promise.reject(new FallbackConfigurationError(faults));
      compiled = this.compiled.get(policy)!;
    }
    const { plan, signal } = compiled;
    const caller = signal < 0 ? undefined : args[signal];
    return walk(new Call(plan, host, args, isSignal(caller) ? caller : undefined, currentScope()));
  }

  /** Checks a policy on one of its hosts and compiles its chain, once; gives what is wrong. */
  add(policy: Policy, host: Host): ConfigurationFault[] {
    const spec = specOf(policy, host, this.values);
    const layers: Layers = { defaults: this.options.defaults, override: this.options.overrides?.[spec.name] };
    const faults = faultsOfPolicy(policy, host, spec, layers);
    const namesake = this.byName.get(spec.name);
    if (namesake !== undefined && namesake.policy !== policy) {
      faults.push({ where: spec.where, option: 'name', message: MESSAGES.sameChain(spec.name) });
    }
    if (faults.length > 0 || this.compiled.has(policy)) return faults;
    const plan = compileChain(spec, this.engine, layers);
    this.compiled.set(policy, { plan, signal: markedParameters(policy.target, policy.key).signal });
    this.byName.set(spec.name, { policy, plan });
    return [];
  }

  /** The chains met so far, in the order in which they were met. */
  plans(): ChainPlan[] {
    return [...this.byName.values()].map(({ plan }) => plan);
  }

  /** Overrides that name no chain: a misspelt name would leave the chain as it is. */
  unusedOverrides(): ConfigurationFault[] {
    const names = [...this.byName.keys()];
    return Object.keys(this.options.overrides ?? {})
      .filter((name) => !this.byName.has(name))
      .map((name) => ({
        where: 'FallbackModule.forRoot',
        option: `overrides.${name}`,
        message: MESSAGES.noSuchChain(name, names.join(', ')),
      }));
  }

  plan(name: string): ChainPlan | undefined {
    return this.byName.get(name)?.plan;
  }
}

/** A host that start-up did not see: all that is known of it is that it is here. */
function late(instance: object): Host {
  const prototype = Object.getPrototypeOf(instance) as object;
  return { prototype, instance, isController: false, isRequestScoped: false };
}
