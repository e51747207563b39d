import type { TimerList } from '../timer-list.js';
import { Timed } from '../timer-list.js';
import type { Clock } from '../types.js';

/** How long a source that should give something has given nothing. @internal */
export class Silence extends Timed {
  constructor(
    private readonly clock: Clock,
    private readonly timers: TimerList,
    private readonly onSilence: () => void,
  ) {
    super();
  }

  /** The source is asked, or has just given and will go on unasked. */
  begin(): void {
    if (this.list === null) this.timers.add(this, this.clock.now());
  }

  expire(): void {
    this.onSilence();
  }
}
