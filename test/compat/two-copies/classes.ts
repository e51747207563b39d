/** Classes that are decorated with one copy of the package, here and there with both. */
import 'reflect-metadata';
import { Controller, Get, Injectable } from '@nestjs/common';
import type * as Package from '../../../lib/index.js';

export type Copy = typeof Package;
export type Kind = 'rateLimited' | 'transient' | 'terminal' | 'unsupported' | 'denied' | 'budgetExhausted';

export const down = (): Promise<never> => Promise.reject(new Error('upstream is down'));
const never = (): Promise<never> => new Promise(() => {});

/**
 * @param mine the copy whose module the application imports
 * @param other the copy that decorates
 */
export function classesOf(mine: Copy, other: Copy) {
  const { Attempt, AttemptSignal, Degraded, Fallback, FallbackChain, createFallbackChain, from } = other;
  const failing = createFallbackChain<object>([down, down], { name: 'failing' });
  const secondRate = createFallbackChain([{ name: 'poor', degraded: true, run: () => ({ by: 'second-rate' }) }], {
    name: 'second-rate',
  });

  @Injectable()
  class Mirror {
    innerSignal: AbortSignal | undefined;

    async read(_query: string): Promise<string> {
      return 'mirror';
    }

    @Fallback('fast', { name: 'inner' })
    async slow(@AttemptSignal() _signal?: AbortSignal): Promise<string> {
      return down();
    }

    async fast(@AttemptSignal() signal?: AbortSignal): Promise<string> {
      this.innerSignal = signal;
      return signal === undefined ? 'no signal' : never();
    }
  }

  @Injectable()
  class Host {
    readonly #name = 'host';

    @FallbackChain(['backup', from(Mirror, 'read')], { name: 'decorated' })
    async read(_query: string): Promise<string> {
      return down();
    }

    async backup(query: string): Promise<string> {
      return query === 'mirror' ? down() : `backup of ${this.#name}`;
    }

    @FallbackChain([], { name: 'of-both', whenOpen: 'ignore' })
    @mine.Degraded({ substitute: { by: 'substitute' } })
    async ofBoth(): Promise<{ by: string; degraded?: boolean }> {
      return down();
    }

    @FallbackChain([{ name: 'envelope', run: () => other.served('other') }], { name: 'served', whenOpen: 'ignore' })
    @Degraded({ substitute: 'none', mark: 'served' })
    async served(isUp: boolean): Promise<Package.Served<string>> {
      return isUp ? mine.served('mine') : down();
    }

    @FallbackChain([], { name: 'deferred' })
    @Degraded({ substitute: () => other.deferred('later'), mark: 'receipt' })
    async deferred(): Promise<string> {
      return down();
    }

    @FallbackChain([failing, secondRate], { name: 'nesting' })
    async nesting(): Promise<object> {
      return down();
    }

    @FallbackChain([from(Mirror, 'slow')], { name: 'outer' })
    async outer(@AttemptSignal() _signal?: AbortSignal): Promise<string> {
      return down();
    }

    @FallbackChain([{ method: 'gated', on: [other.AttemptTimeoutError] }], { name: 'gated', primary: { timeout: 1 } })
    async slow(): Promise<string> {
      return never();
    }

    async gated(@Attempt() attempt?: Package.AttemptContext): Promise<string> {
      return `after ${(attempt!.errors[0] as Error).name}`;
    }

    @FallbackChain(['spare'], { name: 'kinds', whenOpen: 'ignore' })
    async fails(kind: Kind): Promise<string> {
      throw other[kind](kind);
    }

    async spare(_kind: Kind): Promise<string> {
      return 'spare';
    }

    @FallbackChain([], { name: 'waiting' })
    async waits(@AttemptSignal() _signal?: AbortSignal): Promise<string> {
      return never();
    }

    @FallbackChain([], { name: 'exhausted', whenOpen: 'ignore' })
    async exhausted(): Promise<string> {
      return down();
    }

    @FallbackChain([], { name: 'one', primary: { healthKey: 'shared' }, breaker: { threshold: 2 }, whenOpen: 'skip' })
    async one(): Promise<string> {
      return down();
    }

    @mine.FallbackChain([], {
      name: 'two',
      primary: { healthKey: 'shared' },
      breaker: { threshold: 2 },
      whenOpen: 'skip',
    })
    async two(): Promise<string> {
      return down();
    }
  }

  @Injectable()
  class Child extends Host {
    @mine.FallbackChain([], { name: 'child' })
    override async ofBoth(): Promise<{ by: string; degraded?: boolean }> {
      return super.ofBoth();
    }
  }

  @Controller()
  class Handlers {
    constructor(private readonly host: Host) {}

    @Get('degraded')
    degraded(): Promise<object> {
      return this.host.ofBoth();
    }

    @FallbackChain([], { name: 'handler' })
    @Get('exhausted')
    async exhausted(): Promise<string> {
      return down();
    }

    @Get('functions')
    functions(): Promise<object> {
      return failing.run();
    }
  }

  return { Mirror, Host, Child, Handlers, failing };
}
