/** What one circuit's store is told, in order, and what it could not be told while it was away. */
import type { CircuitReading } from '../health-store.js';
import type { Ask } from './link.js';
import type { How } from './view.js';
import { order, outcome } from './words.js';
import type { Action, Untold } from './words.js';

/** What is kept for later: more failures than these say nothing new. */
const KEPT = 10;

/** @internal */
export class Outbox {
  private untold: Untold[] = [];
  private ordered: Action | null = null;

  constructor(
    private readonly key: string,
    private readonly onReading: (reading: CircuitReading, how: How) => void,
  ) {}

  get isEmpty(): boolean {
    return this.untold.length === 0 && this.ordered === null;
  }

  async tell(ask: Ask, chain: string, untold: Untold, now: number): Promise<void> {
    const reading = await ask(outcome(this.key, untold, now), chain);
    if (reading !== null) return this.onReading(reading.said, 'reply');
    if (untold.health === 'success') this.untold = [];
    if (this.untold.length < KEPT) this.untold.push(untold);
  }

  /** A person's word goes over all that was to be told before. */
  async order(ask: Ask, chain: string, action: Action): Promise<void> {
    this.untold = [];
    this.ordered = action;
    const said = await ask(order(this.key, action), chain);
    if (said !== null && this.ordered === action) this.ordered = null;
  }

  /** Tells what was kept, each once it has been taken; false if that did not go to the end. */
  async empty(ask: Ask, chain: string, now: () => number): Promise<boolean> {
    if (this.ordered !== null) {
      await this.order(ask, chain, this.ordered);
      if (this.ordered !== null) return false;
    }
    for (let first = this.untold[0]; first !== undefined; first = this.untold[0]) {
      const reading = await ask(outcome(this.key, first, now()), chain);
      if (reading === null) return false;
      if (this.untold[0] === first) this.untold.shift();
      this.onReading(reading.said, 'status');
    }
    return true;
  }
}
