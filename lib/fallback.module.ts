import { Inject, Module } from '@nestjs/common';
import type { DynamicModule, OnModuleDestroy, Provider } from '@nestjs/common';
import { faultsOfShape } from './core/options.js';
import { refuse } from './core/plan-of-call.js';
import { CHAIN_HEALTH, FALLBACK_EVENTS, FALLBACK_SERVICE, FEATURE_OPTIONS, RUNTIME } from './fallback.constants.js';
import { FallbackCoreModule, FallbackFeatureModule } from './fallback.core-module.js';
import { FallbackEvents } from './fallback.events.js';
import { FallbackHome } from './fallback.home.js';
import {
  ASYNC_OPTIONS_TYPE,
  ConfigurableModuleClass,
  MODULE_OPTIONS_TOKEN,
  OPTIONS_TYPE,
} from './fallback.module-definition.js';
import type { FallbackFeatureOptions, FallbackModuleOptions } from './fallback.module-options.js';
import type { FallbackRuntime } from './fallback.runtime.js';
import { FallbackService } from './fallback.service.js';
import { ChainHealthService } from './health/chain-health.service.js';

/** A service that all imports of the module share. */
function once(type: new (runtime: FallbackRuntime) => object): Provider {
  return {
    provide: type,
    inject: [FallbackHome, RUNTIME],
    useFactory: (home: FallbackHome, runtime: FallbackRuntime) => home.once(type, runtime),
  };
}

/**
 * Brings fallback chains to an application: import it in the root module. Global by default. Imported again with the
 * same options it joins the first import; with others the application does not start.
 * @throws FallbackConfigurationError while the application initialises, with everything that is wrong
 * @example @Module({ imports: [FallbackModule.forRoot({ defaults: { timeout: '2s' } })] }) class AppModule {}
 * @publicApi
 */
@Module({
  imports: [FallbackCoreModule],
  providers: [
    {
      provide: RUNTIME,
      inject: [FallbackHome, MODULE_OPTIONS_TOKEN],
      useFactory: (home: FallbackHome, options: FallbackModuleOptions) => home.join(options),
    },
    once(ChainHealthService),
    once(FallbackService),
    once(FallbackEvents),
    { provide: CHAIN_HEALTH, useExisting: ChainHealthService },
    { provide: FALLBACK_SERVICE, useExisting: FallbackService },
    { provide: FALLBACK_EVENTS, useExisting: FallbackEvents },
  ],
  exports: [
    RUNTIME,
    ChainHealthService,
    FallbackService,
    FallbackEvents,
    CHAIN_HEALTH,
    FALLBACK_SERVICE,
    FALLBACK_EVENTS,
  ],
})
export class FallbackModule extends ConfigurableModuleClass implements OnModuleDestroy {
  constructor(@Inject(RUNTIME) private readonly runtime: FallbackRuntime) {
    super();
  }

  /** Options as they are. */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    refuse(faultsOfShape(options, 'FallbackModule.forRoot'));
    return super.forRoot(options);
  }

  /** Options from a factory, a class, or another provider. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }

  /**
   * Chains of plain functions that a feature brings to the application, like `forRoot({ chains })`.
   * @example imports: [FallbackModule.forFeature({ chains: [geocode] })]
   */
  static forFeature(options: FallbackFeatureOptions): DynamicModule {
    return { module: FallbackFeatureModule, providers: [{ provide: FEATURE_OPTIONS, useValue: options }] };
  }

  /** Calls in flight may end; then nothing is told to a shared health store any more. */
  async onModuleDestroy(): Promise<void> {
    await this.runtime.shutdown.drain();
    await this.runtime.engine.healthLink?.close();
  }
}
