/**
 * The start of a call that nothing can cut but the end of its application: no limit, no caller's signal, no scope. A gate
 * for each would cost a fifth of a healthy call, so its candidate 0 is not awaited but listened to. When the
 * application's patience ends, it is told that it was cut, as if its work had settled. All that follows is the walk's.
 */
import { admit } from './admission.js';
import type { Attempt } from './attempt.js';
import type { Call } from './call.js';
import { NEXT, conclude } from './conclude.js';
import { judge } from './judge.js';
import type { Ruling } from './verdict.js';
import { walk } from './walk.js';

type Settle = (value: unknown) => void;

// A static executor: no closure per call.
let resolveLast: Settle;
let rejectLast: Settle;
const executor = (resolve: Settle, reject: Settle): void => {
  resolveLast = resolve;
  rejectLast = reject;
};

/** Runs a call of a plan that `isPlain`, given nothing but arguments. @internal */
export function start(call: Call): Promise<unknown> {
  const answer = new Promise<unknown>(executor);
  const resolve = resolveLast;
  const reject = rejectLast;
  call.enter();
  let attempt: Attempt | null;
  try {
    attempt = admit(call, call.plan.ladder[0]!) as Attempt | null;
  } catch (error) {
    call.leave();
    reject(error);
    return answer;
  }
  if (attempt === null) {
    resolve(walk(call, 1));
    return answer;
  }
  call.begin(attempt);
  // Told once: by the candidate, or by whoever cuts it before.
  const settle = (settled: unknown): void => {
    if (call.waiting !== attempt) return;
    call.waiting = null;
    try {
      const concluded = conclude(call, attempt, settled, judge(attempt, settled) as Ruling);
      if (concluded === NEXT) return resolve(walk(call, 1));
      call.leave();
      resolve(concluded);
    } catch (error) {
      call.leave();
      reject(error);
    }
  };
  try {
    const work = attempt.cut === null ? attempt.invoke() : attempt.forgo();
    attempt.onCut(settle);
    if (work instanceof Promise) work.then(settle, (error: unknown) => settle(attempt.fail(error)));
    else settle(work);
  } catch (error) {
    settle(attempt.fail(error));
  }
  return answer;
}
