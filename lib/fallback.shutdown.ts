import { parseDuration } from './core/duration.js';
import type { Engine } from './core/engine.js';
import { ShuttingDownError } from './core/errors.js';
import type { Closing, InFlight, Running } from './core/in-flight.js';
import { Timed } from './core/timer-list.js';
import type { Duration } from './core/types.js';
import { countScopes, isInScopeAmong } from './http/scope.js';

const DRAIN = 5_000;

/**
 * The end of one application. Once it has begun, calls in flight get `drain` and are then cancelled. New ones are
 * cancelled at once, except, until then, inside a call in flight or in a scope (a request) that was open before. No timer
 * waits where no call does.
 * @internal
 */
export class Shutdown extends Timed implements Closing {
  private readonly drainTime: number;
  private endsAt = Infinity;
  /** how many scopes were opened before */
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
    if (this.calls.ending === null) this.begin();
    if (this.calls.isEmpty) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }

  onCall(call: Running): void {
    if (this.left > 0 && (call.isInner || isInScopeAmong(this.scopes))) this.limit();
    else call.cancel(new ShuttingDownError());
  }

  onQuiet(): void {
    this.stopTimer();
    this.engine.timers.rest();
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  expire(): void {
    this.calls.cancel(() => new ShuttingDownError());
  }

  private get left(): number {
    return this.endsAt - this.engine.clock.now();
  }

  private begin(): void {
    this.calls.ending = this;
    this.scopes = countScopes();
    this.endsAt = this.engine.clock.now() + this.drainTime;
    if (this.calls.isEmpty) this.onQuiet();
    else if (this.left <= 0) this.expire();
    else this.limit();
  }

  /** Calls in flight have until the end. */
  private limit(): void {
    this.stopTimer();
    this.startOwnTimer(this.engine.clock, this.left);
  }
}
