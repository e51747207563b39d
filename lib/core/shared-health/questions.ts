/** Questions to a store that may hang, throw, reject, or answer anything: each ends once, in time, by value. */
import { isThenable } from '../thenable.js';
import { Timed, TimerList } from '../timer-list.js';
import type { Clock } from '../types.js';

/** Why there is no answer. @internal */
export type Trouble = 'timeout' | 'error' | 'unreadable';

type Reply<T> = { readonly said: T } | Trouble;

/** @internal */
export class Questions {
  /** not over yet */
  open = 0;
  /** that the store has not answered, whether we still wait or not */
  owed = 0;
  lastAskedAt = -Infinity;
  private readonly patience: TimerList | null;
  private readonly whenNone: (() => void)[] = [];

  /** @param timeout how long an answer may take, ms */
  constructor(
    private readonly clock: Clock,
    timeout: number,
  ) {
    this.patience = timeout === Infinity ? null : new TimerList(clock, timeout, 'background');
  }

  /** What was answered, if it is an answer at all. */
  ask<T>(question: () => PromiseLike<T>, isAnswer: (said: unknown) => boolean): Promise<Reply<T>> {
    return new Promise((resolve) => {
      const open = new Open<T>((reply) => {
        if (--this.open === 0) for (const told of this.whenNone.splice(0)) told();
        resolve(reply);
      });
      this.open++;
      this.lastAskedAt = this.clock.now();
      this.patience?.add(open, this.lastAskedAt);
      const settle = (said: T): void => open.end(isAnswer(said) ? { said } : 'unreadable');
      try {
        const answer: unknown = question();
        if (!isThenable(answer)) return settle(answer as T);
        this.owed++;
        answer.then(
          (said) => {
            this.owed--;
            settle(said as T);
          },
          () => {
            this.owed--;
            open.end('error');
          },
        );
      } catch {
        open.end('error');
      }
    });
  }

  /** Until all are over. */
  async allOver(): Promise<void> {
    if (this.open === 0) return;
    await new Promise<void>((resolve) => {
      this.whenNone.push(resolve);
    });
  }

  /** No timer is left. */
  close(): void {
    this.patience?.clear();
  }
}

class Open<T> extends Timed {
  private isOver = false;

  constructor(private readonly done: (reply: Reply<T>) => void) {
    super();
  }

  end(reply: Reply<T>): void {
    if (this.isOver) return;
    this.isOver = true;
    this.stopTimer();
    this.done(reply);
  }

  expire(): void {
    this.end('timeout');
  }
}
