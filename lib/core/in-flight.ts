/** The calls of one application that have begun and not ended: an intrusive list, so that a call pays no object for it. */
import type { Cancellable } from './cancellation.js';

/** A call as a node of the list. @internal */
export interface Running extends Cancellable {
  before: Running | null;
  after: Running | null;
}

/** @internal */
export class InFlight {
  /** told whenever the last call has ended; null while nobody waits for that */
  onQuiet: (() => void) | null = null;
  private first: Running | null = null;

  get isEmpty(): boolean {
    return this.first === null;
  }

  add(call: Running): void {
    const { first } = this;
    if (first !== null) first.before = call;
    call.after = first;
    this.first = call;
  }

  remove(call: Running): void {
    const { before, after } = call;
    if (before === null) this.first = after;
    else before.after = after;
    if (after !== null) after.before = before;
    if (this.first === null && this.onQuiet !== null) this.onQuiet();
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
