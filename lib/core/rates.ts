/**
 * How the answered calls of the last minute were answered: counts in a ring of slots, so that old ones fall out. Counting
 * is a few number operations: every healthy call does it.
 */

/** What each slot of the ring covers, ms. */
const SLOT = 5_000;
/** The slots of a minute. */
const SLOTS = 12;

/** Places in a slot. */
const ANSWERED = 0;
const FAILED_OVER = 1;
const DEGRADED = 2;
const PAID = 3;
const PLACES = 4;

/** Shares of the answered calls of the last minute, 0 without any. @internal */
export interface Shares {
  readonly failoverRate: number;
  readonly degradedRate: number;
  readonly paidShare: number;
}

/** @internal */
export class Rates {
  /** the slot of the last count; the ring holds it and the eleven before it */
  private slot = NaN;
  /** where that slot begins in the ring */
  private at = 0;
  /** made at the first count */
  private ring: number[] = [];

  count(now: number, failedOver: boolean, degraded: boolean, paid: boolean): void {
    const slot = Math.floor(now / SLOT);
    if (slot !== this.slot) this.turnTo(slot);
    const { ring, at } = this;
    ring[at + ANSWERED]!++;
    if (failedOver) ring[at + FAILED_OVER]!++;
    if (degraded) ring[at + DEGRADED]!++;
    if (paid) ring[at + PAID]!++;
  }

  read(now: number): Shares {
    const sums = zeros(PLACES);
    const oldest = Math.floor(now / SLOT) - SLOTS + 1;
    for (let slot = this.slot; slot >= oldest && slot > this.slot - SLOTS; slot--) {
      for (let place = 0; place < PLACES; place++) sums[place]! += this.ring[startOf(slot) + place]!;
    }
    const shareOf = (place: number): number => (sums[ANSWERED] === 0 ? 0 : sums[place]! / sums[ANSWERED]!);
    return { failoverRate: shareOf(FAILED_OVER), degradedRate: shareOf(DEGRADED), paidShare: shareOf(PAID) };
  }

  clear(): void {
    this.slot = NaN;
  }

  /** Empties what lies between the last count and this one. A time before the last is one of an exchanged clock. */
  private turnTo(slot: number): void {
    const isNear = slot > this.slot && slot - this.slot < SLOTS;
    if (!isNear) this.ring = zeros(SLOTS * PLACES);
    else for (let old = this.slot + 1; old <= slot; old++) this.ring.fill(0, startOf(old), startOf(old) + PLACES);
    this.slot = slot;
    this.at = startOf(slot);
  }
}

function zeros(length: number): number[] {
  return Array.from({ length }, () => 0);
}

function startOf(slot: number): number {
  // Not a plain remainder: a clock may begin below zero.
  return (((slot % SLOTS) + SLOTS) % SLOTS) * PLACES;
}
