import type { Observable } from '../observable.js';
import type { Sink, Source, Taker } from './sink.js';
import { quietly } from '../thenable.js';

/** An Observable of whatever library. */
class Subscribed implements Source {
  readonly isPushing = true;
  taker: Taker;
  private isOver = false;
  private subscription: { unsubscribe(): void } | null = null;

  constructor(
    private readonly observable: Observable,
    public sink: Sink,
  ) {
    this.taker = sink;
  }

  start(): void {
    this.subscription = this.observable.subscribe({
      next: (element) => {
        if (!this.isOver) this.taker.next(element);
      },
      error: (error) => {
        if (this.isOver) return;
        this.isOver = true;
        this.sink.error(error);
      },
      complete: () => {
        if (this.isOver) return;
        this.isOver = true;
        this.sink.complete();
      },
    });
    // It may have been closed while it gave its first elements.
    if (this.isOver) this.unsubscribe();
  }

  pull(): void {}

  close(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.unsubscribe();
  }

  private unsubscribe(): void {
    const { subscription } = this;
    this.subscription = null;
    if (subscription !== null) quietly(() => subscription.unsubscribe());
  }
}

/** @internal */
export const subscribe = (observable: Observable, sink: Sink): Source => new Subscribed(observable, sink);
