/**
 * The permit for a probe, of which the fleet has one. It is asked for beside a call and kept for the call that comes next,
 * long enough for the next one to come, and no longer: another process may have use for it.
 */

/** Whom it was refused asks again after so many ms: the probe that runs may have ended. */
const AGAIN = 1_000;
/** How long it is kept, ms: twice the time between two calls, within these bounds. */
const GRACE = { least: 1_000, most: 600_000 };

/** @internal */
export class FleetProbe {
  /** it is being asked for: for calls that have nobody else left */
  asking: Promise<void> | null = null;
  private held: { readonly period: number; readonly until: number } | null = null;
  /** NaN: not since the circuit was opened */
  private askedAt = NaN;
  private refusedUntil = -Infinity;

  /** The store's period in which the probe begins, if we may begin it. */
  periodAt(now: number): number | null {
    return this.held !== null && now < this.held.until ? this.held.period : null;
  }

  mayAsk(now: number): boolean {
    return this.asking === null && now >= this.refusedUntil;
  }

  /** @param inquire gives what it will be kept for, ms, to whoever asks the store */
  ask(now: number, inquire: (grace: number) => Promise<void>): void {
    const gap = Number.isNaN(this.askedAt) ? 0 : 2 * (now - this.askedAt);
    this.askedAt = now;
    this.asking = inquire(Math.min(Math.max(gap, GRACE.least), GRACE.most)).finally(() => {
      this.asking = null;
    });
  }

  grant(period: number, until: number): void {
    this.held = { period, until };
  }

  refuse(now: number, retryIn: number): void {
    this.refusedUntil = now + Math.min(retryIn, AGAIN);
  }

  /** It is used, or another period has begun. */
  drop(): void {
    this.held = null;
  }

  /** The circuit is no longer half-open. */
  rest(): void {
    this.askedAt = NaN;
  }
}

/** How long a permit is kept that comes by the way. @internal */
export const SHORTLY = GRACE.least;
