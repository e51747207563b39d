/**
 * The candidates of one call that run side by side. Whoever settles, and the timer that says that they are slow, only
 * leave word and wake the call; it decides by itself, one arrival after the other, so all that follows runs in its own
 * context and a loser cannot change what has been decided.
 */
import { admit } from '../admission.js';
import type { Attempt } from '../attempt.js';
import type { Call } from '../call.js';
import { NEXT, close, conclude } from '../conclude.js';
import { lastFailure } from '../gate.js';
import { judge, judgeCut } from '../judge.js';
import type { CandidatePlan, Hedge } from '../plan.js';
import { Race } from '../race.js';
import type { Cut } from '../race.js';
import { persevere } from '../retry.js';
import type { Outcome } from '../retry.js';
import { isFinal } from './final.js';

interface Arrival extends Outcome {
  readonly attempt: Attempt;
}

/** @internal */
export class Field extends Race {
  /** those that have begun and whose end has not been taken note of */
  private readonly running = new Set<Attempt>();
  private readonly arrived: Arrival[] = [];
  /** a candidate that may not begin before its `supports` has answered; the next one's turn comes after that */
  private admission: Promise<void> | null = null;
  /** who has not had a turn */
  private left: CandidatePlan[] = [];
  /** by index of the candidate: the how many-th turn it had */
  private readonly turnOf: number[] = [];
  private turns = 0;
  /** the next one's turn has come, although others run */
  private isDue = false;
  private wake: (() => void) | null = null;

  constructor(
    private readonly call: Call,
    private readonly hedge: Hedge,
  ) {
    super(true);
  }

  override get isCandidates(): boolean {
    return true;
  }

  override interrupt(by: Cut): void {
    for (const attempt of this.running) attempt.interrupt(by);
  }

  /** Those that run are slow. */
  override expire(): void {
    this.isDue = true;
    this.wake?.();
  }

  /** The call's answer; NEXT if all have had their turn and none has answered. Throws what stops the call. */
  async run(ladder: readonly CandidatePlan[]): Promise<unknown> {
    const { call } = this;
    this.left = [...ladder];
    try {
      for (;;) {
        this.watch();
        // Whoever runs is let go of below, and the walk tells why the call has ended.
        if (call.cancellation !== null) return NEXT;
        const arrival = this.arrived.shift();
        if (arrival !== undefined) {
          const { attempt, settled, ruling } = arrival;
          this.running.delete(attempt);
          if (isFinal(call, attempt, settled, ruling)) await this.dismiss();
          const { waiting } = call;
          const answer = conclude(call, attempt, settled, ruling);
          call.waiting = waiting;
          if (answer !== NEXT) return answer;
          this.isDue = true;
          continue;
        }
        const next = this.takeNext();
        if (next !== undefined) this.enter(next);
        else if (this.running.size > 0 || this.admission !== null) await this.news();
        else return NEXT;
      }
    } finally {
      this.stopTimer();
      await this.dismiss();
      this.putInOrder();
    }
  }

  /** Waits where the call can be cut, and passes on that its time has run out while that looked elsewhere. */
  private watch(): void {
    const { call } = this;
    if (call.history !== null) call.history.resumedAt = NaN;
    if (this.admission === null) call.waiting = this;
    if (call.isOutOfTime) this.interrupt('deadline');
  }

  /** Whose turn it is. A candidate that answers failures only is not started by slowness: it stays until one has failed. */
  private takeNext(): CandidatePlan | undefined {
    if (this.admission !== null) return undefined;
    const isAlone = this.running.size === 0;
    if (!isAlone && !this.isDue) return undefined;
    const isOpenToAll = isAlone || lastFailure(this.call) !== undefined;
    const place = isOpenToAll ? 0 : this.left.findIndex(({ on }) => on === null);
    return place < 0 ? undefined : this.left.splice(place, 1)[0];
  }

  private enter(candidate: CandidatePlan): void {
    this.turnOf[candidate.index] = this.turns++;
    const admitted = admit(this.call, candidate);
    if (admitted instanceof Promise) this.admission = this.enterLate(admitted);
    else if (admitted !== null) this.begin(admitted);
  }

  private async enterLate(admission: Promise<Attempt | null>): Promise<void> {
    const admitted = await admission;
    this.admission = null;
    if (admitted !== null) this.begin(admitted);
    this.wake?.();
  }

  private begin(attempt: Attempt): void {
    const { call, hedge } = this;
    this.running.add(attempt);
    call.begin(attempt);
    this.stopTimer();
    this.isDue = hedge.timers === null;
    if (this.left.length > 0) hedge.timers?.add(this, call.plan.engine.clock.now());
    void this.race(attempt);
  }

  /** As in a walk. A loser that settles is judged as cut, without its hooks, and its arrival is not read. */
  private async race(attempt: Attempt): Promise<void> {
    let settled: unknown;
    try {
      settled = await attempt.run();
    } catch (error) {
      settled = attempt.fail(error);
    }
    let ruling = judge(attempt, settled);
    if (ruling instanceof Promise || attempt.candidate.retries !== null) {
      ({ settled, ruling } = await persevere(this.call, attempt, settled, ruling));
    }
    this.arrived.push({ attempt, settled, ruling });
    this.wake?.();
  }

  private news(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  /** The call is decided: whoever still runs, or is about to, has lost. */
  private async dismiss(): Promise<void> {
    const { call } = this;
    if (this.running.size === 0 && this.admission === null) return;
    call.cancel(new DOMException('Another candidate has decided the call', 'AbortError'));
    if (this.admission !== null) await this.admission;
    for (const attempt of this.running) close(call, attempt, undefined, judgeCut(attempt));
    this.running.clear();
  }

  /** Records stand in the order of turns, whoever settled first. */
  private putInOrder(): void {
    const { turnOf } = this;
    this.call.history?.records.sort((one, other) => turnOf[one.index]! - turnOf[other.index]!);
  }
}
