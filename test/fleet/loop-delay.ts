/** How late this process's event loop was, at any time of the last few seconds. */

/** How often the loop is looked at, ms. */
const EVERY = 5;
/** A call is judged within that time, ms. */
const KEPT = 5_000;

export class LoopDelay {
  private pauses: { from: number; to: number }[] = [];
  private last = performance.now();
  private readonly timer = setInterval(() => this.look(), EVERY).unref();

  /** The largest delay between two times, ms. To be asked once the loop has turned after `to`. */
  during(from: number, to: number): number {
    const within = this.pauses.filter((pause) => pause.to >= from && pause.from <= to);
    return Math.max(0, ...within.map((pause) => pause.to - pause.from - EVERY));
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const now = performance.now();
    if (now - this.last > 2 * EVERY) this.pauses.push({ from: this.last, to: now });
    this.last = now;
    while (this.pauses[0] !== undefined && this.pauses[0].to < now - KEPT) this.pauses.shift();
  }
}
