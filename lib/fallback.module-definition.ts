import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { FallbackModuleOptions } from './fallback.module-options.js';

/** @internal */
export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<FallbackModuleOptions>({ moduleName: 'Fallback' })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createFallbackOptions')
    .setExtras({ isGlobal: true }, (definition, { isGlobal }) => ({ ...definition, global: isGlobal }))
    .build();
