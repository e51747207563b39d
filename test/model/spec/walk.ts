/**
 * Contract, sections 4, 5 and 7: one call, written as it reads. Whenever it has to wait, it says for what and until when.
 *
 * Read where the contract leaves room: whether there is time is asked first, then whether the candidate supports the
 * call, whether the last failure is its business, and at last its circuit. The last resort is for candidates that were
 * open when they were passed over, and not by advice or denial: by then one may be due, and this is its probe, or closed.
 */
import type { FailureKind, OutcomeKind, SkipReason } from '../../../lib/core/index.js';
import { DISTINCT as TIMES } from '../instants.js';
import { SPOKEN, nameOf, reasonOf, thingOf } from '../program.js';
import type { Play, Program, Rung } from '../program.js';
import { admit, admitLast, begin, settle, state } from './circuit.js';
import type { Admission } from './circuit.js';
import { isFailure } from './ending.js';
import type { Answer, Attempted, Ending } from './ending.js';
import { ageOf, isWriteDue } from './last-known-good.js';
import { cutByDeadline, judge, verdict } from './verdicts.js';
import type { Verdict } from './verdicts.js';
import { count } from './world.js';
import type { Memory, World } from './world.js';

export interface CallOfProgram {
  readonly number: number;
  readonly question: number;
  readonly plays: readonly Play[];
  readonly isSwitchedOff: boolean;
  readonly startedAt: number;
  isCancelled: boolean;
}

/** Waits for an answer, at most so long. */
export interface Wait {
  readonly answerAt: number;
  readonly cutAt: number;
}
export type Woken = 'answered' | 'cut' | 'cancelled';
type Waiting<T> = Generator<Wait, T, Woken>;

interface Held {
  readonly place: number;
  readonly kind: OutcomeKind;
}

export class Walk {
  private readonly program: Program;
  private readonly records: Attempted[] = [];
  private readonly failures: string[] = [];
  /** passed over for their open circuits: the last resort */
  private readonly deferred: number[] = [];
  private attempts = 0;
  private held: Held | null = null;
  /** the last failure of this call */
  private failedWith: FailureKind | undefined;
  private budgetError: string | null = null;
  private firstSupported: number | undefined;

  constructor(
    private readonly world: World,
    private readonly call: CallOfProgram,
  ) {
    this.program = world.program;
  }

  *run(): Waiting<Ending> {
    if (this.call.isCancelled) return this.stopped(reasonOf(this.call.number), 'cancelled');
    for (const place of this.places()) {
      const ending = yield* this.visit(place);
      if (ending !== null) return ending;
    }
    const instead = this.serveHeld() ?? (yield* this.substitute());
    if (instead !== null) return instead;
    for (const place of this.deferred) {
      const ending = yield* this.tryLast(place);
      if (ending !== null) return ending;
    }
    return this.serveHeld() ?? this.exhausted();
  }

  // ------------------------------------------------------------------------------------------------ candidates

  private places(): number[] {
    return this.program.rungs.map((_, place) => place);
  }

  private *visit(place: number): Waiting<Ending | null> {
    const { rung, memory } = this.at(place);
    if (this.budgetError !== null && rung.cost !== 0) return null;
    const admission = this.admission(place, rung, memory);
    if (typeof admission === 'object') return yield* this.attempt(place, admission);
    memory.counts = count(memory, admission);
    this.records.push({ candidate: nameOf(place), index: place, kind: 'skipped', reason: admission });
    return null;
  }

  private admission(place: number, rung: Rung, { circuit }: Memory): Admission | SkipReason {
    if (this.isOutOfTime()) return 'deadline';
    if (this.call.plays[place]!.does === 'passes') return 'unsupported';
    this.firstSupported ??= place;
    if (rung.on !== undefined && !this.isAnsweredBy(rung.on)) return 'gated';
    if (circuit.isIsolated) return 'isolated';
    if (rung.whenOpen === 'ignore') return { period: 0, as: 'usual' };
    const admission = admit(circuit, this.world.now);
    if (admission !== null) return admission;
    const isDeferred = rung.whenOpen !== 'skip' && admitLast(circuit, this.world.now) !== null;
    if (isDeferred) this.deferred.push(place);
    return 'cooling';
  }

  /** The last resort: who was passed over for an open circuit has one record, its run. */
  private *tryLast(place: number): Waiting<Ending | null> {
    const { rung, memory } = this.at(place);
    if (this.isOutOfTime() || (this.budgetError !== null && rung.cost !== 0)) return null;
    const admission = admitLast(memory.circuit, this.world.now);
    if (admission === null) return null;
    this.records.splice(
      this.records.findIndex(({ index }) => index === place),
      1,
    );
    return yield* this.attempt(place, admission);
  }

