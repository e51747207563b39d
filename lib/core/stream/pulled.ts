import { isThenable, quietly } from '../thenable.js';
import type { Sink, Source, Taker } from './sink.js';

/** An iterator, synchronous or not. @internal */
export interface AnyIterator {
  next(): unknown;
  return?(value?: unknown): unknown;
}

interface Ways {
  /** elements may be promises: the source is a plain iterable */
  readonly awaitsValues?: boolean;
  /** what ends the source for good, beside its iterator's `return()` */
  readonly destroy?: (() => unknown) | undefined;
}

/**
 * A source that is asked: one element at a time, in order, never ahead of its consumer. It may be asked while it gives:
 * then it goes on when it has given, so that a long synchronous source needs no deep stack.
 * @internal
 */
export class Pulled implements Source {
  readonly isPushing = false;
  private wanted = 0;
  private isAsking = false;
  private isOver = false;
  taker: Taker;

  constructor(
    private readonly iterator: AnyIterator,
    public sink: Sink,
    private readonly ways: Ways = {},
  ) {
    this.taker = sink;
  }

  start(): void {}

  pull(): void {
    this.wanted++;
    if (!this.isAsking) this.ask();
  }

  close(): void {
    if (this.isOver) return;
    this.isOver = true;
    quietly(() => this.iterator.return?.());
    if (this.ways.destroy !== undefined) quietly(() => this.ways.destroy!());
  }

  private ask(): void {
    this.isAsking = true;
    while (this.wanted > 0 && !this.isOver) {
      let result: unknown;
      try {
        result = this.iterator.next();
        if (isThenable(result)) {
          // Whatever a thenable does, it is heard once.
          (result instanceof Promise ? result : Promise.resolve(result)).then(this.take, this.fail);
          return;
        }
      } catch (error) {
        this.fail(error);
        return;
      }
      if (this.isPending(result)) return;
    }
    this.isAsking = false;
  }

  private readonly take = (result: unknown): void => {
    if (!this.isPending(result)) this.goOn();
  };

  private goOn(): void {
    this.isAsking = false;
    if (this.wanted > 0 && !this.isOver) this.ask();
  }

  /** Gives a result on; true if its element must be waited for. */
  private isPending(result: unknown): boolean {
    if (this.isOver) return false;
    if (typeof result !== 'object' || result === null) {
      this.fail(new Error('The iterator of a stream gave a result that is no object'));
      return false;
    }
    let done: unknown;
    let value: unknown;
    try {
      ({ done, value } = result as { done?: unknown; value?: unknown });
    } catch (error) {
      this.fail(error);
      return false;
    }
    if (done) {
      this.isOver = true;
      this.sink.complete();
      return false;
    }
    if (this.ways.awaitsValues === true && isThenable(value)) {
      void this.giveLate(value);
      return true;
    }
    this.give(value);
    return false;
  }

  private async giveLate(value: PromiseLike<unknown>): Promise<void> {
    try {
      this.give(await value);
      this.goOn();
    } catch (error) {
      quietly(() => this.iterator.return?.());
      this.fail(error);
    }
  }

  private give(element: unknown): void {
    if (this.isOver) return;
    this.wanted--;
    this.taker.next(element);
  }

  private readonly fail = (error: unknown): void => {
    if (this.isOver) return;
    this.isOver = true;
    this.sink.error(error);
  };
}
