/**
 * The permit for a probe, of which the fleet has one. It is asked for beside a call and kept for the call that comes next,
 * long enough for the next one to come; if none comes it is given back, since another process may have use for it.
 */
import type { Clock } from '../types.js';
import { after } from './patience.js';
import type { Timer } from './patience.js';

/** Whom it was refused asks again after so many ms: the probe that runs may have ended. */
const AGAIN = 1_000;
/** How long it is kept, ms: twice the time between two calls, within these bounds. */
const GRACE = { least: 1_000, most: 300_000 };

interface Held {
  /** the store's name for the period in which the probe begins */
  readonly period: number;
  readonly lapse: Timer;
}

/** @internal */
export class FleetProbe {
  /** it is being asked for: for calls that have nobody else left */
  asking: Promise<void> | null = null;
  private held: Held | null = null;
  /** NaN: none since the circuit was opened */
  private calledAt = NaN;
  private gap = 0;
  private refusedUntil = -Infinity;

  constructor(private readonly clock: Clock) {}

  /** The store's period in which the probe begins, if it is ours. */
  get period(): number | null {
    return this.held?.period ?? null;
  }

  /** A call has come that would be the probe, or will be soon. */
  noteCall(now: number): void {
    this.gap = Number.isNaN(this.calledAt) ? 0 : now - this.calledAt;
    this.calledAt = now;
  }

  mayAsk(now: number): boolean {
    return this.asking === null && now >= this.refusedUntil;
  }

  /** @param inquire asks the store; it is told how long a permit will be kept, ms */
  ask(inquire: (grace: number) => Promise<void>): void {
    this.asking = inquire(Math.min(Math.max(2 * this.gap, GRACE.least), GRACE.most)).finally(() => {
      this.asking = null;
    });
  }

  /** @param giveBack called if no call has come in time */
  grant(period: number, grace: number, giveBack: () => void): void {
    const lapse = after(this.clock, grace, () => {
      this.held = null;
      giveBack();
    });
    this.held = { period, lapse };
  }

  refuse(now: number, retryIn: number): void {
    this.refusedUntil = now + Math.min(retryIn, AGAIN);
  }

  /** It is used, given back, or of another period. */
  drop(): void {
    this.held?.lapse.clear();
    this.held = null;
  }

  /** The circuit is no longer half-open. */
  rest(): void {
    this.calledAt = NaN;
  }
}
