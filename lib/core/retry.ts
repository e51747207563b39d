/**
 * Further tries of one candidate inside one attempt. Each waits longer, at random (full jitter), so that callers who
 * failed together do not come back together. A paid candidate is tried again only if no answer came at all: what was
 * answered, or may have been, was paid for.
 */
import type { Attempt } from './attempt.js';
import type { Call } from './call.js';
import { cameWithoutAnswer } from './classify/index.js';
import { judge, judgeCut, unlessCancelled } from './judge.js';
import { CUT } from './race.js';
import type { Ruling } from './verdict.js';

const BASE = 100;
const CAP = 2_000;

/** How an attempt ended after all that could make it better. @internal */
export interface Outcome {
  settled: unknown;
  ruling: Ruling;
}

/** Waits for a hook that is still thinking, and tries again where another try is due. @internal */
export async function persevere(
  call: Call,
  attempt: Attempt,
  first: unknown,
  judged: Ruling | Promise<Ruling>,
): Promise<Outcome> {
  let settled = first;
  let ruling = await inTime(attempt, judged);
  while (await anotherTry(call, attempt, ruling)) {
    if (attempt.cut !== null) return { settled, ruling: judgeCut(attempt) };
    try {
      settled = await attempt.run();
    } catch (error) {
      settled = attempt.fail(error);
    }
    ruling = await inTime(attempt, judge(attempt, settled));
  }
  return { settled, ruling };
}

/** A ruling within the attempt's time. */
async function inTime(attempt: Attempt, judged: Ruling | Promise<Ruling>): Promise<Ruling> {
  if (!(judged instanceof Promise)) return judged;
  const ruling = await attempt.wait(judged);
  return ruling === CUT ? judgeCut(attempt) : unlessCancelled(attempt, ruling as Ruling);
}

/** Waits for the next try; false if there is none, or none that may still be paid for. The wait itself may be cut. */
async function anotherTry(call: Call, attempt: Attempt, { kind }: Ruling): Promise<boolean> {
  const { retries, cost = 0, traffic } = attempt.candidate;
  if (retries === null || attempt.cut !== null || call.cancellation !== null || call.isOutOfTime) return false;
  if (attempt.tries > retries.times || !(retries.on as readonly string[]).includes(kind)) return false;
  if (cost > 0 && !cameWithoutAnswer(attempt.error)) return false;
  if (call.plan.budget?.forbids(attempt.candidate.cost) === true) return false;
  const { clock, random } = call.plan.engine;
  const now = clock.now();
  const soonest = now + random() * Math.min(CAP, BASE * 2 ** (attempt.tries - 1));
  // A further try is a further call of a paced candidate.
  const due = traffic === null ? soonest : traffic.pace.next(traffic.interval, soonest);
  const isInTime = attempt.startedAt + attempt.timeout > due && call.remaining > due - now;
  if (!isInTime) return false;
  traffic?.pace.reserve(due);
  await attempt.wait(
    new Promise<void>((resolve) => {
      const timer = clock.setTimer(resolve, due - now);
      attempt.teardown = () => {
        timer.clear();
      };
    }),
  );
  traffic?.pace.release(due);
  if (attempt.cut !== null) return true;
  // Others may have spent meanwhile what was left.
  if (call.plan.budget?.forbids(attempt.candidate.cost) === true) return false;
  traffic?.pace.use(due);
  return true;
}
