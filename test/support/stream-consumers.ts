/** Readers of both faces of a stream, which write down what came and how it ended. */
import { Subject, takeUntil } from 'rxjs';
import type { Observable, Subscription } from 'rxjs';
import type { Receipt } from '../../lib/index.js';
import type { TestClock } from './test-clock.js';

export type End = 'open' | 'complete' | 'left' | { readonly error: unknown };

/** What both readers can do. */
export abstract class Reader {
  readonly elements: unknown[] = [];
  end: End = 'open';
  /** virtual ms until the end */
  took: number | undefined;
  /** the receipt of the call, once the reader has ended; none in `./core` */
  receipt: Receipt | undefined;
  private readonly startedAt: number;
  private finish!: () => void;
  readonly ended = new Promise<void>((resolve) => {
    this.finish = resolve;
  });

  constructor(
    private readonly clock: TestClock,
    private readonly take: number,
  ) {
    this.startedAt = clock.now();
  }

  abstract begin(): void;
  abstract leave(): void;

  get error(): unknown {
    if (typeof this.end === 'string') throw new Error(`the stream is ${this.end}`);
    return this.end.error;
  }

  /** Notes an element; true if the reader has had enough. */
  protected note(element: unknown): boolean {
    this.elements.push(element);
    return this.elements.length === this.take;
  }

  protected endWith(end: End): void {
    if (this.end !== 'open') throw new Error('a stream ended twice');
    this.end = end;
    this.took = this.clock.now() - this.startedAt;
    this.finish();
  }
}

/** `for await`, with `break` after so many elements. */
export class Puller extends Reader {
  private readonly iterator: AsyncIterator<unknown>;
  private reading: Promise<void> = Promise.resolve();
  private isLeaving = false;

  constructor(iterable: AsyncIterable<unknown>, clock: TestClock, take: number) {
    super(clock, take);
    this.iterator = iterable[Symbol.asyncIterator]();
  }

  begin(): void {
    this.reading = this.read();
  }

  /** As a `break` would, or sooner: `left` only if `return()` and a `next()` under way have settled. */
  leave(): void {
    this.isLeaving = true;
    void Promise.all([this.iterator.return!(), this.reading]).then(([{ done, value }]) =>
      this.endWith(done === true && value === undefined ? 'left' : { error: 'return() gave something' }),
    );
  }

  private async read(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await this.iterator.next();
        if (this.isLeaving && done !== true) throw new Error('an element came after return()');
        if (this.isLeaving) return;
        if (done === true) return this.endWith('complete');
        if (this.note(value)) break;
      }
    } catch (error) {
      return this.endWith({ error });
    }
    this.reading = Promise.resolve();
    this.leave();
  }
}

/** A subscriber, which unsubscribes inside `next` after so many elements, also while it is still subscribing. */
export class Subscribed extends Reader {
  private readonly leaving = new Subject<void>();
  private isLeaving = false;
  private subscription: Subscription | undefined;

  constructor(
    private readonly observable: Observable<unknown>,
    clock: TestClock,
    take: number,
  ) {
    super(clock, take);
  }

  begin(): void {
    this.subscription = this.observable.pipe(takeUntil(this.leaving)).subscribe({
      next: (element) => {
        if (this.note(element)) this.leave();
      },
      error: (error: unknown) => this.endWith({ error }),
      complete: () => this.endWith(this.isLeaving ? 'left' : 'complete'),
    });
  }

  leave(): void {
    this.isLeaving = true;
    if (this.subscription === undefined) {
      this.leaving.next();
      return;
    }
    this.subscription.unsubscribe();
    this.endWith('left');
  }
}
