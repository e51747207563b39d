import { Subscriber } from 'rxjs';
import type { Observable as AnyObservable } from '../core/observable.js';
import type { Sink, Source, Taker } from '../core/stream/sink.js';

/**
 * The source's own subscriber: RxJS puts nothing of its own between, and an Observable that gives everything while it is
 * subscribed can be stopped in the middle.
 */
class Tap extends Subscriber<unknown> implements Source {
  readonly isPushing = true;
  taker: Taker;

  constructor(
    private readonly observable: AnyObservable,
    public sink: Sink,
  ) {
    super();
    this.taker = sink;
  }

  start(): void {
    const given: unknown = this.observable.subscribe(this);
    // Of a library that does not take this subscriber for its subscription.
    if (given !== this) this.add(given as { unsubscribe(): void });
  }

  pull(): void {}

  close(): void {
    this.unsubscribe();
  }

  override next(element: unknown): void {
    if (!this.closed) this.taker.next(element);
  }

  // Torn down first: the next candidate may begin at once.
  override error(error: unknown): void {
    if (this.closed) return;
    this.unsubscribe();
    this.sink.error(error);
  }

  override complete(): void {
    if (this.closed) return;
    this.unsubscribe();
    this.sink.complete();
  }
}

/** @internal */
export const subscribe = (observable: AnyObservable, sink: Sink): Source => new Tap(observable, sink);
