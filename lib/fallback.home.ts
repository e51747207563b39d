import { Inject, Injectable, Logger } from '@nestjs/common';
import { FallbackConfigurationError } from './core/errors.js';
import type { ConfigurationFault } from './core/errors.js';
import type { NestedChain } from './core/nested-chain.js';
import { CHAIN_REPLACEMENTS } from './fallback.constants.js';
import { faultsOfFeature, faultsOfSecond } from './fallback.module-options.js';
import type { FallbackModuleOptions } from './fallback.module-options.js';
import { FallbackRuntime } from './fallback.runtime.js';
import type { Replacements } from './fallback.runtime.js';

/**
 * What there is once per application, however often FallbackModule is imported: the first `forRoot` makes the runtime,
 * every other one joins it, and `forFeature` brings chains to it. What is wrong is kept for the report of start-up;
 * modules that are loaded later hear of it at once.
 * @internal
 */
@Injectable()
export class FallbackHome {
  /** null until the first `forRoot` has its options */
  runtime: FallbackRuntime | null = null;
  private first: unknown;
  private isStarted = false;
  private readonly faults: ConfigurationFault[] = [];
  private readonly chains: NestedChain[] = [];
  private readonly services = new Map<object, object>();

  constructor(@Inject(CHAIN_REPLACEMENTS) private readonly replacements: Replacements) {}

  /** The application's runtime, for a `forRoot` with these options. */
  join(options: FallbackModuleOptions): FallbackRuntime {
    if (this.runtime !== null) {
      this.report(faultsOfSecond(this.first, options));
      return this.runtime;
    }
    this.first = options;
    this.runtime = new FallbackRuntime(options, new Logger('FallbackModule'), this.replacements);
    this.bring(this.runtime.options.chains ?? []);
    return this.runtime;
  }

  /** Takes the chains of a `forFeature`. */
  feature(options: unknown): void {
    const faults = faultsOfFeature(options);
    this.report(faults);
    if (faults.length === 0) this.bring((options as Required<FallbackModuleOptions>).chains);
  }

  /** The one instance of a service, whichever import asks for it. */
  once<T extends object>(type: new (runtime: FallbackRuntime) => T, runtime: FallbackRuntime): T {
    let service = this.services.get(type) as T | undefined;
    if (service === undefined) this.services.set(type, (service = new type(runtime)));
    return service;
  }

  /** Registers what was brought so far; gives what is wrong with it and with the imports. */
  registerAll(runtime: FallbackRuntime): ConfigurationFault[] {
    return [...this.faults.splice(0), ...this.chains.splice(0).flatMap((chain) => runtime.register(chain))];
  }

  /** Start-up is over: what comes later cannot wait for it. */
  start(): void {
    this.isStarted = true;
    this.runtime?.announce();
  }

  private bring(chains: readonly unknown[]): void {
    this.chains.push(...(chains as NestedChain[]));
    if (!this.isStarted || this.runtime === null) return;
    this.report(this.registerAll(this.runtime));
    this.runtime.announce();
  }

  private report(faults: readonly ConfigurationFault[]): void {
    if (this.isStarted && faults.length > 0) throw new FallbackConfigurationError(faults);
    this.faults.push(...faults);
  }
}
