/**
 * What a chain has spent, and its own ceiling on that. The window slides: at no moment has more than the limit, and the
 * attempt that reached it, been spent over the time that lies behind. Money counts from the moment an attempt is
 * admitted, so that many calls at once cannot all slip under the ceiling; what proves not to have been spent is given back.
 */
import type { Clock } from './types.js';

/** Into how many parts a window is divided: expenses of one part are kept, and forgotten, together. */
const PARTS = 100;
/** Sums of prices such as 0.1 are not exact. */
const ROUNDING = 1e-9;

/** Expenses that lie close together, ms. */
interface Part {
  readonly from: number;
  until: number;
  amount: number;
}

/** The expenses of one chain, as far back as anybody asks. @internal */
export class Ledger {
  /** oldest first */
  private readonly parts: Part[] = [];
  /** the longest time that is asked for, ms */
  private span = 0;

  remember(span: number): void {
    this.span = Math.max(this.span, span);
  }

  add(now: number, amount: number): Part {
    const last = this.parts.at(-1);
    if (last !== undefined && now - last.from < this.span / PARTS) {
      last.until = now;
      last.amount += amount;
      return last;
    }
    while (this.parts.length > 0 && this.parts[0]!.until <= now - this.span) this.parts.shift();
    const part = { from: now, until: now, amount };
    this.parts.push(part);
    return part;
  }

  /** What was spent in the `span` ms before `now`. */
  spent(now: number, span: number): number {
    let sum = 0;
    for (const { until, amount } of this.parts) if (until > now - span) sum += amount;
    return sum;
  }
}

/** The ceiling of a chain. @internal */
export class Budget {
  /**
   * @param per the length of the window, ms
   * @param isFinal once it is reached, free candidates are not tried either
   * @param ledger one for all plans of a chain
   */
  constructor(
    private readonly clock: Clock,
    readonly limit: number,
    readonly per: number,
    readonly isFinal: boolean,
    readonly ledger = new Ledger(),
  ) {
    ledger.remember(per);
  }

  /** Whether the ceiling keeps a candidate of this price from being called; nobody knows what an untiered one costs. */
  forbids(cost: number | undefined): boolean {
    return cost !== 0 && this.ledger.spent(this.clock.now(), this.per) >= this.limit * (1 - ROUNDING);
  }

  /** Puts the price of an attempt aside; null if it has none. */
  reserve(cost = 0): Expense | null {
    return cost === 0 ? null : new Expense(this.ledger, this.clock, cost);
  }
}

/** What one attempt costs. @internal */
export class Expense {
  private readonly reserved: Part;
  private isSpent = false;

  constructor(
    private readonly ledger: Ledger,
    private readonly clock: Clock,
    private readonly cost: number,
  ) {
    this.reserved = ledger.add(clock.now(), cost);
  }

  /** A try begins: the first is paid with what was put aside. */
  spend(): void {
    if (this.isSpent) this.ledger.add(this.clock.now(), this.cost);
    this.isSpent = true;
  }

  /** No try begins any more: if none has, nothing was spent. */
  giveBack(): void {
    if (!this.isSpent) this.reserved.amount -= this.cost;
    this.isSpent = true;
  }
}
