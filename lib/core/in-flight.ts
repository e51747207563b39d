/** The calls of one application that have begun and not ended: an intrusive list, so that a call pays no object for it. */
import type { Cancellable } from './cancellation.js';

/** A call as a node of the list. @internal */
export interface Running extends Cancellable {
  /** made by another call's candidate */
  readonly isInner: boolean;
  before: Running | null;
  after: Running | null;
}

/** Who ends them all. @internal */
export interface Closing {
  /** a call has begun all the same; it may be cancelled at once */
  onCall(call: Running): void;
  /** the last call has ended */
  onQuiet(): void;
}

/** @internal */
export class InFlight {
  /** null while the application runs */
  ending: Closing | null = null;
  private first: Running | null = null;

  get isEmpty(): boolean {
    return this.first === null;
  }

  add(call: Running): void {
    const { first } = this;
    if (first !== null) first.before = call;
    call.after = first;
    this.first = call;
    if (this.ending !== null) this.ending.onCall(call);
  }

  remove(call: Running): void {
    const { before, after } = call;
    if (before === null) this.first = after;
    else before.after = after;
    if (after !== null) after.before = before;
    if (this.first === null && this.ending !== null) this.ending.onQuiet();
  }

  /** Cancels every call, each for a reason of its own. One may leave the list at once. */
  cancel(reason: () => unknown): void {
    for (let call = this.first; call !== null;) {
      const { after } = call;
      call.cancel(reason());
      call = after;
    }
  }
}
