import { AttemptTimeoutError } from '../errors.js';
import type { TimerList } from '../timer-list.js';
import { Timed } from '../timer-list.js';
import type { Clock } from '../types.js';
import type { StreamCall } from './stream-call.js';

/** How long a source that should give something has given nothing. @internal */
export class Silence extends Timed {
  constructor(
    private readonly clock: Clock,
    private readonly timers: TimerList,
    private readonly onSilence: (error: AttemptTimeoutError) => void,
  ) {
    super();
  }

  /** The source is asked, or has just given and will go on unasked. */
  begin(): void {
    if (this.list === null) this.timers.add(this, this.clock.now());
  }

  expire(): void {
    this.onSilence(new AttemptTimeoutError(this.timers.delay));
  }
}

/** The one that a stream's sources have to keep to; null if they may be silent for ever. @internal */
export function silenceOf(
  { plan: { engine, stream } }: StreamCall,
  onSilence: (error: AttemptTimeoutError) => void,
): Silence | null {
  const { idle } = stream!;
  return idle === null ? null : new Silence(engine.clock, idle, onSilence);
}
