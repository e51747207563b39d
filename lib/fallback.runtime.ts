import { Call, NO_INPUTS } from './core/call.js';
import type { CallInputs } from './core/call.js';
import { faultsOfChain } from './core/chain-faults.js';
import { compileChain } from './core/compile.js';
import type { ChainSpec, Layers } from './core/chain-spec.js';
import { describeChain } from './core/describe.js';
import type { ChainDescription } from './core/description.js';
import { parseDuration } from './core/duration.js';
import { isEnabled } from './core/enabled.js';
import { Engine } from './core/engine.js';
import { FallbackConfigurationError } from './core/errors.js';
import type { ConfigurationFault } from './core/errors.js';
import { InFlight } from './core/in-flight.js';
import type { NestedChain } from './core/nested-chain.js';
import type { ChainOptions } from './core/option-types.js';
import type { ChainPlan } from './core/plan.js';
import { planOfCall } from './core/plan-of-call.js';
import { run } from './core/run.js';
import { start } from './core/start.js';
import { StreamIterator } from './core/stream/iterator.js';
import { slotOf } from './decorators/injection.js';
import { markedParameters } from './decorators/policy.js';
import type { Policy } from './decorators/policy.js';
import type { Runtime } from './decorators/runtime-of.js';
import { ladderOf, mayBeClaimed, opener, signalIn } from './fallback.calls.js';
import { CandidateGraph } from './fallback.cycles.js';
import { mapLine, warningsOf } from './fallback.boot-log.js';
import { faultsOfPolicy, isUnsent, kindOf, specOf, verbOf } from './fallback.compiler.js';
import type { Host } from './fallback.compiler.js';
import { faultsOfModule, usable } from './fallback.module-options.js';
import type { FallbackModuleOptions } from './fallback.module-options.js';
import { ChainRegistry, functionsEntry } from './fallback.registry.js';
import type { Entry } from './fallback.registry.js';
import { MESSAGES } from './fallback.messages.js';
import { NamedHosts } from './fallback.named-hosts.js';
import { kindOf as kindOfError, logging } from './fallback.logger.js';
import type { Log } from './fallback.logger.js';
import { Shutdown } from './fallback.shutdown.js';
import { currentFrame } from './http/scope.js';
import { faceOf, refusedFace } from './streaming/faces.js';
import { streamKindOf } from './fallback.stream-kind.js';
import { subscribe } from './streaming/subscribe.js';
import { Shelves } from './stores/shelves.js';

/** How long a store may take, ms. */
const STORE_TIMEOUT = 250;

/** What tests put in the place of chains, by name. @internal */
export type Replacements = ReadonlyMap<string, (spec: ChainSpec) => ChainSpec>;

/**
 * One application's chains. Every decorated instance that Nest builds holds the runtime of its application; a chain is
 * compiled once, at start-up or, for classes that Nest meets later, at its first call.
 * @internal
 */
export class FallbackRuntime implements Runtime {
  readonly isFallbackRuntime = true;
  readonly engine: Engine;
  readonly shutdown: Shutdown;
  private readonly shelves: Shelves;
  private readonly chains = new ChainRegistry();
  private readonly hosts = new NamedHosts();
  private readonly graph = new CandidateGraph();

  /** the module's options, without those that are faulty */
  readonly options: FallbackModuleOptions;
  /** what is wrong with the module's options */
  readonly faults: readonly ConfigurationFault[];

  constructor(
    options: FallbackModuleOptions,
    private readonly log: Log,
    private readonly replacements: Replacements = new Map(),
  ) {
    this.faults = faultsOfModule(options);
    this.options = usable(options, this.faults);
    const { clock, observers, logger, drain, valueStore, healthStore } = this.options;
    const storeTimeout = parseDuration(this.options.storeTimeout) ?? STORE_TIMEOUT;
    const inFlight = new InFlight();
    this.engine = new Engine({
      clock,
      observers,
      inFlight,
      log: logger === false ? undefined : logging(log),
      // Not what it says: an error may quote a provider or a client.
      warn: (message, error) => log.warn(`${message} (${kindOfError(error)})`),
      isWatching: true,
      subscribe,
      sharedHealth: healthStore && { store: healthStore, timeout: storeTimeout },
    });
    this.shelves = new Shelves(this.engine, storeTimeout, valueStore);
    this.shutdown = new Shutdown(this.engine, inFlight, drain);
  }

  /** Runs a decorated method; `options` hold for this call. */
  call(policy: Policy, host: object, args: readonly unknown[], outer?: CallInputs, options?: ChainOptions): unknown {
    const entry = this.chains.get(policy) ?? this.compileLate(policy, host);
    if (entry instanceof FallbackConfigurationError) {
      return refusedFace(streamKindOf(policy, Object.getPrototypeOf(host) as object, {}), entry);
    }
    const frame = currentFrame();
    // An interceptor claims the call that Nest makes, and none by name or as a candidate.
    const claim = outer === undefined && options === undefined ? frame?.claimOn(policy) : undefined;
    if (claim != null && mayBeClaimed(entry, host)) return claim.take(ladderOf(entry, host, args));
    if (entry.stream !== null) return faceOf(entry.stream, opener(entry, entry.plan, host, args, outer));
    const plan = options === undefined ? entry.plan : planOfCall(entry.spec, entry.plan, entry.layers, options);
    if (!isEnabled(plan, host, plan.enabled)) {
      return Promise.resolve(policy.original.apply(host, args as unknown[]));
    }
    const signal = signalIn(args, entry);
    const scope = frame?.open;
    const isPlain = signal === undefined && scope === undefined && outer === undefined;
    const call = new Call(plan, host, args, isPlain ? NO_INPUTS : { signal, ...outer, scope });
    return isPlain && plan.isPlain ? start(call) : run(call);
  }

