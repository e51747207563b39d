/** Questions to a store that may hang, throw, reject, or answer anything: each ends once, in time, by value. */
import { isThenable } from '../thenable.js';
import { PAUSE, Timed, TimerList } from '../timer-list.js';
import type { Clock } from '../types.js';

/** Why there is no answer. @internal */
export type Trouble = 'timeout' | 'error' | 'unreadable';

type Reply<T> = { readonly said: T } | Trouble;

/** What is done with an answer. @internal */
export interface Reader<T> {
  /** null for what is no answer */
  readonly read: (said: unknown) => T | null;
  /** hears an answer that nobody waits for any more */
  readonly onLate?: ((answer: T) => void) | undefined;
}

/** @internal */
export class Questions {
  /** not over yet */
  open = 0;
  lastAskedAt = -Infinity;
  /** that the store has not settled, whether we still wait or not, since it was last known to be well */
  private owing = new Set<object>();
  private readonly patience: TimerList | null;
  private readonly whenNone: (() => void)[] = [];

  /** @param timeout how long an answer may take, ms */
  constructor(
    private readonly clock: Clock,
    timeout: number,
  ) {
    this.patience = timeout === Infinity ? null : new TimerList(clock, timeout, 'background');
  }

  ask<T>(put: () => unknown, reader: Reader<T>): Promise<Reply<T>> {
    return new Promise((resolve) => {
      const open = new Open<T>(this.clock, reader, (reply) => {
        if (--this.open === 0) for (const told of this.whenNone.splice(0)) told();
        resolve(reply);
      });
      this.open++;
      this.lastAskedAt = this.clock.now();
      this.patience?.add(open, this.lastAskedAt);
      this.put(put, open);
    });
  }

  /** The store has not settled something that it was asked, however late that is by now. */
  get isOwed(): boolean {
    return this.owing.size > 0;
  }

  /** What is still owed has been lost: the store is well. */
  forgive(): void {
    this.owing = new Set();
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

  private put<T>(put: () => unknown, open: Open<T>): void {
    const { owing } = this;
    const fail = (): void => {
      owing.delete(open);
      open.end('error');
    };
    try {
      const answer = put();
      if (!isThenable(answer)) return open.settle(answer);
      owing.add(open);
      // Once: there are stores whose answers are asked for by `then`.
      const settle = (said: unknown): void => {
        owing.delete(open);
        open.settle(said);
      };
      answer.then(settle, fail);
    } catch {
      fail();
    }
  }
}

class Open<T> extends Timed {
  private isOver = false;
  private isSpared = false;

  constructor(
    private readonly clock: Clock,
    private readonly reader: Reader<T>,
    private readonly done: (reply: Reply<T>) => void,
  ) {
    super();
  }

  settle(said: unknown): void {
    const answer = this.read(said);
    if (!this.isOver) this.end(answer === null ? 'unreadable' : { said: answer });
    else if (answer !== null) this.reader.onLate?.(answer);
  }

  end(reply: Reply<T>): void {
    if (this.isOver) return;
    this.isOver = true;
    this.stopTimer();
    this.done(reply);
  }

  expire(): void {
    if (this.isSpared || this.clock.now() - this.due < PAUSE) return this.end('timeout');
    this.isSpared = true;
    this.startOwnTimer(this.clock, PAUSE);
  }

  private read(said: unknown): T | null {
    try {
      return this.reader.read(said);
    } catch {
      return null; // what throws when it is looked at
    }
  }
}
