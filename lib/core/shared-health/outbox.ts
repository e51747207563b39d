/** What one circuit's store is told, in order, and what it could not be told while it was away. */
import type { CircuitReading } from '../health-store.js';
import type { Ask, Correspondent } from './correspondent.js';
import type { How } from './view.js';
import { order, outcome } from './words.js';
import type { Action, Untold } from './words.js';

/** What is kept for later: more failures than these say nothing new. */
const KEPT = 10;

/** @internal */
export class Outbox {
  private untold: Untold[] = [];
  private ordered: { readonly action: Action } | null = null;

  constructor(
    private readonly from: Correspondent,
    private readonly onReading: (reading: CircuitReading, how: How) => void,
  ) {}

  get isEmpty(): boolean {
    return this.untold.length === 0 && this.ordered === null;
  }

  async tell(ask: Ask, untold: Untold, now: number): Promise<void> {
    const reading = await ask(outcome(this.from.key, untold, now), this.from);
    if (untold.health === 'success') this.untold = [];
    if (reading !== null) this.onReading(reading, 'reply');
    else this.keep(untold);
  }

  /** A person's word goes over all that was to be told before. */
  order(ask: Ask, action: Action): Promise<boolean> {
    this.untold = [];
    this.ordered = { action };
    return this.passOn(ask, this.ordered);
  }

  /** Tells what was kept, each once it has been taken; false if that did not go to the end. */
  async empty(ask: Ask, now: () => number): Promise<boolean> {
    while (this.ordered !== null) if (!(await this.passOn(ask, this.ordered))) return false;
    for (let first = this.untold[0]; first !== undefined; first = this.untold[0]) {
      const reading = await ask(outcome(this.from.key, first, now()), this.from);
      if (reading === null) return false;
      if (this.untold[0] === first) this.untold.shift();
      this.onReading(reading, 'status');
    }
    return true;
  }

  /** Another order may have come meanwhile. */
  private async passOn(ask: Ask, ordered: { readonly action: Action }): Promise<boolean> {
    if ((await ask(order(this.from.key, ordered.action), this.from)) === null) return false;
    if (this.ordered === ordered) this.ordered = null;
    return true;
  }

  /** The latest are kept, and before them those that carry advice. */
  private keep(untold: Untold): void {
    this.untold.push(untold);
    if (this.untold.length <= KEPT) return;
    const place = this.untold.findIndex(({ openUntil }) => openUntil === undefined);
    this.untold.splice(Math.max(0, place), 1);
  }
}
