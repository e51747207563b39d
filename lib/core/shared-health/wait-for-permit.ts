import type { Call } from '../call.js';
import { Race } from '../race.js';
import type { Mirror } from './mirror.js';

/** Waits for the store's word on a probe, as a call does that has nobody else left; the call may be over afterwards. @internal */
export async function waitForPermit(call: Call, { asking, patience }: Mirror): Promise<void> {
  const { clock } = call.plan.engine;
  const wait = new Race(true);
  call.waiting = wait;
  // A timer of its own: the link's lets the process end.
  wait.startOwnTimer(clock, Math.min(patience, call.remaining));
  await wait.wait(asking);
  wait.stopTimer();
  call.waiting = null;
  call.tell().resumedAt = NaN;
  call.time?.check(clock.now());
}
