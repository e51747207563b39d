/**
 * One operation on a store. It ends once: with the store's answer, or when its time is over; what comes later is inert.
 *
 * That nothing was thrown proves nothing: many stores tell of an error by an `error` event and answer `undefined` or
 * `false`. So an answer that proves nothing counts as a failure if such an event came with it, also a moment later.
 */
import { isThenable } from '../core/thenable.js';
import { PAUSE } from '../core/timer-list.js';
import type { Clock } from '../core/types.js';

type Operation = 'get' | 'set' | 'delete';

/** Why an operation has failed. @internal */
export type Trouble = 'timeout' | 'error' | 'refused' | 'unreadable';

/**
 * What an answer means: the store has done it; it says nothing to the contrary; it says nothing at all; it has failed.
 */
type Judgement = 'proven' | 'plausible' | 'silent' | Trouble;

/** @internal */
export interface Task {
  readonly operation: Operation;
  readonly chain: string;
  /** a call waits for it, so its timer keeps the process alive */
  readonly isAwaited: boolean;
  judge(answer: unknown): Judgement;
  /** told once how it ended; once more if a failure comes to light later */
  done(trouble: Trouble | null): void;
}

/** Who hears how errands end. @internal */
export interface Principal {
  readonly clock: Clock;
  readonly timeout: number;
  ended(errand: Errand): void;
  failed(task: Task, trouble: Trouble): void;
  worked(task: Task): void;
}

/** @internal */
export class Errand {
  isOver = false;
  private isDoubted = false;
  private isTold = false;
  private isProven = false;
  /** its timer came after a pause of the process, so it has had a little longer */
  private isSpared = false;
  private timer: ReturnType<Clock['setTimer']> | null = null;

  constructor(
    private readonly principal: Principal,
    private readonly task: Task,
  ) {}

  run(ask: () => unknown): void {
    try {
      const answer = ask();
      if (!isThenable(answer)) return this.settle(answer);
      const { clock, timeout } = this.principal;
      if (timeout < Infinity) this.startTimer(clock, clock.now() + timeout);
      answer.then(
        (late) => this.settle(late),
        () => this.end('error'),
      );
    } catch {
      this.end('error');
    }
  }

  /** The store has told of an error; whether of this operation it does not say. */
  doubt(): void {
    this.isDoubted = true;
    if (this.isOver && !this.isProven) this.fail('error');
  }

  /** Ends it before the store has answered; `null` if that is no failure of the store. */
  end(trouble: Trouble | null): void {
    if (this.isOver) return;
    this.isOver = true;
    this.timer?.clear();
    this.principal.ended(this);
    if (trouble === null) this.task.done(null);
    else this.fail(trouble);
  }

  private settle(answer: unknown): void {
    if (this.isOver) return;
    const judgement = this.task.judge(answer);
    this.isProven = judgement === 'proven';
    if (!isFine(judgement)) return this.end(judgement);
    if (this.isDoubted && !this.isProven) return this.end('error');
    if (judgement !== 'silent') this.principal.worked(this.task);
    this.end(null);
  }

  private fail(trouble: Trouble): void {
    if (this.isTold) return;
    this.isTold = true;
    this.principal.failed(this.task, trouble);
    this.task.done(trouble);
  }

  private startTimer(clock: Clock, due: number): void {
    const left = due - clock.now();
    const isAfterPause = left <= -PAUSE && !this.isSpared;
    if (isAfterPause) this.isSpared = true;
    else if (left <= 0) return this.end('timeout');
    this.timer = clock.setTimer(() => this.startTimer(clock, due), isAfterPause ? PAUSE : left);
    if (!this.task.isAwaited) this.timer.unref();
  }
}

function isFine(judgement: Judgement): judgement is 'proven' | 'plausible' | 'silent' {
  return judgement === 'proven' || judgement === 'plausible' || judgement === 'silent';
}
