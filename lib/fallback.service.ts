import { Inject, Injectable } from '@nestjs/common';
import { faultsOfInputs } from './core/function-chain-faults.js';
import type { NestedChain } from './core/nested-chain.js';
import type { Chain, ChainOptions } from './core/option-types.js';
import { faultsOfShape } from './core/options.js';
import { refuse } from './core/plan-of-call.js';
import type { Receipt } from './core/types.js';
import { RUNTIME } from './fallback.constants.js';
import { FallbackRuntime } from './fallback.runtime.js';
import { Scope, currentReceipts } from './http/scope.js';

/** What `withReceipt` gives: the value, and who answered. @publicApi */
export interface WithReceipt<T> {
  value: T;
  /** the last outermost call's; absent if no chain was called */
  receipt: Receipt | undefined;
  /** every call's, inner ones too, in the order of their ends */
  receipts: readonly Receipt[];
}

/** Chains called by name, receipts for code that wants to know who answered, and the application's end. @publicApi */
@Injectable()
export class FallbackService {
  constructor(@Inject(RUNTIME) private readonly runtime: FallbackRuntime) {}

  /**
   * Runs a chain: by the name of a decorated method's, on the provider's own instance, or one of plain functions. Options
   * given here hold for this call. A chain of plain functions that the application has not registered (see
   * `forRoot({ chains })`) runs as it does by itself: with its own clock and memory, unseen by health and events.
   * Rejects like the chain, or with an Error that names the chains there are.
   * @example await fallback.run('recommendations', [userId], { signal, deadline: '1s' })
   */
  async run<T>(
    chain: string | Chain<T>,
    args?: readonly unknown[],
    overrides: { signal?: AbortSignal } & ChainOptions = {},
  ): Promise<T> {
    const { entry, signal, options } = this.asked(chain as string | NestedChain, args, overrides);
    return (await entry.run(args, signal, options)) as T;
  }

  /**
   * Reads a stream chain, as `run` runs the others; nothing runs before the first `next()`. Throws an Error that names the
   * chains there are.
   * @example for await (const token of fallback.stream<string>('chat', [prompt])) process.stdout.write(token)
   */
  stream<T>(
    chain: string | Chain<T>,
    args?: readonly unknown[],
    overrides: { signal?: AbortSignal } & ChainOptions = {},
  ): AsyncGenerator<T, void, undefined> {
    const { entry, signal, options } = this.asked(chain as string | NestedChain, args, overrides);
    return entry.read(args, signal, options) as AsyncGenerator<T, void, undefined>;
  }

  /**
   * Deletes what a chain remembers under a key. Without `lastKnownGood.key` the key is the list of the method's
   * arguments. Rejects with an Error that names the chains there are, or says that the store has not deleted it.
   * @example await fallback.forget('recommendations', [userId])
   */
  async forget(chain: string, key: unknown): Promise<void> {
    await this.runtime.find(chain).plan.substitutes?.forget(key);
  }

  /**
   * Runs `fn` in a receipt scope. Rejects with `fn`'s own error, whose receipt `receiptOf` gives.
   * @example const { value, receipt } = await fallback.withReceipt(() => this.recommendations.picksFor(user))
   */
  async withReceipt<T>(fn: () => T | PromiseLike<T>): Promise<WithReceipt<T>> {
    const scope = new Scope();
    const value = await scope.run(fn).finally(() => scope.close());
    return { value, receipt: scope.outermost.at(-1), receipts: scope.receipts };
  }

  /** The receipts so far of the scope in which this is called: an HTTP request or a `withReceipt`; else none. */
  currentReceipts(): readonly Receipt[] {
    return currentReceipts();
  }

  private asked(
    chain: string | NestedChain,
    args: readonly unknown[] | undefined,
    overrides: { signal?: AbortSignal } & ChainOptions,
  ) {
    const entry = this.runtime.find(chain);
    refuse(faultsOfShape(overrides, entry.spec.where, 'overrides'));
    const { signal, ...options } = overrides;
    refuse(faultsOfInputs(entry.spec.where, { args, signal }));
    return { entry, signal, options };
  }

  /**
   * Begins the application's shutdown, if it has not begun: new calls are rejected with `ShuttingDownError`, except in a
   * request or `withReceipt` that is already open, and calls in flight get `drain`. Resolves when there are none left.
   * `app.close()` does it too.
   * @example await fallback.drain(); await app.close()
   */
  drain(): Promise<void> {
    return this.runtime.shutdown.drain();
  }
}
