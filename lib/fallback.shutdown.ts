import { parseDuration } from './core/duration.js';
import type { Engine } from './core/engine.js';
import { ShuttingDownError } from './core/errors.js';
import type { InFlight } from './core/in-flight.js';
import { Timed } from './core/timer-list.js';
import type { Duration } from './core/types.js';
import { countScopes, isInScopeAmong } from './http/scope.js';

const DRAIN = 5_000;

/**
 * The end of one application. Once it has begun, calls in flight get `drain` and are then cancelled; new ones may only be
 * made inside a call in flight, or in a request that was open before, and only until then. No timer waits where no call
 * does.
 * @internal
 */
export class Shutdown extends Timed {
  hasBegun = false;
  private readonly drainTime: number;
  private endsAt = Infinity;
  /** scopes that were opened before */
  private scopes = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly engine: Engine,
    private readonly calls: InFlight,
    drain: Duration = DRAIN,
  ) {
    super();
    this.drainTime = parseDuration(drain) ?? DRAIN;
  }

  /** Begins it, if nobody has; resolves when no call is in flight. */
  drain(): Promise<void> {
    if (!this.hasBegun) this.begin();
    if (this.calls.isEmpty) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }

  /** Whether a new call may still be made. */
  admits(isInner: boolean): boolean {
    if (this.left <= 0 || !(isInner || isInScopeAmong(this.scopes))) return false;
    this.limit();
    return true;
  }

  expire(): void {
    this.calls.cancel(() => new ShuttingDownError());
  }

  private get left(): number {
    return this.endsAt - this.engine.clock.now();
  }

  private begin(): void {
    this.hasBegun = true;
    this.scopes = countScopes();
    this.endsAt = this.engine.clock.now() + this.drainTime;
    this.calls.onQuiet = () => this.rest();
    if (this.calls.isEmpty) this.rest();
    else if (this.left <= 0) this.expire();
    else this.limit();
  }

  /** A call is in flight: it has until the end. */
  private limit(): void {
    this.stopTimer();
    this.startOwnTimer(this.engine.clock, this.left);
  }

  private rest(): void {
    this.stopTimer();
    this.engine.timers.rest();
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
