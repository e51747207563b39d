import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { DiscoveryService, ModuleRef, ModulesContainer } from '@nestjs/core';
import { FallbackConfigurationError } from './core/errors.js';
import type { ConfigurationFault } from './core/errors.js';
import { isFrom } from './decorators/candidate-ref.js';
import type { Token } from './decorators/candidate-ref.js';
import { slotOf, storeToken } from './decorators/injection.js';
import { nameOf, policiesOf } from './decorators/policy.js';
import type { Policy } from './decorators/policy.js';
import { UNSEEN } from './decorators/provider-candidates.js';
import type { Host } from './fallback.compiler.js';
import { MODULE_REF, RUNTIME } from './fallback.constants.js';
import { FallbackHome } from './fallback.home.js';
import { MESSAGES } from './fallback.messages.js';
import { providerIn } from './fallback.module-scope.js';
import type { Wrapper } from './fallback.module-scope.js';
import type { FallbackRuntime } from './fallback.runtime.js';

/**
 * Start-up: finds every decorated class of the application, compiles its chains, and reports all that is wrong at
 * once, before anything listens. Instances that Nest did not build itself (`useFactory`, `useValue`) are adopted.
 * @internal
 */
@Injectable()
export class FallbackExplorer implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly modules: ModulesContainer,
    private readonly moduleRef: ModuleRef,
    private readonly home: FallbackHome,
  ) {}

  /** Waits, within `storeTimeout`, for what the fleet knows: a process that has just started asks no candidate that is down. */
  onModuleInit(): Promise<void> | undefined {
    if (this.home.runtime === null) {
      throw new FallbackConfigurationError([{ where: 'FallbackModule.forFeature', message: MESSAGES.moduleMissing }]);
    }
    const faults = [
      ...this.runtime.faults,
      ...this.discovery.getControllers().flatMap((wrapper) => this.explore(wrapper, true)),
      ...this.discovery.getProviders().flatMap((wrapper) => this.explore(wrapper, false)),
      ...this.enhancers().flatMap((wrapper) => this.explore(wrapper, false)),
      ...this.home.registerAll(this.runtime),
      ...this.runtime.faultsOfAll(),
    ];
    const distinct = new Map(faults.map((fault) => [JSON.stringify(fault), fault]));
    if (distinct.size > 0) {
      // Nest does not destroy what it could not start, and a shared store may listen already.
      void this.runtime.engine.healthLink?.close();
      throw new FallbackConfigurationError([...distinct.values()]);
    }
    this.home.start();
    return this.runtime.engine.healthLink?.met();
  }

  private get runtime(): FallbackRuntime {
    return this.home.runtime!;
  }

  /** Guards, interceptors, pipes and filters that are named on a class or method: no module lists them as providers. */
  private enhancers(): Wrapper[] {
    return [...this.modules.values()].flatMap(({ injectables }) => [...injectables.values()]);
  }

  private explore(wrapper: Wrapper, isController: boolean): ConfigurationFault[] {
    if (isPassedOn(wrapper)) return []; // explored where it lives
    const prototype = prototypeOf(wrapper);
    const policies = prototype === undefined ? [] : policiesOf(prototype);
    if (policies.length === 0) {
      this.warnOfFactory(wrapper);
      return [];
    }
    const isRequestScoped = !wrapper.isDependencyTreeStatic();
    const instance = isRequestScoped || wrapper.isTransient ? undefined : (wrapper.instance as object);
    const isAdopted = instance !== undefined && !this.isInjected(instance);
    if (isAdopted) this.adopt(instance, policies, wrapper);
    else if (!isBuiltByNest(wrapper)) return []; // another name of a provider that is explored where it lives
    const host: Host = {
      prototype: prototype!,
      ...(instance !== undefined && { instance }),
      isController,
      isRequestScoped,
      providerOf: (token) => (isAdopted ? madeInstance : seen)(providerIn(wrapper.host, token)),
    };
    return policies.flatMap((policy) => this.runtime.add(policy, host));
  }

  /** A factory that makes an instance per request or per host makes it out of sight: nothing can be injected into it. */
  private warnOfFactory(wrapper: Wrapper): void {
    const { token } = wrapper;
    const isMadeOnce = wrapper.isDependencyTreeStatic() && !wrapper.isTransient;
    if (isMadeOnce || isBuiltByNest(wrapper) || typeof token !== 'function') return;
    const decorated = policiesOf(token.prototype as object).map(({ target, key }) => nameOf(target, key));
    if (decorated.length > 0) this.runtime.warn(MESSAGES.madeOutOfSight(decorated.join(', ')));
  }

  /** Whether an instance holds this application's runtime; it may still hold that of an earlier one. */
  private isInjected(instance: object): boolean {
    return (instance as Record<symbol, unknown>)[RUNTIME] === this.runtime;
  }

  /** Gives an instance that Nest did not build what Nest would have injected. */
  private adopt(instance: object, policies: readonly Policy[], wrapper: Wrapper): void {
    const slots = instance as Record<symbol, unknown>;
    slots[RUNTIME] = this.runtime;
    slots[MODULE_REF] = this.moduleRef;
    for (const { target, ladders, degraded } of policies) {
      for (const token of degraded.map(storeToken)) {
        if (token !== undefined) slots[slotOf(target, token)] = madeInstance(providerIn(wrapper.host, token));
      }
      for (const ref of ladders.flatMap(({ candidates }) => candidates)) {
        if (isFrom(ref)) slots[slotOf(target, ref.provider)] = madeInstance(providerIn(wrapper.host, ref.provider));
      }
    }
  }
}

/** Another name of a provider: `useExisting`, or a factory that gives on what it is given. */
function isPassedOn({ isAlias, instance, inject, host }: Wrapper): boolean {
  if (isAlias) return true;
  if (typeof instance !== 'object' || instance === null) return false;
  return (inject ?? []).some((token) => providerIn(host, tokenOf(token))?.instance === instance);
}

function tokenOf(dependency: NonNullable<Wrapper['inject']>[number]): Token<unknown> {
  return (typeof dependency === 'object' && 'token' in dependency ? dependency.token : dependency) as Token<unknown>;
}

/** One that is made anew for each request or host is none that could be handed over. */
function madeInstance(wrapper: Wrapper | undefined): object | undefined {
  if (wrapper === undefined || wrapper.isTransient || !wrapper.isDependencyTreeStatic()) return undefined;
  return (wrapper.instance as object | null) ?? undefined;
}

/** What shows a provider's methods: its instance; for one that is made later, what Nest keeps in its place. */
function seen(wrapper: Wrapper | undefined): object | undefined {
  if (wrapper === undefined) return undefined;
  const { metatype, instance } = wrapper;
  if (typeof instance === 'object' && instance !== null) return instance as object;
  return isBuiltByNest(wrapper) ? (metatype!.prototype as object) : UNSEEN;
}

function isBuiltByNest({ metatype, inject, isNotMetatype }: Wrapper): boolean {
  return typeof metatype === 'function' && !isNotMetatype && !Array.isArray(inject);
}

/** The prototype of a provider's class, without touching what it holds. */
function prototypeOf(wrapper: Wrapper): object | undefined {
  if (isBuiltByNest(wrapper)) return wrapper.metatype!.prototype as object | undefined;
  const instance: unknown = wrapper.instance;
  if (typeof instance !== 'object' || instance === null) return undefined;
  return (Object.getPrototypeOf(instance) as object | null) ?? undefined;
}
