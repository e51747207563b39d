/**
 * Further tries of one candidate inside one attempt. Each waits longer, at random (full jitter), so that callers who
 * failed together do not come back together. A paid candidate is tried again only if no answer came at all: what was
 * answered, or may have been, was paid for.
 */
import type { Attempt } from './attempt.js';
import type { Call } from './call.js';
import { cameWithoutAnswer } from './classify/index.js';
import { CUT } from './race.js';
import type { Ruling } from './verdict.js';

const BASE = 100;
const CAP = 2_000;

/** Waits for the next try; false if there is none, and then nothing was waited for. @internal */
export async function anotherTry(call: Call, attempt: Attempt, { kind }: Ruling): Promise<boolean> {
  const { retries, cost = 0 } = attempt.candidate;
  if (retries === null || attempt.cut !== null || call.cancellation !== null || call.isOutOfTime) return false;
  if (attempt.tries > retries.times || !(retries.on as readonly string[]).includes(kind)) return false;
  if (cost > 0 && !cameWithoutAnswer(attempt.error)) return false;
  const { clock, random } = call.plan.engine;
  const pause = random() * Math.min(CAP, BASE * 2 ** (attempt.tries - 1));
  const isInTime = attempt.startedAt + attempt.timeout > clock.now() + pause && call.deadline.remaining() > pause;
  if (!isInTime) return false;
  const slept = await attempt.wait(
    new Promise<void>((resolve) => {
      const timer = clock.setTimer(resolve, pause);
      attempt.teardown = () => {
        timer.clear();
      };
    }),
  );
  if (slept === CUT) attempt.release();
  else attempt.tries++;
  return slept !== CUT;
}
