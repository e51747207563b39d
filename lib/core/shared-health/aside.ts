/** Circuits that the store refuses while it answers others: they ask it nothing, and each is tried again by itself. */
import type { Clock } from '../types.js';
import type { Correspondent } from './correspondent.js';
import { after } from './patience.js';
import type { Timer } from './patience.js';

/** How soon they are tried again, ms. */
const AGAIN = 30_000;

/** @internal */
export class Aside {
  private isClosed = false;
  private readonly refused = new Set<Correspondent>();
  private retry: Timer | null = null;

  /** @param isTaken tries one by itself */
  constructor(
    private readonly clock: Clock,
    private readonly isTaken: (who: Correspondent) => Promise<boolean>,
  ) {}

  has(who: Correspondent): boolean {
    return this.refused.has(who);
  }

  add(who: Correspondent): void {
    if (this.isClosed) return;
    this.refused.add(who);
    this.retry ??= after(this.clock, AGAIN, () => {
      this.retry = null;
      for (const each of this.refused) void this.tryAlone(each);
    });
  }

  close(): void {
    this.isClosed = true;
    this.retry?.clear();
  }

  private async tryAlone(who: Correspondent): Promise<void> {
    if (await this.isTaken(who)) this.refused.delete(who);
    else this.add(who);
  }
}
