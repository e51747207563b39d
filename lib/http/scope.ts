/**
 * Receipt scopes. One AsyncLocalStorage of the whole process tells a call in which scope it runs (an HTTP request, a
 * `withReceipt`) and inside which other call. Outside any scope nothing is stored and nothing is paid.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Observable } from 'rxjs';
import { CancelGroup } from '../core/cancellation.js';
import { shared } from '../core/shared.js';
import type { CallInputs } from '../core/call.js';
import type { CallScope } from '../core/plan.js';
import type { Route } from '../core/rerouted.js';
import type { Receipt } from '../core/types.js';

const storage = shared('scope', () => new AsyncLocalStorage<Frame>());
const opened = shared('scopes-opened', () => ({ count: 0 }));

/** Runs the ladder of a handler whose candidates are called by way of `route`. @internal */
export type Ladder = (route: Route, inputs: CallInputs) => Observable<unknown>;

/**
 * An interceptor's claim on the next call of a handler: whoever reaches that with it takes the claim, and leaves the
 * ladder to the interceptor.
 * @internal
 */
export interface Claim {
  /** the policy of the handler */
  readonly method: object;
  readonly isTaken: boolean;
  /** Takes the claim; gives what the handler gives then. */
  take(ladder: Ladder): Promise<unknown>;
}

/** A place in a scope: directly in it, or inside one of its calls; and on the way to a handler that is claimed. */
class Frame implements CallScope {
  constructor(
    readonly scope: Scope,
    private readonly isInside: boolean,
    private readonly claim: Claim | null = null,
  ) {}

  /** What stands around a claimed handler is a part of its call as soon as that has begun. */
  get isInsideCall(): boolean {
    return this.isInside || this.claim?.isTaken === true;
  }

  /** The innermost place in a scope that is open: code may outlive a `withReceipt` and still belong to its request. */
  get open(): Frame | undefined {
    return this.scope.isOpen ? this : this.scope.outer?.open;
  }

  get group(): CancelGroup {
    return this.scope.group;
  }

  get ended(): { readonly reason: unknown } | null {
    return this.scope.ended;
  }

  within<T>(part: () => T): T {
    return storage.run(this.isInsideCall && this.claim === null ? this : new Frame(this.scope, true), part);
  }

  collect(receipt: Receipt): void {
    this.scope.collect(receipt, !this.isInsideCall);
  }

  /** The claim on a call of `method`. An inner interceptor that subscribes again brings it again. */
  claimOn(method: object): Claim | null {
    return this.claim !== null && this.claim.method === method ? this.claim : null;
  }

  /** Runs what stands behind the claim: a call of the same method is one of its own there. */
  beyondClaim<T>(part: () => T): T {
    return storage.run(new Frame(this.scope, this.isInsideCall), part);
  }
}

/** @internal */
export class Scope {
  readonly group: CancelGroup;
  private readonly all: Receipt[] = [];
  private readonly notInner: Receipt[] = [];
  /** where it was opened */
  readonly outer: Frame | undefined = openFrame();
  /** its place among all scopes, in the order of their openings */
  readonly number = opened.count++;
  private own: { readonly reason: unknown } | null = null;
  private isClosed = false;

  /** @param isOver whether what the scope belongs to is over; a scope may also be closed by hand */
  constructor(private readonly isOver: () => boolean = () => false) {
    this.group = this.outer?.group ?? new CancelGroup();
  }

  /** every call that has ended, in the order of their ends */
  get receipts(): readonly Receipt[] {
    return this.all;
  }

  /** those that were made inside no other call of the scope */
  get outermost(): readonly Receipt[] {
    return this.notInner;
  }

  get ended(): { readonly reason: unknown } | null {
    return this.own ?? (this.outer?.scope.isOpen === true ? this.outer.ended : null);
  }

  /** Work that outlives its request or `withReceipt` is on its own: nothing is collected of it, nothing ends it. */
  get isOpen(): boolean {
    return !this.isClosed && !this.isOver();
  }

  async run<T>(part: () => T | PromiseLike<T>): Promise<T> {
    return storage.run(new Frame(this, false), part);
  }

  /** Runs what answers by a callback. */
  enter(part: () => void): void {
    storage.run(new Frame(this, false), part);
  }

  close(): void {
    this.isClosed = true;
  }

  /** Ends every call of the scope, and those that are still to come while it is open. */
  end(reason: unknown): void {
    this.own = { reason };
    this.group.cancel(reason);
  }

  collect(receipt: Receipt, isOutermost: boolean): void {
    if (this.isOpen) {
      this.all.push(receipt);
      if (isOutermost) this.notInner.push(receipt);
    }
    if (this.outer !== undefined) this.outer.scope.collect(receipt, isOutermost && !this.outer.isInsideCall);
  }
}

/** Where a claim stands that is made outside any scope. */
const NOWHERE = new Scope(() => true);

function openFrame(): Frame | undefined {
  return storage.getStore()?.open;
}

/** Where the running code stands, if it runs in a scope that is open. @internal */
export function currentScope(): CallScope | undefined {
  return openFrame();
}

/** Where the running code stands: in a scope, open or not, or on the way to a claimed handler. @internal */
export function currentFrame(): Pick<Frame, 'open' | 'claimOn' | 'beyondClaim'> | undefined {
  return storage.getStore();
}

/** Runs what may lead to the claimed handler. @internal */
export function withClaim<T>(claim: Claim, part: () => T): T {
  const frame = openFrame();
  return storage.run(new Frame(frame?.scope ?? NOWHERE, frame?.isInsideCall === true, claim), part);
}

/** How many scopes have been opened so far. @internal */
export function countScopes(): number {
  return opened.count;
}

/** Whether the running code stands in an open scope that was one of the first `count`. @internal */
export function isInScopeAmong(count: number): boolean {
  for (let frame = openFrame(); frame !== undefined; frame = frame.scope.outer) {
    if (frame.scope.number < count && frame.scope.isOpen) return true;
  }
  return false;
}

/** The receipts of the scope in which the running code stands. @internal */
export function currentReceipts(): readonly Receipt[] {
  return [...(openFrame()?.scope.receipts ?? [])];
}

/** Those of them that were made inside no other call. @internal */
export function currentOutermost(): readonly Receipt[] {
  return openFrame()?.scope.outermost ?? [];
}
