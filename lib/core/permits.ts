/**
 * Who is in flight at a candidate that takes so many at once. Each holder gives its permit back once, however often it is
 * asked to. One that was cut and goes on all the same is still in flight, so it keeps its permit until it settles; but not
 * for ever, so that work that never settles cannot lock the candidate out.
 */

import type { Pace } from './pace.js';

/** How long work may keep its permit that nobody waits for any more: as long as a probe without a timeout, ms. */
const PATIENCE = 30_000;

/** What is known of the calls of a health key's candidates. @internal */
export interface Lane {
  readonly pace: Pace;
  readonly permits: Permits;
}

/** The permits of one candidate; of all that share its health key. @internal */
export class Permits {
  private readonly running = new Set<object>();
  /** who was given up, and until when that counts at the latest; all wait equally long, so the first is due first */
  private readonly deaf = new Map<object, number>();

  /** Whether `limit` permits are taken; `now` is monotonic. */
  areTaken(limit: number, now: number): boolean {
    for (const [holder, until] of this.deaf) {
      if (until > now) break;
      this.deaf.delete(holder);
    }
    return this.running.size + this.deaf.size >= limit;
  }

  take(holder: object): void {
    this.running.add(holder);
  }

  giveBack(holder: object): void {
    if (!this.running.delete(holder)) this.deaf.delete(holder);
  }

  /** Nobody waits for the holder any more, and its work may still go on. */
  outlive(holder: object, work: PromiseLike<unknown>, now: number): void {
    if (!this.running.delete(holder)) return;
    this.deaf.set(holder, now + PATIENCE);
    const giveBack = (): void => this.giveBack(holder);
    try {
      work.then(giveBack, giveBack);
    } catch {
      giveBack(); // nobody will ever hear of it
    }
  }
}
