/** How a call ends without an answer: stopped by a verdict or by the caller, or exhausted. */
import type { Call } from './call.js';
import { stateOfCandidate } from './candidate-health.js';
import { statusOf } from './classify/index.js';
import type { Told } from './engine.js';
import { FallbackExhaustedError, codeOf } from './errors.js';
import { setReceipt } from './marks.js';
import { reasonOf, receiptFor } from './receipt.js';
import type { Ending } from './receipt.js';
import type { AttemptRecord, FailureKind, Receipt } from './types.js';

/** The longest message of a candidate that is quoted with `detail: 'messages'`. */
const QUOTED = 200;

const nobody = (reason: Ending['reason'], stoppedBy?: FailureKind): Ending => {
  return { servedBy: null, source: 'candidate', degraded: false, reason, stoppedBy };
};

/** What a stopped call throws: the very error, unwrapped. @internal */
export function stopped(call: Call, error: unknown, by: FailureKind): unknown {
  const receipt = receiptFor(call, nobody(by, by));
  return leave(call, 'call.stopped', error, receipt);
}

/** What a call throws when no candidate and no substitute has answered it. @internal */
export function endWithoutAnswer(call: Call): unknown {
  if (call.cancellation !== null) return stopped(call, call.cancellation.reason, 'cancelled');
  const budget = call.history?.budget ?? null;
  return budget === null ? exhausted(call) : stopped(call, budget.error, 'budget');
}

function exhausted(call: Call): unknown {
  const { plan, failures, records } = call;
  const last = failures.at(-1);
  const error =
    last !== undefined && (plan.rethrow === 'last' || nobodyAnswersIt(records))
      ? last.error
      : new FallbackExhaustedError({
          chain: plan.name,
          attempts: records,
          failures,
          said: describe(call, records),
          retryAfter: soonestReopening(call),
          lastStatus: lastStatus(failures),
        });
  leave(call, 'call.exhausted', error, receiptFor(call, nobody(reasonOf(call))));
  plan.watch?.exhausted(plan.engine.clock.now());
  return error;
}

/** Only candidate 0 ran, and every other said by its `on` that such a failure is not its business. */
function nobodyAnswersIt(records: readonly AttemptRecord[]): boolean {
  const others = records.filter(({ index }) => index !== 0);
  return others.length > 0 && others.every(({ reason }) => reason === 'gated');
}

function leave(call: Call, name: 'call.stopped' | 'call.exhausted', error: unknown, receipt: Receipt): unknown {
  setReceipt(error, receipt);
  call.scope?.collect(receipt);
  tell(call, name, receipt);
  return error;
}

/** Tells that a stream was stopped after its commit. @internal */
export function tellStopped(call: Call, receipt: Receipt): void {
  tell(call, 'call.stopped', receipt);
}

function tell(call: Call, name: 'call.stopped' | 'call.exhausted', receipt: Receipt): void {
  const { engine, name: chain } = call.plan;
  const { reason, stoppedBy, cost, duration } = receipt;
  const event: Told = { name, chain, cost, duration };
  if (stoppedBy !== undefined) event.kind = stoppedBy;
  if (reason !== undefined) event.reason = reason;
  engine.report(event);
}

/** `name: kind` of every record; with `detail: 'messages'` also what each of the failed said. */
function describe({ plan, failures }: Call, records: readonly AttemptRecord[]): string {
  const kinds = records.map(({ candidate, kind, reason }) => `${candidate}: ${reason ?? kind}`);
  const said = failures.map(({ candidate, error }) => `${candidate}: ${quote(error)}`);
  const lists = plan.detail === 'messages' && said.length > 0 ? [kinds, said] : [kinds];
  return lists.map((list) => `(${list.join('; ')})`).join(' ');
}

function quote(error: unknown): string {
  try {
    const text = codeOf(error) === undefined ? String(error) : (error as Error).message;
    return text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text;
  } catch {
    return 'an error that cannot be printed';
  }
}

function soonestReopening({ plan }: Call): number | undefined {
  const now = plan.engine.clock.now();
  let soonest = Infinity;
  for (const candidate of plan.candidates) {
    const isOpen = stateOfCandidate(candidate, now) === 'open';
    if (isOpen) soonest = Math.min(soonest, candidate.circuit.openUntil - now);
  }
  return soonest === Infinity ? undefined : Math.ceil(soonest);
}

function lastStatus(failures: Call['failures']): number | undefined {
  for (let place = failures.length - 1; place >= 0; place--) {
    const status = statusOf(failures[place]!.error);
    if (status !== undefined) return status;
  }
  return undefined;
}