  /** Takes a policy with one of its hosts, whose instance then answers to the chain's name; gives what is wrong. */
  add(policy: Policy, host: Host): ConfigurationFault[] {
    this.hosts.add(policy, host);
    return this.compile(policy, host);
  }

  /** Takes a chain of plain functions: inside this application it runs as one of its own; gives what is wrong. */
  register(chain: NestedChain): ConfigurationFault[] {
    if (this.chains.get(chain) !== undefined) return [];
    const spec = this.replaced(chain.spec);
    const layers = this.layersOf(spec);
    const faults = [...faultsOfChain(spec, layers), ...this.chains.claim(spec, layers, chain)];
    if (faults.length > 0) return faults;
    const plan = compileChain(spec, this.engine, layers);
    chain.register(plan, layers);
    this.chains.set(chain, functionsEntry(chain, { plan, spec, layers }));
    return [];
  }

  /** The chain that is meant. @throws Error if there is none */
  find(which: string | NestedChain): Entry {
    return this.chains.find(which);
  }

  /** Writes a line for every chain that is new, and what may surprise its users. */
  announce(): void {
    const entries = this.chains.takeNew();
    if (this.options.logger === false) return;
    // Through the engine: a logger that fails must not stop the application.
    for (const entry of entries) this.engine.listen(() => this.log.log(mapLine(entry)));
    for (const warning of entries.flatMap(warningsOf)) this.engine.listen(() => this.log.warn(warning));
  }

  warn(message: string): void {
    this.log.warn(message);
  }

  /** The chains met so far, in the order in which they were met. */
  plans(): ChainPlan[] {
    return this.chains.all().map(({ plan }) => plan);
  }

  plan(name: string): ChainPlan | undefined {
    return this.chains.named(name)?.plan;
  }

  /** What the chain of this name does, and who said so. */
  describe(name: string): ChainDescription | undefined {
    const entry = this.chains.named(name);
    return entry === undefined ? undefined : describeChain(entry.plan, entry.spec, entry.layers);
  }

  /** What is wrong between chains, once all are known. */
  faultsOfAll(): ConfigurationFault[] {
    return [...this.graph.faults(), ...this.unusedOverrides()];
  }

  /** A chain of a class that start-up did not see. */
  private compileLate(policy: Policy, host: object): Entry | FallbackConfigurationError {
    const faults = this.compile(policy, late(policy, host));
    if (faults.length > 0) return new FallbackConfigurationError(faults);
    this.announce();
    return this.chains.get(policy)!;
  }

  /** Checks a policy on one of its hosts and compiles its chain, once. */
  private compile(policy: Policy, host: Host): ConfigurationFault[] {
    const spec = this.replaced(specOf(policy, host, this.shelves));
    this.graph.add(policy, host);
    const layers = this.layersOf(spec);
    const faults = [...faultsOfPolicy(policy, host, spec, layers), ...this.chains.claim(spec, layers, policy)];
    if (faults.length > 0 || this.chains.get(policy) !== undefined) return faults;
    const { signal } = markedParameters(policy.target, policy.key);
    const stream = kindOf(policy, host, spec, layers);
    const kind = stream === 'events' || stream === 'body' ? 'observable' : stream;
    const plan = compileChain(spec, this.engine, layers, undefined, kind);
    const runByName: Entry['run'] = async (args = [], ownSignal, options) => {
      if (stream !== null) throw new TypeError(MESSAGES.isAStream(spec.name));
      return this.call(policy, this.hosts.pick(policy), args, ownSignal && { ownSignal }, options);
    };
    const read: Entry['read'] = (args = [], ownSignal, options) => {
      if (stream === null) throw new TypeError(MESSAGES.notAStream(spec.name));
      const own = planOfCall(spec, plan, layers, options);
      return new StreamIterator(opener(entry, own, this.hosts.pick(policy), args, ownSignal && { ownSignal }));
    };
    const route = { verb: verbOf(policy, host), isUnsent: isUnsent(policy, host) };
    const entry: Entry = { plan, spec, layers, stream, signal, ...route, run: runByName, read };
    this.chains.set(policy, entry);
    return [];
  }

  private layersOf({ name }: ChainSpec): Layers {
    return { defaults: this.options.defaults, override: ownOf(this.options.overrides, name) };
  }

  private replaced(spec: ChainSpec): ChainSpec {
    return this.replacements.get(spec.name)?.(spec) ?? spec;
  }

  /** Overrides and replacements that name no chain: a misspelt name would leave the chain as it is. */
  private unusedOverrides(): ConfigurationFault[] {
    const unused = (option: string, names: Iterable<string>): ConfigurationFault[] =>
      [...names]
        .filter((name) => !this.chains.has(name))
        .map((name) => ({
          where: 'FallbackModule.forRoot',
          option: `${option}.${name}`,
          message: this.chains.noSuchChain(name),
        }));
    return [
      ...unused('overrides', Object.keys(this.options.overrides ?? {})),
      ...unused('replacements', this.replacements.keys()),
    ];
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
