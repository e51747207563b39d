/**
 * When a candidate may be called that must not be called too often. Every call has a slot of its own, at least the
 * interval away from every other, so callers who come together are not let in together. A slot that somebody waits for
 * and does not use is free again: the next who asks gets it, and nobody who waits already is moved.
 */

/** The slots of one candidate; of all that share its health key. Times are monotonic. @internal */
export class Pace {
  /** the last slot that was used */
  private used = -Infinity;
  /** slots that are waited for, in order */
  private readonly reserved: number[] = [];

  /** The first slot from `from` on that keeps its distance. */
  next(interval: number, from: number): number {
    let slot = Math.max(from, this.used + interval);
    for (const other of this.reserved) {
      if (slot + interval <= other) break;
      slot = Math.max(slot, other + interval);
    }
    return slot;
  }

  /** Somebody waits for it. */
  reserve(slot: number): void {
    const place = this.reserved.findIndex((other) => other > slot);
    this.reserved.splice(place < 0 ? this.reserved.length : place, 0, slot);
  }

  /** Nobody waits for it any more. */
  release(slot: number): void {
    this.reserved.splice(this.reserved.indexOf(slot), 1);
  }

  /** The candidate is called. */
  use(slot: number): void {
    this.used = Math.max(this.used, slot);
  }
}
