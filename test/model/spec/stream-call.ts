/** A call of a stream: what its consumer has got, and when it leaves. */
import { DISTINCT as TIMES } from '../instants.js';
import { AND, delayOf, endOf, nameOf, scriptOf } from '../program.js';
import type { Play, Script, Step, StreamOptions, SubstitutesOfProgram } from '../program.js';
import { Call } from './call.js';
import type { CallOfProgram, Ending, StreamEnding } from './call.js';
import { isWriteDue } from './last-known-good.js';
import { Tie } from './world.js';
import type { Begun } from './attempt.js';
import type { Verdict } from './verdicts.js';
import type { World } from './world.js';

/** A stream that may be served: what was held back, and the element that carries something. */
export interface Opened {
  readonly begun: Begun;
  readonly held: readonly string[];
  readonly index: number;
  readonly judged: Verdict;
  /** when that came */
  readonly since: number;
}

export class StreamCall extends Call {
  /** `a's element 0 of call 0 at 1000`, in order */
  readonly elements: string[] = [];
  readonly options: StreamOptions;
  hasLeft = false;
  /** what is held and can still be read */
  heldOpen: Opened | null = null;
  private isServed = false;
  /** its elements are only collected where a write was due when it was served, and written where it still is */
  private isWriteDue = false;
  /** of streams that have ended cleanly: the names of their elements */
  private readonly ended = new Map<number, readonly string[]>();

  constructor(
    world: World,
    given: CallOfProgram,
    private readonly step: Step & { do: 'call' },
    private readonly face: 'generator' | 'observable' | 'events',
  ) {
    super(world, given);
    this.options = world.program.stream!;
  }

  override play(place: number): Play {
    return endOf(this.script(place), super.play(place));
  }

  script(place: number): Script {
    return scriptOf(this.step, place);
  }

  override get deadlineAt(): number {
    return Math.min(super.deadlineAt, this.streamEnd);
  }

  override get deadline(): number | undefined {
    return this.streamEnd < super.deadlineAt ? this.options.streamDeadline : super.deadline;
  }

  /** When the next part of a script comes after the one before. */
  comesAt(place: number, play: Play, last: number): number {
    return play.does === 'never' ? Infinity : last + TIMES.answer(place, delayOf(this.script(place), play));
  }

  note(what: 'opened' | 'closed', place: number): void {
    const { now, invoked } = this.world;
    invoked.push(`${what} ${nameOf(place)} of call ${this.given.number} at ${now}`);
  }

  /** One event, where somebody listens. */
  noteCommit(place: number): void {
    const { now, invoked } = this.world;
    if (this.program.isWatched) invoked.push(`committed ${nameOf(place)} at ${now}`);
  }

  /** False once the consumer has left: it takes so many and then leaves at once. */
  emit(name: string, degraded: boolean): boolean {
    if (this.hasLeft) return false;
    const { mark = 'receipt' } = this.program.substitutes ?? {};
    const shown = degraded && mark !== 'receipt' ? ' (degraded)' : '';
    this.elements.push(`${name}${shown} at ${this.world.now}`);
    if (this.elements.length === this.step.takes) this.hasLeft = true;
    return !this.hasLeft;
  }

  /** The whole stream, from the beginning of the call. */
  get streamEnd(): number {
    const { streamDeadline } = this.options;
    return streamDeadline === undefined ? Infinity : this.given.startedAt + TIMES.streamDeadline(streamDeadline);
  }

  /** How it ends for its consumer: who has left sees no end. */
  told(ending: Ending): { elements: readonly string[]; ending: StreamEnding } {
    const { elements, hasLeft } = this;
    if (!hasLeft) return { elements, ending: without(ending, ['value', 'shows']) };
    return {
      elements,
      ending: { left: true, ...without(ending, ['value', 'shows', 'error', 'failures', 'retryAfter']) },
    };
  }

  /** Whether a source that pushes runs ahead of who asks or judges: then its end may come before the reader leaves. */
  runsAhead(place: number): boolean {
    const isAsked = this.face !== 'observable' || this.rung(place).hasLateHooks === true;
    return isAsked && this.isPushed(place);
  }

  isPushed(place: number): boolean {
    return this.script(place).form === 'observable';
  }

  /** Somebody else is served. */
  closeHeld(): void {
    const { heldOpen } = this;
    this.heldOpen = null;
    this.letGo(heldOpen);
  }

  /** Closes what was held, unless it has ended by itself meanwhile. */
  letGo(opened: Opened | null): void {
    if (opened === null) return;
    const { place } = opened.begun;
    const isOver = this.isPushed(place) && this.restOf(opened) <= this.world.now;
    if (!isOver) this.note('closed', place);
  }

  /** When what was held ends by itself, if it pushes; what it gives at this very instant may come before or after. */
  restOf({ begun: { place }, index, since }: Opened): number {
    const { now } = this.world;
    let last = since;
    for (const play of [...this.script(place).emits.slice(index + 1), this.play(place)]) {
      last = this.comesAt(place, play, last);
      if (last === now && last !== since) throw new Tie();
    }
    return last;
  }

  endCleanly(place: number, names: readonly string[]): void {
    this.ended.set(place, names);
  }

  /** At the commit; or without one at its end, or when its empty answer was held and nobody did better. */
  override served(place: number): void {
    if (this.isServed) return;
    this.isServed = true;
    this.isWriteDue = isWriteDue(
      this.world.store.get(this.given.question),
      this.world.now,
      this.lastKnownGood.refreshAfter,
    );
    super.served(place);
    for (const name of this.ended.get(place) ?? []) this.emit(name, this.rung(place).degraded === true);
  }

  private get lastKnownGood(): NonNullable<SubstitutesOfProgram['lastKnownGood']> {
    return this.program.substitutes?.lastKnownGood ?? { maxAge: 0 };
  }

  /** The elements of a stream that has ended cleanly, if they are not too many. */
  override rememberedOf(place: number): string | null {
    const { collect } = this.lastKnownGood;
    const names = this.ended.get(place);
    if (!this.isWriteDue) return null;
    return collect === undefined || names === undefined || names.length > collect ? null : names.join(AND);
  }
}

const without = (ending: Ending, names: readonly string[]): StreamEnding =>
  Object.fromEntries(Object.entries(ending).filter(([name]) => !names.includes(name)));

/** What is emitted in the place of a stream, by name. */
export function substitutesIn(value: string): string[] {
  const names = value.replace(/^copy of /, '');
  if (names === value) return [value];
  return names === '' ? [] : names.split(AND).map((name) => `copy of ${name}`);
}
