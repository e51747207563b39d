/** Calls that inner and outer interceptors make themselves. */
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Observable, mergeMap } from 'rxjs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Degraded, FallbackChain, FallbackInterceptor } from '../../../lib/index.js';
import { down, members } from '../../support/answers.js';
import { closeAll, platforms } from '../../support/apps.js';
import { Script, serve } from './route.js';

describe.each(platforms)('$name: receipts and headers', (platform) => {
  afterEach(closeAll);

  /** An interceptor that makes a degraded call when the answer passes. */
  const asking = (of: () => Promise<string>): NestInterceptor => ({
    intercept: (_context: ExecutionContext, next: CallHandler): Observable<unknown> =>
      next.handle().pipe(mergeMap(async (value) => `${String(value)} ${await of()}`)),
  });
  class Extra {
    @FallbackChain([], { name: 'extra' })
    @Degraded({ substitute: 'extra', mark: 'receipt' })
    async read(): Promise<string> {
      return down();
    }
  }

  const start = async (interceptors: (asks: NestInterceptor) => unknown[]) => {
    const held: { extra?: Extra } = {};
    const running = await serve(platform, new Script(), {
      interceptors: interceptors(asking(() => held.extra!.read())),
      parts: { providers: [Extra] },
    });
    held.extra = running.app.get(Extra);
    return running;
  };

  it('a call of inner mapping is a part of the call: one that answers in full withdraws it', async () => {
    const { ask } = await start((asks) => [FallbackInterceptor, asks]);
    const { text, headers } = await ask();
    expect(text).toBe('mapped body <1> extra');
    expect(headers.get('degraded')).toBeNull();
  });

  it('a call of outer mapping is one of its own', async () => {
    const { ask } = await start((asks) => [asks, FallbackInterceptor]);
    const { text, headers } = await ask();
    expect(text).toBe('mapped body <1> extra');
    expect(members(headers.get('degraded'))).toMatchObject([{ name: 'extra', source: 'static' }]);
  });
});
