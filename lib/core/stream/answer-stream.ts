/** How the walk of a stream chain answers: with a stream that it held, one that ended early, or a substitute's elements. */
import { announce } from '../answer.js';
import type { Attempt } from '../attempt.js';
import type { Call } from '../call.js';
import { UNMARKABLE } from '../plan.js';
import type { Offer } from '../plan.js';
import { CUT, FAILED, Race } from '../race.js';
import { isPaid, reasonOf, receiptFor } from '../receipt.js';
import type { Ending } from '../receipt.js';
import type { Ruling } from '../verdict.js';
import type { Opening } from './opening.js';
import { servingOf } from './serving.js';
import { shapeAll, shapeOf } from './shape.js';
import { StandInFlow, elementsOf } from './stand-in-flow.js';
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

/** The elements of a substitute, each marked; UNMARKABLE if the first cannot be, or does not come. @internal */
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
  const list = source === 'skipped' ? [] : elementsOf(value);
  if (list === null) return serveFlow(call, new StandInFlow(call, shape, source), value, told);
  const elements = shapeAll(call, list, shape, source);
  if (elements === null) return UNMARKABLE;
  told();
  return give(call, elements);
}

/** Waits for the first element of a substitute that is a stream, within what is left of the deadline. */
async function serveFlow(call: StreamCall, flow: StandInFlow, value: unknown, told: () => void): Promise<unknown> {
  const { engine, name: chain } = call.plan;
  const race = (call.waiting = new Race(true));
  race.teardown = () => flow.close();
  if (call.time !== null) race.startOwnTimer(engine.clock, call.time.forSubstitute);
  const began = await race.wait(flow.open(value));
  race.stopTimer();
  call.waiting = null;
  if (began === CUT || began === FAILED || call.cancellation !== null) {
    race.release();
    if (call.cancellation === null) engine.report({ name: 'hook.failed', chain, hook: 'substitute' });
    return UNMARKABLE;
  }
  told();
  flow.begin();
  return null;
}

function give({ consumer }: StreamCall, elements: readonly unknown[]): null {
  for (const element of elements) consumer.next(element);
  consumer.complete();
  return null;
}
