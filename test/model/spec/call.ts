/** One call: what it was given and what has happened so far, and what that means for time and for gates. */
import type { FailureKind, OutcomeKind, Receipt, SkipReason } from '../../../lib/core/index.js';
import { DISTINCT as TIMES } from '../instants.js';
import { thingOf } from '../program.js';
import type { Play, Program, Rung } from '../program.js';
import type { Memory, World } from './world.js';

export interface CallOfProgram {
  readonly number: number;
  readonly question: number;
  readonly plays: readonly Play[];
  readonly isSwitchedOff: boolean;
  readonly startedAt: number;
  isCancelled: boolean;
}

/** An attempt record, without what only clocks know. */
export interface Attempted {
  readonly candidate: string;
  readonly index: number;
  readonly attempt?: number;
  readonly kind: OutcomeKind | 'skipped';
  readonly reason?: SkipReason;
  readonly duration?: number;
  readonly cost?: number;
  readonly retryAfter?: number;
}

/** What a receipt says of an answer. */
export type Answer = Pick<Receipt, 'servedBy' | 'source' | 'degraded' | 'failedOver'> &
  Partial<Pick<Receipt, 'reason' | 'age'>>;

/** How a call ends, in words that both sides use; `shows` is the mark where it can be seen. */
export type Ending = { readonly attempts: readonly Attempted[]; readonly stoppedBy?: FailureKind } & (
  | ({ readonly value: string; readonly shows?: boolean } & Answer)
  | ({ readonly error: string; readonly failures?: readonly string[]; readonly retryAfter?: number } & Partial<Answer>)
);

/** Of a stream: by whom it was served; the elements are told apart, and what its consumer has left has no end of its own. */
export interface StreamEnding extends Partial<Answer> {
  readonly attempts?: readonly Attempted[];
  readonly stoppedBy?: FailureKind;
  readonly left?: boolean;
  readonly error?: string;
  readonly failures?: readonly string[];
  readonly retryAfter?: number;
}

/** Waits for an answer, at most so long. */
export interface Wait {
  readonly answerAt: number;
  readonly cutAt: number;
}
export type Woken = 'answered' | 'cut' | 'cancelled';
export type Waiting<T> = Generator<Wait, T, Woken>;

const ANSWERS: readonly (OutcomeKind | undefined)[] = ['ok', 'thin', 'empty', undefined];

export const isFailure = (kind: OutcomeKind | undefined): kind is FailureKind => !ANSWERS.includes(kind);

export class Call {
  readonly program: Program;
  readonly records: Attempted[] = [];
  /** `a: what it threw`, in order */
  readonly failures: string[] = [];
  /** passed over for their open circuits: the last resort */
  readonly deferred: number[] = [];
  attempts = 0;
  held: { readonly place: number; readonly kind: OutcomeKind } | null = null;
  lastFailure: FailureKind | undefined;
  budgetError: string | null = null;
  firstSupported: number | undefined;

  constructor(
    readonly world: World,
    readonly given: CallOfProgram,
  ) {
    this.program = world.program;
  }

  rung(place: number): Rung {
    return this.program.rungs[place]!;
  }

  memory(place: number): Memory {
    return this.world.memories[place]!;
  }

  play(place: number): Play {
    return this.given.plays[place]!;
  }

  /** By this candidate, now. */
  served(place: number): void {
    this.memory(place).servedAt = this.world.now;
  }

  /** By name. */
  answerOf(place: number): string {
    return thingOf(place, this.play(place).does, this.given.number);
  }

  /** What may be stored as the last known good; null is nothing. */
  rememberedOf(place: number): string | null {
    return this.answerOf(place);
  }

  get deadline(): number | undefined {
    return this.program.deadline;
  }

  get deadlineAt(): number {
    const { deadline } = this.program;
    return deadline === undefined ? Infinity : this.given.startedAt + TIMES.deadline(deadline);
  }

  /** Candidates are cut at `deadline` minus `reserve`. */
  get candidatesEnd(): number {
    return this.deadlineAt - (this.program.reserve ?? 0);
  }

  get isOutOfTime(): boolean {
    return this.world.now >= this.candidatesEnd;
  }

  /** After a spent budget only candidates of cost 0 are still tried; the others leave no record. */
  isTooDear(place: number): boolean {
    return this.budgetError !== null && this.rung(place).cost !== 0;
  }

  /** Whether `on` is met, of a candidate or of the substitutes: it is about the last failure. */
  isAnsweredBy(kinds: readonly FailureKind[] | undefined): boolean {
    if (kinds === undefined) return true;
    const last = this.lastFailure ?? this.knownFailure();
    return last !== undefined && kinds.includes(last);
  }

  /** Before the first failure: what the last candidate that is cooling is known for. An isolated one cannot be reached. */
  private knownFailure(): FailureKind | undefined {
    const last = this.records.findLast(({ reason }) => reason === 'cooling' || reason === 'isolated');
    if (last?.reason === 'isolated') return 'transient';
    const known = last && this.memory(last.index).lastKind;
    return isFailure(known) ? known : undefined;
  }
}