  private *attempt(place: number, admission: Admission): Waiting<Ending | null> {
    const { world, call } = this;
    const { rung, memory } = this.at(place);
    const play = call.plays[place]!;
    const startedAt = world.now;
    const attempt = this.attempts++;
    memory.circuit = begin(memory.circuit, admission, rung, startedAt);
    world.invoked.push(`${nameOf(place)} of call ${call.number} at ${startedAt}`);

    const answerAt = play.does === 'never' ? Infinity : startedAt + TIMES.answer(place, play.after);
    const timeoutAt = startedAt + (rung.timeout ?? Infinity);
    const deadlineAt = this.candidatesEnd();
    const woken = yield { answerAt, cutAt: Math.min(timeoutAt, deadlineAt) };

    const judged = this.judged(woken, play, rung, timeoutAt <= deadlineAt);
    if (woken === 'cut') this.expectLate(place, answerAt);
    if (rung.whenOpen !== 'ignore') memory.circuit = settle(memory.circuit, admission, judged, rung, world.now);
    memory.counts = count(memory, judged.kind);
    memory.lastKind = judged.kind;
    this.records.push({
      candidate: nameOf(place),
      index: place,
      attempt,
      kind: judged.kind,
      duration: world.now - startedAt,
      ...((rung.cost ?? 0) > 0 && { cost: rung.cost! }),
      ...(judged.retryAfter !== undefined && { retryAfter: judged.retryAfter }),
    });
    const error = woken === 'cut' ? this.cutError(rung, timeoutAt <= deadlineAt) : this.errorOf(place, play);
    return this.conclude(place, judged, error);
  }

  private judged(woken: Woken, play: Play, rung: Rung, isOwnTimeout: boolean): Verdict {
    if (woken === 'cancelled') return verdict('cancelled');
    if (woken === 'cut') return isOwnTimeout ? verdict('timeout') : cutByDeadline;
    return judge(play, rung, this.program.unknown ?? 'transient');
  }

  /** What a verdict means for the call. */
  private conclude(place: number, { kind, next }: Verdict, error: string): Ending | null {
    if (kind === 'cancelled') return this.stopped(reasonOf(this.call.number), kind);
    if (isFailure(kind)) {
      this.failures.push(`${nameOf(place)}: ${error}`);
      this.failedWith = kind;
    }
    if (next === 'stop') return this.stopped(error, kind as FailureKind);
    if (next === 'accept') return this.answered(place, kind);
    if (kind === 'budget') this.budgetError = error;
    // The first thin answer is held; one of them is better than an empty one.
    const isBetter = this.held === null || (this.held.kind === 'empty' && kind === 'thin');
    if (next === 'hold' && isBetter) this.held = { place, kind };
    return null;
  }

  /** A late good answer refreshes the last known good where a write is due, and is counted; else it is inert. */
  private expectLate(place: number, at: number): void {
    const { rung, memory } = this.at(place);
    const play = this.call.plays[place]!;
    if (at === Infinity || rung.heedsSignal === true || rung.degraded === true) return;
    if (judge(play, rung, 'transient').kind !== 'ok') return;
    this.world.later(at, () => {
      memory.counts = count(memory, (rung.cost ?? 0) > 0 ? 'paid-late' : 'late');
      this.remember(place);
    });
  }

  // ------------------------------------------------------------------------------------------------ time

  private deadlineAt(): number {
    const { deadline } = this.program;
    return deadline === undefined ? Infinity : this.call.startedAt + TIMES.deadline(deadline);
  }

  /** Candidates are cut at `deadline` minus `reserve`. */
  private candidatesEnd(): number {
    return this.deadlineAt() - (this.program.reserve ?? 0);
  }

  private isOutOfTime(): boolean {
    return this.world.now >= this.candidatesEnd();
  }

  // ------------------------------------------------------------------------------------------------ endings

  /** `on` is about the last failure; without one it is not met. */
  private isAnsweredBy(kinds: readonly FailureKind[]): boolean {
    const last = this.failedWith ?? this.knownFailure();
    return last !== undefined && kinds.includes(last);
  }

  /** Before the first failure: what the last candidate that is cooling is known for. An isolated one cannot be reached. */
  private knownFailure(): FailureKind | undefined {
    const last = this.records.findLast(({ reason }) => reason === 'cooling' || reason === 'isolated');
    if (last === undefined || last.reason === 'isolated') return last && 'transient';
    const { lastKind } = this.at(last.index).memory;
    return isFailure(lastKind) ? lastKind : undefined;
  }

  private answered(place: number, kind: OutcomeKind): Ending {
    const { rung, memory } = this.at(place);
    memory.servedAt = this.world.now;
    const degraded = kind === 'thin' || rung.degraded === true;
    if (kind === 'ok' && !degraded) this.remember(place);
    return this.served(thingOf(place, this.call.plays[place]!.does, this.call.number), {
      servedBy: nameOf(place),
      source: 'candidate',
      degraded,
      failedOver: place !== this.firstSupported,
      ...(degraded && kind !== 'ok' && { reason: kind }),
    });
  }

