import type { LoggerService, Type } from '@nestjs/common';
import type { FallbackModuleOptions } from '../../lib/index.js';
import { hostWith } from './faulty.js';
import type { Protection } from './faulty.js';
import { startApp } from './nest-app.js';

/** Starts an application with these hosts; what FallbackModule says, by level. `heard` goes on. */
export async function said(
  protections: (Protection | Type)[],
  options: FallbackModuleOptions = {},
  controllers: Type[] = [],
) {
  const heard = { log: [] as string[], warn: [] as string[] };
  const take =
    (level: 'log' | 'warn') =>
    (message: string, context?: string): void => {
      if (context === 'FallbackModule') heard[level].push(message);
    };
  const logger: LoggerService = { log: take('log'), warn: take('warn'), error: () => {} };
  const providers = protections.map((each, n) => (typeof each === 'function' ? each : hostWith(each, `Host${n}`)));
  const { app } = await startApp({ providers, controllers, logger, options });
  return { ...heard, app, heard };
}
