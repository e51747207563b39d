/**
 * Receipt scopes. One AsyncLocalStorage of the whole process tells a call in which scope it runs (an HTTP request, a
 * `withReceipt`) and inside which other call. Outside any scope nothing is stored and nothing is paid.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { CancelGroup } from '../core/cancellation.js';
import { shared } from '../core/shared.js';
import type { CallScope } from '../core/plan.js';
import type { Receipt } from '../core/types.js';

const storage = shared('scope', () => new AsyncLocalStorage<Frame>());

/** A place in a scope: directly in it, or inside one of its calls. */
class Frame implements CallScope {
  constructor(
    readonly scope: Scope,
    readonly isInsideCall: boolean,
  ) {}

  get group(): CancelGroup {
    return this.scope.group;
  }

  get ended(): { readonly reason: unknown } | null {
    return this.scope.ended;
  }

  within<T>(part: () => T): T {
    return storage.run(this.isInsideCall ? this : new Frame(this.scope, true), part);
  }

  collect(receipt: Receipt): void {
    this.scope.collect(receipt, !this.isInsideCall);
  }
}

/** @internal */
export class Scope {
  /** every call that has ended, in the order of their ends */
  readonly receipts: Receipt[] = [];
  /** those that were made inside no other call of the scope */
  readonly outermost: Receipt[] = [];
  readonly group: CancelGroup;
  private readonly outer: Frame | undefined = storage.getStore();
  private own: { readonly reason: unknown } | null = null;

  constructor() {
    this.group = this.outer?.group ?? new CancelGroup();
  }

  get ended(): { readonly reason: unknown } | null {
    return this.own ?? this.outer?.ended ?? null;
  }

  run<T>(part: () => T): T {
    return storage.run(new Frame(this, false), part);
  }

  /** Ends every call of the scope, and those that are still to come. */
  end(reason: unknown): void {
    this.own = { reason };
    this.group.cancel(reason);
  }

  collect(receipt: Receipt, isOutermost: boolean): void {
    this.receipts.push(receipt);
    if (isOutermost) this.outermost.push(receipt);
    if (this.outer !== undefined) this.outer.scope.collect(receipt, isOutermost && !this.outer.isInsideCall);
  }
}

/** Where the running code stands, if it runs in a scope. @internal */
export function currentScope(): CallScope | undefined {
  return storage.getStore();
}

/** The receipts of the scope in which the running code stands. @internal */
export function currentReceipts(): readonly Receipt[] {
  return [...(storage.getStore()?.scope.receipts ?? [])];
}
