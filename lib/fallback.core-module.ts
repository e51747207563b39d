import { Global, Inject, Module } from '@nestjs/common';
import type { MiddlewareConsumer, NestModule } from '@nestjs/common';
import { APP_FILTER, DiscoveryModule, ModulesContainer } from '@nestjs/core';
import { CHAIN_REPLACEMENTS, FEATURE_OPTIONS } from './fallback.constants.js';
import { FallbackExplorer } from './fallback.explorer.js';
import { FallbackHome } from './fallback.home.js';
import { FallbackExceptionFilter } from './http/fallback-exception.filter.js';
import { requestScope } from './http/request-scope.js';
import { guardGateways } from './transports/gateways.js';
import { GraphqlMarks } from './transports/graphql-marks.js';

/**
 * The part of FallbackModule that an application has once. Global, so that its middleware and start-up come before
 * those of other modules.
 * @internal
 */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: CHAIN_REPLACEMENTS, useFactory: () => new Map() },
    FallbackHome,
    FallbackExplorer,
    GraphqlMarks,
    { provide: APP_FILTER, useClass: FallbackExceptionFilter },
  ],
  exports: [FallbackHome],
})
export class FallbackCoreModule implements NestModule {
  constructor(
    private readonly home: FallbackHome,
    modules: ModulesContainer,
  ) {
    guardGateways(modules);
  }

  configure(consumer: MiddlewareConsumer): void {
    const { http } = this.home.runtime?.options ?? {};
    if (http !== false) consumer.apply(requestScope(http?.receipt ?? 'degraded')).forRoutes('{*path}');
  }
}

/** What `FallbackModule.forFeature()` imports: it brings its chains, and provides nothing. @internal */
@Module({ imports: [FallbackCoreModule] })
export class FallbackFeatureModule {
  constructor(home: FallbackHome, @Inject(FEATURE_OPTIONS) options: unknown) {
    home.feature(options);
  }
}
