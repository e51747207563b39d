import type { ChainSpec, Layers } from './core/chain-spec.js';
import type { ConfigurationFault } from './core/errors.js';
import { HealthKeys } from './core/health-keys.js';
import { isChain } from './core/nested-chain.js';
import type { NestedChain } from './core/nested-chain.js';
import { show } from './core/option-rules.js';
import type { ChainOptions } from './core/option-types.js';
import type { ChainPlan } from './core/plan.js';
import { planOfCall } from './core/plan-of-call.js';
import type { Policy } from './decorators/policy.js';
import { MESSAGES } from './fallback.messages.js';
import type { StreamKind } from './streaming/faces.js';
import { currentScope } from './http/scope.js';

/** What declares a chain. @internal */
export type Origin = Policy | NestedChain;

/** One chain of an application. @internal */
export interface Entry {
  readonly plan: ChainPlan;
  readonly spec: ChainSpec;
  readonly layers: Layers;
  /** what its method gives; null for promises */
  readonly stream: StreamKind | null;
  /** the place of the caller's signal among the arguments; -1 without one */
  readonly signal: number;
  /** the verb of the route that it is, if that writes */
  readonly verb?: string | undefined;
  /** it is a route whose answers Nest does not send */
  readonly isUnsent?: boolean;
  /** Runs it for somebody who knows only its name; options hold for this call. */
  run(args: readonly unknown[] | undefined, signal: AbortSignal | undefined, options: ChainOptions): Promise<unknown>;
  /** The same as a stream, begun by the first `next()`. */
  read(
    args: readonly unknown[] | undefined,
    signal: AbortSignal | undefined,
    options: ChainOptions,
  ): AsyncGenerator<unknown, void, undefined>;
}

/** The chains of one application, by what declares them and by name. @internal */
export class ChainRegistry {
  private readonly entries = new Map<Origin, Entry>();
  /** who has a chain name, also before it is compiled */
  private readonly owners = new Map<string, { readonly origin: Origin; readonly where: string }>();

  private readonly healthKeys = new HealthKeys();
  private taken = 0;

  get(origin: Origin): Entry | undefined {
    return this.entries.get(origin);
  }

  set(origin: Origin, entry: Entry): void {
    this.entries.set(origin, entry);
  }

  /** Takes a chain's name and its health keys; a fault if another chain has them. */
  claim(spec: ChainSpec, layers: Layers, origin: Origin): ConfigurationFault[] {
    const { name, where } = spec;
    const owner = this.owners.get(name);
    if (owner === undefined) this.owners.set(name, { origin, where });
    if (owner === undefined || owner.origin === origin) return this.healthKeys.add(spec, layers);
    return [{ where, option: 'name', message: MESSAGES.sameChain(name, owner.where) }];
  }

  named(name: string): Entry | undefined {
    const owner = this.owners.get(name);
    return owner === undefined ? undefined : this.entries.get(owner.origin);
  }

  /** The chain that is meant. One of plain functions that is not registered has only itself. @throws Error if there is none */
  find(which: string | NestedChain): Entry {
    if (isChain(which)) {
      return this.entries.get(which) ?? functionsEntry(which, { plan: which.plan, spec: which.spec, layers: {} });
    }
    if (typeof which !== 'string') throw new TypeError(MESSAGES.notAChain(show(which)));
    const entry = this.named(which);
    if (entry === undefined) throw new Error(this.noSuchChain(which));
    return entry;
  }

  /** Those that came since it was last asked. */
  takeNew(): Entry[] {
    const entries = this.all().slice(this.taken);
    this.taken += entries.length;
    return entries;
  }

  /** In the order in which they were met. */
  all(): Entry[] {
    return [...this.entries.values()];
  }

  has(name: string): boolean {
    return this.owners.has(name);
  }

  noSuchChain(name: string): string {
    return MESSAGES.noSuchChain(name, [...this.owners.keys()].join(', '));
  }
}

/** Of a chain of plain functions: it has no host, and its own arguments where none are given. @internal */
export function functionsEntry(chain: NestedChain, compiled: Pick<Entry, 'plan' | 'spec' | 'layers'>): Entry {
  const { plan, spec, layers } = compiled;
  const run: Entry['run'] = async (args, signal, options) =>
    chain.runBy(planOfCall(spec, plan, layers, options), args, { signal, scope: currentScope() });
  const read: Entry['read'] = (args, signal, options) => {
    const own = planOfCall(spec, chain.asStream(plan), layers, options);
    return chain.streamBy(own, args, { signal, scope: currentScope() });
  };
  return { plan, spec, layers, stream: null, signal: -1, run, read };
}
