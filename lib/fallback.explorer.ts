import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { DiscoveryService, ModuleRef } from '@nestjs/core';
import { FallbackConfigurationError } from './core/errors.js';
import type { ConfigurationFault } from './core/errors.js';
import { isFrom } from './decorators/candidate-ref.js';
import { isThunk, slotOf } from './decorators/injection.js';
import { policiesOf } from './decorators/policy.js';
import type { Policy } from './decorators/policy.js';
import type { Host } from './fallback.compiler.js';
import { MODULE_REF, RUNTIME } from './fallback.constants.js';
import { FallbackRuntime } from './fallback.runtime.js';

type Wrapper = ReturnType<DiscoveryService['getProviders']>[number];
type Slots = Record<symbol, unknown>;

/**
 * Start-up: finds every decorated class of the application, compiles its chains, and reports all that is wrong at
 * once, before anything listens. Instances that Nest did not build itself (`useFactory`, `useValue`) are adopted.
 * @internal
 */
@Injectable()
export class FallbackExplorer implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly moduleRef: ModuleRef,
    @Inject(RUNTIME) private readonly runtime: FallbackRuntime,
  ) {}

  onModuleInit(): void {
    const faults = [
      ...this.runtime.faults,
      ...this.discovery.getControllers().flatMap((wrapper) => this.explore(wrapper, true)),
      ...this.discovery.getProviders().flatMap((wrapper) => this.explore(wrapper, false)),
    ];
    const distinct = new Map(faults.map((fault) => [JSON.stringify(fault), fault]));
    const all = [...distinct.values(), ...(distinct.size === 0 ? this.runtime.unusedOverrides() : [])];
    if (all.length > 0) throw new FallbackConfigurationError(all);
  }

  private explore(wrapper: Wrapper, isController: boolean): ConfigurationFault[] {
    const prototype = prototypeOf(wrapper);
    if (prototype === undefined) return [];
    const policies = policiesOf(prototype);
    if (policies.length === 0) return [];
    const isRequestScoped = !wrapper.isDependencyTreeStatic();
    const instance = isRequestScoped || wrapper.isTransient ? undefined : (wrapper.instance as object);
    const host: Host = { prototype, ...(instance !== undefined && { instance }), isController, isRequestScoped };
    if (instance !== undefined) for (const policy of policies) this.adopt(instance, policy, wrapper);
    return policies.flatMap((policy) => this.runtime.add(policy, host));
  }

  /** Gives an instance that Nest did not build what Nest would have injected. */
  private adopt(instance: object, { target, ladders }: Policy, wrapper: Wrapper): void {
    const slots = instance as Slots;
    if (slots[RUNTIME] === undefined) slots[RUNTIME] = this.runtime;
    if (slots[MODULE_REF] === undefined) slots[MODULE_REF] = this.moduleRef;
    for (const ref of ladders.flatMap(({ candidates }) => candidates)) {
      if (!isFrom(ref)) continue;
      const slot = slotOf(target, ref.provider);
      slots[slot] ??= this.find(isThunk(ref.provider) ? ref.provider() : ref.provider, wrapper);
    }
  }

  /** The provider as the host's own module has it; failing that, as any module has it. */
  private find(token: Parameters<ModuleRef['get']>[0], wrapper: Wrapper): unknown {
    const own: unknown = wrapper.host?.providers.get(token as never)?.instance;
    if (own !== undefined && own !== null) return own;
    try {
      return this.moduleRef.get(token, { strict: false });
    } catch {
      return undefined;
    }
  }
}

/** The prototype of a provider's class, without touching what it holds. */
function prototypeOf(wrapper: Wrapper): object | undefined {
  const { metatype, inject } = wrapper;
  if (typeof metatype === 'function' && !wrapper.isNotMetatype && !Array.isArray(inject)) {
    return metatype.prototype as object | undefined;
  }
  const instance: unknown = wrapper.instance;
  return typeof instance === 'object' && instance !== null
    ? ((Object.getPrototypeOf(instance) as object | null) ?? undefined)
    : undefined;
}
