import { Inject, Injectable } from '@nestjs/common';
import type { Receipt } from './core/types.js';
import { RUNTIME } from './fallback.constants.js';
import type { FallbackRuntime } from './fallback.runtime.js';
import { Scope, currentReceipts } from './http/scope.js';

/** What `withReceipt` gives: the value, and who answered. @publicApi */
export interface WithReceipt<T> {
  value: T;
  /** the last outermost call's; absent if no chain was called */
  receipt: Receipt | undefined;
  /** every call's, inner ones too, in the order of their ends */
  receipts: readonly Receipt[];
}

/** Receipts, for code that wants to know who answered, and the application's end. @publicApi */
@Injectable()
export class FallbackService {
  constructor(@Inject(RUNTIME) private readonly runtime: FallbackRuntime) {}

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
