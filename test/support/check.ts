import { expect } from '@jest/globals';
import { FallbackExhaustedError, receiptOf } from '../../lib/index.js';
import type { FallbackEvent, Receipt } from '../../lib/index.js';
import { CHAIN, attemptsOf, open } from './ladder.js';
import type { Call, Ladder, Setup } from './ladder.js';

/** One call of a case and all that must be seen of it. Exactly one of `value`, `throws` and `exhausted` is given. */
export interface Run {
  /** when it starts: virtual ms after the ladder was built; default as soon as the one before has ended */
  readonly at?: number;
  readonly question?: unknown;
  /** virtual ms it takes; default 0 */
  readonly takes?: number;
  /** the very value */
  readonly value?: unknown;
  /** the very error */
  readonly throws?: unknown;
  readonly exhausted?: Exhausted;
  /** calls of every candidate so far, this one's included */
  readonly calls: Readonly<Record<string, number>>;
  /** `a:ok`, `a:skipped(cooling)` */
  readonly attempts: readonly string[];
  readonly receipt: Pick<Receipt, 'servedBy' | 'failedOver' | 'degraded'> & Partial<Receipt>;
  /** every circuit afterwards: `closed 0`, `open 1 for 5000` */
  readonly circuits: Readonly<Record<string, string>>;
  /** hooks that were reported as faulty; default none */
  readonly faultyHooks?: readonly string[];
}

interface Exhausted {
  readonly message: string;
  /** what each candidate threw: the very error, or a matcher */
  readonly failures: readonly (readonly [candidate: string, error: unknown])[];
  readonly retryAfter?: number;
}

export interface Case extends Setup {
  /** the number of the case, then what it is about */
  readonly title: string;
  readonly runs: readonly Run[];
}

/** What was seen of one call. Without a receipt scope the receipt of a plain value is not to be had. */
export interface Seen extends Pick<Call, 'outcome' | 'took' | 'receipt'> {
  readonly calls: Readonly<Record<string, number>>;
  readonly circuits: Readonly<Record<string, string>>;
  readonly events: readonly FallbackEvent[] | undefined;
}

/** Who answered, in full. */
export const servedBy = (candidate: string) =>
  ({ servedBy: candidate, source: 'candidate', failedOver: false, degraded: false }) as const;
/** The same, where it was not the first that could have. */
export const failedOverTo = (candidate: string) => ({ ...servedBy(candidate), failedOver: true }) as const;
export const nobody = { servedBy: null, failedOver: false, degraded: false } as const;
export const stoppedBy = (kind: NonNullable<Receipt['stoppedBy']>) => ({ ...nobody, stoppedBy: kind }) as const;

/** Plays a case to its end, checking every call. */
export async function play({ runs, ...setup }: Case, isWatched: boolean): Promise<void> {
  const ladder = await open({ ...setup, isWatched });
  for (const run of runs) {
    if (run.at !== undefined) await ladder.goTo(run.at);
    const before = ladder.events.length;
    const { outcome, took, receipt } = await ladder.call(run.question, run.takes);
    const events = isWatched ? ladder.events.slice(before) : undefined;
    const { circuits } = ladder;
    check({ outcome, took, receipt, calls: ladder.calls, circuits, events }, run);
    checkTimes(ladder);
  }
}

export function check(seen: Seen, run: Run): void {
  const { outcome, took, events } = seen;
  expect(seen.calls).toEqual(run.calls);
  expect(took).toBe(run.takes ?? 0);
  if (run.exhausted !== undefined) checkExhausted(outcome, run.exhausted);
  else if ('throws' in run) {
    expect(outcome).toHaveProperty('error');
    expect((outcome as { error: unknown }).error).toBe(run.throws);
  } else {
    expect(outcome).toHaveProperty('value');
    expect((outcome as { value: unknown }).value).toBe(run.value);
  }
  const error = (outcome as { error?: unknown } | undefined)?.error;
  const receipt = error === undefined ? seen.receipt : receiptOf(error);
  if (events !== undefined || error !== undefined) checkReceipt(receipt, run);
  if (events !== undefined) {
    checkEvents(events, receipt!);
    const faulty = events.filter(({ name }) => name === 'hook.failed').map(({ hook }) => hook);
    expect(faulty).toEqual(run.faultyHooks ?? []);
  }
  expect(seen.circuits).toEqual(run.circuits);
}

function checkExhausted(outcome: Seen['outcome'], expected: Exhausted): void {
  const error = (outcome as { error?: unknown } | undefined)?.error as FallbackExhaustedError;
  expect(error).toBeInstanceOf(FallbackExhaustedError);
  expect(error).toMatchObject({ code: 'FALLBACK_EXHAUSTED', chain: CHAIN, message: expected.message });
  expect(error.retryAfter).toBe(expected.retryAfter);
  expect(error.attempts).toEqual(receiptOf(error)?.attempts);
  const failures = error.failures();
  expect(failures.map(({ candidate }) => candidate)).toEqual(expected.failures.map(([candidate]) => candidate));
  failures.forEach((failure, place) => {
    const wanted = expected.failures[place]![1];
    if (wanted instanceof Error) expect(failure.error).toBe(wanted);
    else expect(failure.error).toEqual(wanted);
  });
}

/** Attempts are numbered in the order in which they ran; skips have a reason and no number; each names its own place. */
function checkReceipt(receipt: Receipt | undefined, run: Run): void {
  expect(receipt).toBeDefined();
  expect(attemptsOf(receipt!)).toEqual(run.attempts);
  const { attempts } = receipt!;
  const order = Object.keys(run.calls);
  expect(attempts.map(({ index }) => index)).toEqual(attempts.map(({ candidate }) => order.indexOf(candidate)));
  const ran = attempts.filter(({ kind }) => kind !== 'skipped');
  expect(ran.map(({ attempt }) => attempt)).toEqual(ran.map((_, place) => place));
  for (const skip of attempts.filter(({ kind }) => kind === 'skipped')) expect(skip).not.toHaveProperty('attempt');
  expect(receipt).toMatchObject({ chain: CHAIN, duration: run.takes ?? 0, ...run.receipt });
}

/** One outcome per attempt, one end per call. */
function checkEvents(events: readonly FallbackEvent[], receipt: Receipt): void {
  const ran = receipt.attempts.filter(({ kind }) => kind !== 'skipped');
  const settled = events.filter(({ name }) => name === 'attempt.settled');
  expect(settled).toHaveLength(ran.length);
  settled.forEach((event, place) => expect(event).toMatchObject({ ...ran[place] }));
  const ends = events.filter(({ name }) => ['call.served', 'call.exhausted', 'call.stopped'].includes(name));
  expect(ends).toHaveLength(1);
}

/** `openUntil` and `coolingFor` say the same, and nothing is said of a circuit that is not open. */
function checkTimes({ health, clock }: Ladder): void {
  for (const { state, coolingFor, openUntil } of health.snapshot(CHAIN).candidates) {
    expect(coolingFor > 0).toBe(state === 'open');
    expect(openUntil).toBe(coolingFor > 0 ? clock.wall() + coolingFor : 0);
  }
}
