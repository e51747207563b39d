import type { Clock } from './types.js';
import { Timed } from './timer-list.js';
import type { Deadline } from './plan.js';

/** How long a call still has: its candidates until `cutAt`, a substitute until the end, and at least `reserve`. @internal */
export class CallTime extends Timed {
  /** the candidates' part is over */
  isOver = false;
  private readonly cutAt: number;
  private readonly endAt: number;

  /**
   * @param total the whole call's time, ms
   * @param deadline the chain's own, if it has one
   * @param reserve what candidates leave to the substitute, ms
   * @param onOver told once when the candidates' part is over
   */
  constructor(
    private readonly clock: Clock,
    readonly total: number,
    deadline: Deadline | null,
    private readonly reserve: number,
    private readonly onOver: () => void,
  ) {
    super();
    const now = clock.now();
    this.endAt = now + total;
    this.cutAt = this.endAt - this.reserve;
    if (this.cutAt <= now) this.isOver = true;
    else if (total === deadline?.total) deadline.timers.add(this, now);
    else this.startOwnTimer(clock, this.cutAt - now);
  }

  /** What candidates still have, ms. */
  get remaining(): number {
    return Math.max(0, this.cutAt - this.clock.now());
  }

  /** What a substitute still has, ms. */
  get forSubstitute(): number {
    return Math.max(this.endAt - this.clock.now(), this.reserve, 0);
  }

  /** Looks at the time itself: work that blocks the thread also blocks its timer. */
  check(now: number): void {
    if (now >= this.cutAt) this.isOver = true;
  }

  expire(): void {
    this.isOver = true;
    this.onOver();
  }
}
