import { from } from 'rxjs';
import type { Observable } from 'rxjs';
import { barePlan } from './core/bare-plan.js';
import { Call } from './core/call.js';
import type { CallInputs } from './core/call.js';
import { isSignal } from './core/cancellation.js';
import { isEnabled } from './core/enabled.js';
import type { ChainPlan } from './core/plan.js';
import { rerouted } from './core/rerouted.js';
import { run } from './core/run.js';
import { StreamCall } from './core/stream/stream-call.js';
import type { Entry } from './fallback.registry.js';
import { currentScope } from './http/scope.js';
import type { Ladder } from './http/scope.js';
import { faceOf } from './streaming/faces.js';
import type { Open } from './streaming/observable-face.js';

/** The caller's signal, where the method marks a place for it. @internal */
export function signalIn(args: readonly unknown[], { signal: place }: Entry): AbortSignal | undefined {
  const given = place < 0 ? undefined : args[place];
  return isSignal(given) ? given : undefined;
}

/**
 * Makes the calls of a stream that is asked for here: their scope is the one in which it was asked for, else the one in
 * which it is read.
 * @internal
 */
export function opener(
  entry: Entry,
  plan: ChainPlan,
  host: object,
  args: readonly unknown[],
  outer: CallInputs | undefined,
): Open {
  const asked = currentScope();
  return (consumer) => {
    const walked = isEnabled(plan, host, plan.enabled) ? plan : barePlan(plan);
    const inputs = { signal: signalIn(args, entry), ...outer, scope: asked ?? currentScope() };
    return new StreamCall(walked, host, args, inputs, consumer);
  };
}

/** Whether an interceptor may run it. Server-sent events begin in the method; of other streams it sees only the object. @internal */
export function mayBeClaimed({ plan, stream }: Entry, host: object): boolean {
  return stream !== 'events' && stream !== 'async-iterable' && isEnabled(plan, host, plan.enabled);
}

/** The ladder of a handler, for the interceptor that runs it. @internal */
export function ladderOf(entry: Entry, host: object, args: readonly unknown[]): Ladder {
  return (route, given) => {
    const plan = rerouted(entry.plan, route);
    const inputs = { signal: signalIn(args, entry), ...given };
    if (entry.stream === null) return from(run(new Call(plan, host, args, inputs)));
    return faceOf(
      entry.stream,
      (consumer) => new StreamCall(plan, host, args, inputs, consumer),
    ) as Observable<unknown>;
  };
}
