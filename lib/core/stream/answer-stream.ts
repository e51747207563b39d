/** How the walk of a stream chain answers: with a stream that it held, one that ended early, or a substitute's elements. */
import { announce } from '../answer.js';
import type { Attempt } from '../attempt.js';
import type { Call } from '../call.js';
import { UNMARKABLE } from '../plan.js';
import type { Offer } from '../plan.js';
import { isPaid, reasonOf, receiptFor } from '../receipt.js';
import type { Ending } from '../receipt.js';
import type { Ruling } from '../verdict.js';
import type { Opening } from './opening.js';
import { servingOf } from './serving.js';
import { shapeAll, shapeOf } from './shape.js';
import { StandInFlow, isFlowing } from './stand-in-flow.js';
import type { StreamCall } from './stream-call.js';

/** Something, or UNMARKABLE: the elements go to the call's consumer. @internal */
export function answerStream(given: Call, attempt: Attempt, settled: unknown, ruling: Ruling, now: number): unknown {
  const call = given as StreamCall;
  const opened = settled as Opening;
  if (!opened.isBarren) return opened.commit(ruling, true);
  const { plan } = call;
  const { ending, receipt, shape } = servingOf(call, attempt, opened, ruling);
  const elements = shapeAll(call, opened.elements, shape, ending.source);
  if (elements === null) return UNMARKABLE;
  if (ruling.kind === 'ok' && !ending.degraded) {
    const collector = plan.substitutes?.collect(call);
    for (const element of opened.elements) collector?.add(element);
    collector?.keep();
  }
  if (receipt !== null) announce(call, receipt);
  plan.watch?.answered(now, ending.index !== call.firstSupported, ending.degraded, isPaid(call.records));
  return give(call, elements);
}

/** The elements of a substitute, each marked; UNMARKABLE if one cannot be. @internal */
export function serveElements(given: Call, { value, source, age }: Offer): unknown {
  const call = given as StreamCall;
  const { plan, history } = call;
  const ending: Ending = { servedBy: null, source, degraded: true, reason: reasonOf(call), age };
  const receipt = receiptFor(call, { ...ending, stoppedBy: history?.budget ? 'budget' : undefined });
  const shape = shapeOf(call, ending, receipt)!;
  const told = (): void => {
    announce(call, receipt);
    plan.watch?.answered(plan.engine.clock.now(), receipt.failedOver, true, receipt.cost > 0);
  };
  if (isFlowing(value)) {
    told();
    return new StandInFlow(call, shape).begin(value);
  }
  const elements = shapeAll(call, source === 'skipped' ? [] : elementsOf(value), shape, source);
  if (elements === null) return UNMARKABLE;
  told();
  return give(call, elements);
}

function give({ consumer }: StreamCall, elements: readonly unknown[]): null {
  for (const element of elements) consumer.next(element);
  consumer.complete();
  return null;
}

/** A value is one element, a list its elements. Bytes are a value. @internal */
export function elementsOf(value: unknown): readonly unknown[] {
  const isList = typeof value === 'object' && value !== null && Symbol.iterator in value && !ArrayBuffer.isView(value);
  return isList ? [...(value as Iterable<unknown>)] : [value];
}
