/**
 * What is seen of a chain as a whole: how its calls were answered in the last minute, and whether it has been in trouble
 * for so long that somebody should be told.
 *
 * A chain is in trouble while it is not `up`, and after a call that was not answered in full until one is. It is told
 * degraded when that has lasted for 30 s, and recovered when the opposite has, so that nothing flaps. Trouble of some
 * calls among others lasts, too: a calm of less than 5 s does not interrupt it.
 */
import { HYSTERESIS } from './engine.js';
import type { Engine } from './engine.js';
import { Rates } from './rates.js';
import { Timed } from './timer-list.js';

/** `down` only when nothing could answer: everything open or isolated and no substitute that is sure to answer. @publicApi */
export type ChainStatus = 'up' | 'degraded' | 'down';

/** The longest calm that does not end trouble, ms. */
const LULL = 5_000;

/** @internal */
export class ChainWatch extends Timed {
  readonly rates = new Rates();
  /** from when on it counts, wall clock */
  since: number;
  /** the last call that was answered or exhausted was answered in full */
  private isInFull = true;
  private isTroubled = false;
  /** the last that was told is that it is degraded */
  private isTold = false;
  /** when trouble last came or went, monotonic */
  private turnedAt = -Infinity;
  /** since when it has been as it is, lulls aside; monotonic */
  private steadySince = -Infinity;

  constructor(
    private readonly chain: string,
    private readonly engine: Engine,
    private readonly status: () => ChainStatus,
  ) {
    super();
    this.since = engine.clock.wall();
  }

  /** A call was answered; a healthy one has to do nothing else. */
  answered(now: number, failedOver: boolean, degraded: boolean, paid: boolean): void {
    this.rates.count(now, failedOver, degraded, paid);
    this.isInFull = !degraded;
    if (degraded || this.isTroubled || this.isTold) this.look(now);
  }

  /** A call was exhausted. */
  exhausted(now: number): void {
    this.isInFull = false;
    this.look(now);
  }

  /** Takes note of trouble that came or went, and tells what has lasted. To be called when a circuit has changed. */
  look(now: number): void {
    const status = this.status();
    const isTroubled = status !== 'up' || !this.isInFull;
    if (isTroubled !== this.isTroubled) this.turn(isTroubled, now);
    if (isTroubled === this.isTold || now - this.steadySince < HYSTERESIS) return;
    this.isTold = isTroubled;
    this.stopTimer();
    const { chain, engine } = this;
    const since = engine.clock.wall() - (now - this.steadySince);
    if (isTroubled)
      engine.report({ name: 'chain.degraded', chain, status: status === 'down' ? status : 'degraded', since });
    else engine.report({ name: 'chain.recovered', chain, since });
  }

  expire(): void {
    this.look(this.engine.clock.now());
  }

  /** Forgets what was counted. */
  reset(): void {
    this.rates.clear();
    this.since = this.engine.clock.wall();
    this.isInFull = true;
    this.look(this.engine.clock.now());
  }

  private turn(isTroubled: boolean, now: number): void {
    const isAfterLull = isTroubled && now - this.turnedAt < LULL;
    this.isTroubled = isTroubled;
    this.turnedAt = now;
    // Until degraded is told, a calm may turn out to be a lull: the trouble's time and timer go on.
    if (!this.isTold && (isAfterLull || !isTroubled)) return;
    this.steadySince = now;
    this.stopTimer();
    if (isTroubled !== this.isTold && this.engine.isHeard) this.engine.vigil?.add(this, now);
  }
}
