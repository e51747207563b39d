import type { Clock } from '../core/index.js';

interface Pending {
  readonly at: number;
  readonly fn: () => void;
  isRefd: boolean;
}

/**
 * A clock that stands still until it is told to move; wall and monotonic time apart. Timeouts, cooldowns and ages follow it.
 * @example const clock = new TestClock(); FallbackModule.forRoot({ clock }); await clock.advance(30_000)
 * @publicApi
 */
export class TestClock implements Clock {
  private mono = 1_000;
  private epoch: number;
  private readonly pending = new Set<Pending>();

  constructor(wall = Date.UTC(2027, 2, 5, 9, 30)) {
    this.epoch = wall;
  }

  now(): number {
    return this.mono;
  }

  wall(): number {
    return this.epoch;
  }

  setTimer(fn: () => void, delay: number) {
    const timer: Pending = { at: this.mono + delay, fn, isRefd: true };
    this.pending.add(timer);
    return {
      clear: () => void this.pending.delete(timer),
      ref: () => void (timer.isRefd = true),
      unref: () => void (timer.isRefd = false),
    };
  }

  /** Moves only the wall clock, as a correction of the machine's clock would. */
  setWall(wall: number): void {
    this.epoch = wall;
  }

  /** Moves both clocks, firing what is due in order and letting all reactions run in between. */
  async advance(ms: number): Promise<void> {
    await settle();
    const end = this.mono + ms;
    for (let next = this.next(end); next !== undefined; next = this.next(end)) {
      this.moveTo(next.at);
      this.pending.delete(next);
      next.fn();
      await settle();
    }
    this.moveTo(end);
    await settle();
  }

  /** A promise that settles when this clock has moved on by `ms`. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.setTimer(resolve, ms);
    });
  }

  /** Timers that would keep a process alive. */
  get refd(): number {
    return [...this.pending].filter(({ isRefd }) => isRefd).length;
  }

  get timers(): number {
    return this.pending.size;
  }

  private next(end: number): Pending | undefined {
    return [...this.pending].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
  }

  private moveTo(time: number): void {
    this.epoch += Math.max(0, time - this.mono);
    this.mono = Math.max(this.mono, time);
  }
}

/** Lets every promise reaction run that can run now. @internal */
export function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