  private serveHeld(): Ending | null {
    return this.held === null ? null : this.answered(this.held.place, this.held.kind);
  }

  private remember(place: number): void {
    const { world, call } = this;
    const { lastKnownGood } = this.program.substitutes ?? {};
    if (lastKnownGood === undefined || lastKnownGood.maxAge === 0) return;
    if (!isWriteDue(world.store.get(call.question), world.now, lastKnownGood.refreshAfter)) return;
    const value = thingOf(place, call.plays[place]!.does, call.number);
    world.store.set(call.question, { value, storedAt: world.wall, writtenAt: world.now });
  }

  /** The last known good, then the static or computed one. */
  private *substitute(): Waiting<Ending | null> {
    const { world, call } = this;
    const { substitutes } = this.program;
    if (substitutes === undefined || call.isSwitchedOff) return null;
    if (substitutes.on !== undefined && !this.isAnsweredBy(substitutes.on)) return null;
    const { lastKnownGood, last, mark } = substitutes;
    const stored = world.store.get(call.question);
    const age = lastKnownGood === undefined ? null : ageOf(stored, world.wall, lastKnownGood.maxAge);
    if (age !== null) return this.servedInstead(`copy of ${stored!.value}`, 'last-known-good', age);
    if (last === undefined) return null;
    if (last.is === 'static') return this.servedInstead('copy of the static substitute', 'static');
    const left = Math.max(this.deadlineAt() - world.now, this.program.reserve ?? 0);
    const woken = yield { answerAt: world.now + TIMES.substitute(last.after), cutAt: world.now + left };
    if (woken === 'cancelled') return this.stopped(reasonOf(call.number), 'cancelled');
    // Never unmarked: what cannot carry its mark is not served.
    const isServable = last.gives === 'value' || (last.gives === 'primitive' && mark !== 'property');
    return woken === 'cut' || !isServable ? null : this.servedInstead(`a computed ${last.gives}`, 'static');
  }

  private servedInstead(value: string, source: Answer['source'], age?: number): Ending {
    const reason = this.failedWith ?? this.records.at(-1)?.reason;
    return this.served(value, {
      servedBy: null,
      source,
      degraded: true,
      failedOver: false,
      ...(reason !== undefined && { reason }),
      ...(age !== undefined && { age }),
    });
  }

  private served(value: string, answer: Answer): Ending {
    const { mark = 'receipt' } = this.program.substitutes ?? {};
    const shows = mark === 'receipt' ? {} : { shows: answer.degraded };
    const stoppedBy = answer.degraded && this.budgetError !== null ? { stoppedBy: 'budget' as const } : {};
    return { value, ...answer, ...shows, ...stoppedBy, attempts: this.records };
  }

  /** The original error or reason itself; no substitute: for "not found" it would be wrong data. */
  private stopped(error: string, stoppedBy: FailureKind): Ending {
    return { error, stoppedBy, attempts: this.records };
  }

  private exhausted(): Ending {
    if (this.budgetError !== null) return this.stopped(this.budgetError, 'budget');
    const [first, ...others] = [...this.records].sort((one, other) => one.index - other.index);
    const isNobodysBusiness = others.length > 0 && others.every(({ reason }) => reason === 'gated');
    const own = first?.index === 0 && isFailure(first.kind as OutcomeKind);
    const last = this.failures.at(-1);
    if (last !== undefined && (this.program.rethrow === 'last' || (own && isNobodysBusiness))) {
      return { error: last.replace(/^.: /, ''), attempts: this.records };
    }
    const soonest = Math.min(...this.openings());
    const retryAfter = soonest === Infinity ? {} : { retryAfter: Math.ceil(soonest - this.world.now) };
    return { error: 'exhausted', failures: this.failures, ...retryAfter, attempts: this.records };
  }

  private openings(): number[] {
    const { now, memories } = this.world;
    return memories.map(({ circuit }) => (state(circuit, now) === 'open' ? circuit.openUntil! : Infinity));
  }

  private errorOf(place: number, { does }: Play): string {
    const thing = thingOf(place, does, this.call.number);
    const isValue = does === 'rejected' || (this.at(place).rung.speaksInValues === true && SPOKEN.includes(does));
    return isValue ? `rejected: ${thing}` : thing;
  }

  private cutError({ timeout }: Rung, isOwnTimeout: boolean): string {
    return isOwnTimeout ? `timed out after ${timeout}` : `deadline of ${this.program.deadline}`;
  }

  private at(place: number): { rung: Rung; memory: Memory } {
    return { rung: this.program.rungs[place]!, memory: this.world.memories[place]! };
  }
}
