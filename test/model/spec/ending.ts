/** Contract, sections 4, 5 and 13: what a call throws. */
import type { FailureKind } from '../../../lib/core/index.js';
import { SPOKEN, thingOf } from '../program.js';
import { isFailure } from './call.js';
import type { Begun } from './attempt.js';
import type { Call, Ending } from './call.js';
import { state } from './circuit.js';

/** The original error or reason itself; no substitute: for "not found" it would be wrong data. */
export function stopped({ records }: Call, error: string, stoppedBy: FailureKind): Ending {
  return { error, stoppedBy, attempts: records };
}

/** Nobody answered. A spent budget is thrown itself; with `rethrow: 'last'` the last real error is. */
export function exhausted(call: Call): Ending {
  const { records, failures, program, budgetError } = call;
  if (budgetError !== null) return stopped(call, budgetError, 'budget');
  const last = failures.at(-1);
  if (last !== undefined && (program.rethrow === 'last' || isNobodysBusiness(call))) {
    return { error: last.replace(/^.: /, ''), attempts: records };
  }
  return { error: 'exhausted', failures, ...retryAfter(call), attempts: records };
}

/** If every other candidate was `gated`, candidate 0's own error is rethrown. */
function isNobodysBusiness({ records }: Call): boolean {
  const others = records.filter(({ index }) => index !== 0);
  const own = records.find(({ index }) => index === 0);
  const hasFailed = own !== undefined && own.kind !== 'skipped' && isFailure(own.kind);
  return hasFailed && others.length > 0 && others.every(({ reason }) => reason === 'gated');
}

/** The soonest reopening. */
function retryAfter({ world: { memories, now } }: Call): { retryAfter?: number } {
  const open = memories.filter(({ circuit }) => state(circuit, now) === 'open');
  if (open.length === 0) return {};
  return { retryAfter: Math.ceil(Math.min(...open.map(({ circuit }) => circuit.openUntil!)) - now) };
}

/** What the candidate throws, or what is made of a value that was not taken. */
export function errorOf(call: Call, place: number): string {
  const { does } = call.play(place);
  const thing = thingOf(place, does, call.given.number);
  const isValue = does === 'rejected' || (call.rung(place).speaksInValues === true && SPOKEN.includes(does));
  return isValue ? `rejected: ${thing}` : thing;
}

export function cutError({ program, deadline }: Call, { place, isOwnTimeout }: Begun): string {
  return isOwnTimeout ? `timed out after ${program.rungs[place]!.timeout}` : `deadline of ${deadline}`;
}
