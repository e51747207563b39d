import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { FallbackModuleOptions } from './fallback.module-options.js';

/**
 * Each import is a module of its own, so that all their options are seen and compared: Nest may take two modules for
 * one whose functions only read alike.
 * @internal
 */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<FallbackModuleOptions>({ moduleName: 'Fallback', alwaysTransient: true })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createFallbackOptions')
    .setExtras({ isGlobal: true }, (definition, { isGlobal }) => ({ ...definition, global: isGlobal }))
    .build();
