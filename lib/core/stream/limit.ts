import { DeadlineExceededError } from '../errors.js';
import { Timed } from '../timer-list.js';
import type { StreamCall } from './stream-call.js';

/** The end of the time that a whole stream may take. @internal */
export class Limit extends Timed {
  constructor(
    { plan: { engine }, startedAt }: StreamCall,
    private readonly total: number,
    private readonly onEnd: (error: DeadlineExceededError) => void,
  ) {
    super();
    this.startOwnTimer(engine.clock, Math.max(0, startedAt + total - engine.clock.now()));
  }

  expire(): void {
    this.onEnd(new DeadlineExceededError(this.total));
  }
}

/** A stream's, if it has one. @internal */
export function limitOf(call: StreamCall, onEnd: (error: DeadlineExceededError) => void): Limit | null {
  const { total } = call.plan.stream!;
  return total === Infinity ? null : new Limit(call, total, onEnd);
}
