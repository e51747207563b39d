import { Timed } from '../timer-list.js';
import type { Clock } from '../types.js';

/** The end of the time that a whole stream may take. @internal */
export class Limit extends Timed {
  constructor(
    clock: Clock,
    at: number,
    private readonly onEnd: () => void,
  ) {
    super();
    this.startOwnTimer(clock, Math.max(0, at - clock.now()));
  }

  expire(): void {
    this.onEnd();
  }
}
