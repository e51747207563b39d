import { Inject, Logger, Module } from '@nestjs/common';
import type { DynamicModule, MiddlewareConsumer, NestModule, OnModuleDestroy } from '@nestjs/common';
import { APP_FILTER, DiscoveryModule } from '@nestjs/core';
import { CHAIN_HEALTH, FALLBACK_SERVICE, RUNTIME } from './fallback.constants.js';
import { FallbackExplorer } from './fallback.explorer.js';
import {
  ASYNC_OPTIONS_TYPE,
  ConfigurableModuleClass,
  MODULE_OPTIONS_TOKEN,
  OPTIONS_TYPE,
} from './fallback.module-definition.js';
import type { FallbackModuleOptions } from './fallback.module-options.js';
import { FallbackRuntime } from './fallback.runtime.js';
import { FallbackService } from './fallback.service.js';
import { ChainHealthService } from './health/chain-health.service.js';
import { FallbackExceptionFilter } from './http/fallback-exception.filter.js';
import { requestScope } from './http/request-scope.js';

/**
 * Brings fallback chains to an application: import it once, in the root module. Global by default.
 * @throws FallbackConfigurationError while the application initialises, with everything that is wrong
 * @example @Module({ imports: [FallbackModule.forRoot({ defaults: { timeout: '2s' } })] }) class AppModule {}
 * @publicApi
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    {
      provide: RUNTIME,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: (options: FallbackModuleOptions) => new FallbackRuntime(options, new Logger('FallbackModule')),
    },
    ChainHealthService,
    FallbackService,
    { provide: CHAIN_HEALTH, useExisting: ChainHealthService },
    { provide: FALLBACK_SERVICE, useExisting: FallbackService },
    { provide: APP_FILTER, useClass: FallbackExceptionFilter },
    FallbackExplorer,
  ],
  exports: [RUNTIME, ChainHealthService, FallbackService, CHAIN_HEALTH, FALLBACK_SERVICE],
})
export class FallbackModule extends ConfigurableModuleClass implements NestModule, OnModuleDestroy {
  constructor(@Inject(RUNTIME) private readonly runtime: FallbackRuntime) {
    super();
  }

  /** Options as they are. */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }

  /** Options from a factory, a class, or another provider. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }

  configure(consumer: MiddlewareConsumer): void {
    const { http } = this.runtime.options;
    if (http !== false) consumer.apply(requestScope(http?.receipt ?? 'degraded')).forRoutes('{*path}');
  }

  onModuleDestroy(): Promise<void> {
    return this.runtime.shutdown.drain();
  }
}
