/**
 * How often a candidate is called, and how often at once. Who comes too early waits for a slot, outside its timeout and
 * inside the call's deadline; who finds too many in flight does not wait at all, since a queue in front of a slow
 * candidate is what an outage drowns in.
 */
import type { Attempt } from './attempt.js';
import type { Call } from './call.js';
import type { CandidatePlan, Traffic } from './plan.js';
import { Race } from './race.js';
import { isThenable } from './thenable.js';
import type { SkipReason } from './types.js';
import type { Ruling } from './verdict.js';

/** Why a candidate cannot be called within this call, as far as that is known now. Takes nothing. @internal */
export function refusalOf(call: Call, { traffic }: CandidatePlan, now: number): SkipReason | null {
  if (traffic === null) return null;
  const { interval, limit, pace, permits } = traffic;
  if (permits.areTaken(limit, now)) return 'saturated';
  const slot = pace.next(interval, now);
  return slot > now && slot - now >= call.remaining ? 'pacing' : null;
}

/** Waits for a slot and gives the time from which it is used. Whether the wait was cancelled, the call knows. @internal */
export async function waitForSlot(
  call: Call,
  { interval, pace }: Traffic,
  slot: number,
  begun: Attempt | null,
): Promise<number> {
  const { clock } = call.plan.engine;
  const since = clock.now();
  // The slot comes before the deadline does.
  const turn = new Race(true);
  pace.reserve(slot);
  begun?.stopTimer();
  call.waiting = turn;
  turn.startOwnTimer(clock, slot - since);
  await new Promise((open) => {
    turn.onCut(open);
  });
  turn.stopTimer();
  call.waiting = null;
  pace.release(slot);
  if (call.history !== null) call.history.resumedAt = NaN;
  const now = clock.now();
  call.time?.check(now);
  if (begun !== null) goOn(begun, now - since, now);
  // Who is a whole interval late, since something blocked the thread, has lost the slot.
  return now < slot + interval ? slot : now;
}

/** The attempt had begun with an asynchronous `supports`: the wait is no part of its time. */
function goOn(attempt: Attempt, waited: number, now: number): void {
  attempt.startedAt += waited;
  attempt.startOwnTimer(attempt.call.plan.engine.clock, attempt.startedAt + attempt.timeout - now);
}

/** The attempt is over. A stream that is held is in flight until it is let go of. @internal */
export function leaveTraffic(attempt: Attempt, { permits }: Traffic, ruling: Ruling, now: number): void {
  const isStream = attempt.call.plan.stream !== null;
  if (isStream && ruling.next === 'hold') return;
  const { cut, work } = attempt;
  // What gave a stream has been closed.
  if (cut !== null && !isStream && isThenable(work)) permits.outlive(attempt, work, now);
  else permits.giveBack(attempt);
}
