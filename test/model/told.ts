/** How a call of the engine has ended, in the words of the model. */
import { FallbackExhaustedError, receiptOf } from '../../lib/core/index.js';
import type { CandidateHealth, Receipt } from '../../lib/core/index.js';
import { AND } from './program.js';
import type { SubstitutesOfProgram } from './program.js';
import type { Props, Thing } from './props.js';
import type { HealthSeen } from './seen.js';
import type { Answer, Attempted, Ending } from './spec/call.js';

export function answerTold(
  given: unknown,
  collected: Receipt | undefined,
  mark: SubstitutesOfProgram['mark'] | undefined,
  props: Props,
): Partial<Ending> {
  const receipt = collected ?? receiptOf(given);
  const { value, shows } = read(given, mark);
  const name = props.nameOfValue(value);
  // Whether a degraded answer is the candidate's object or a marked copy of it is free.
  const isFree = receipt?.degraded === true && (receipt.source === 'candidate' || name.includes('computed'));
  return {
    value: isFree ? name.replace(/^copy of /, '') : name,
    ...(shows !== undefined && { shows }),
    ...(receipt !== undefined && { ...answerOf(receipt), ...stopOf(receipt), attempts: attemptsOf(receipt) }),
  };
}

export function errorTold(error: unknown, collected: Receipt | undefined, props: Props): Partial<Ending> {
  const receipt = collected ?? receiptOf(error);
  const more: { failures?: string[]; retryAfter?: number } = {};
  if (error instanceof FallbackExhaustedError) {
    more.failures = error.failures().map((failure) => `${failure.candidate}: ${props.nameOfError(failure.error)}`);
    if (error.retryAfter !== undefined) more.retryAfter = error.retryAfter;
  }
  return {
    error: props.nameOfError(error),
    ...more,
    ...(receipt !== undefined && { ...stopOf(receipt), attempts: attemptsOf(receipt) }),
  };
}

/** The value under its mark, and what the mark shows; with `'receipt'` or without marks nothing is shown. */
export function read(
  given: unknown,
  mark: SubstitutesOfProgram['mark'] | undefined,
): { value: unknown; shows?: boolean } {
  if (mark === undefined || mark === 'receipt') return { value: given };
  if (mark === 'served') {
    const { value, degraded } = given as { value: unknown; degraded: boolean };
    return { value, shows: degraded };
  }
  return { value: given, shows: typeof given === 'object' && (given as { degraded?: unknown }).degraded === true };
}

export const stopOf = ({ stoppedBy }: Receipt) => (stoppedBy === undefined ? {} : { stoppedBy });

export function answerOf({ servedBy, source, degraded, failedOver, reason, age }: Receipt): Answer {
  const optional = { ...(reason !== undefined && { reason }), ...(age !== undefined && { age }) };
  return { servedBy, source, degraded, failedOver, ...optional };
}

export function attemptsOf({ attempts }: Receipt): Attempted[] {
  return attempts.map(({ startedAt: _startedAt, tries: _tries, ...record }) => record);
}

interface Entry {
  readonly value: Thing | readonly Thing[];
  readonly storedAt: number;
}

const things = ({ value }: Entry): Thing[] => (Array.isArray(value) ? [...(value as Thing[])] : [value as Thing]);

/** What a last known good is about; of a stream all its elements. */
export const storedIn = (entry: object): string =>
  things(entry as Entry)
    .map(({ thing }) => thing)
    .join(AND);

/** The same, with its stamp: it has to be a copy of what was given. */
export function storedTold(entry: object, props: Props): string {
  const names = things(entry as Entry).map((thing) => props.nameOfValue(thing).slice(8));
  return `${names.join(AND)} at ${(entry as Entry).storedAt}`;
}

export function healthTold(health: CandidateHealth, wall: number): HealthSeen {
  const { state, consecutiveFailures, coolingFor, lastKind, lastServedAt, counts } = health;
  return {
    state,
    consecutiveFailures,
    coolingFor,
    ...(lastKind !== undefined && { lastKind }),
    ...(lastServedAt !== undefined && { servedAgo: wall - lastServedAt }),
    counts,
  };
}
