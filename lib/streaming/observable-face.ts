import { Observable } from 'rxjs';
import type { Subscriber } from 'rxjs';
import { run } from '../core/stream/run.js';
import type { Consumer, Feed, Taker } from '../core/stream/sink.js';
import type { StreamCall } from '../core/stream/stream-call.js';

/** Makes a call for one consumer; may throw. @internal */
export type Open = (consumer: Consumer) => StreamCall;

/** A subscriber as the consumer of a stream: it takes elements as they come, so the next is asked for at once. */
class Subscribing implements Consumer {
  private feed: Feed | null = null;

  constructor(private readonly subscriber: Subscriber<unknown>) {}

  /** The subscriber itself, where nothing must be asked for. */
  taker(isPushing: boolean): Taker {
    return isPushing ? this.subscriber : this;
  }

  attach(feed: Feed): void {
    if (feed.isPushing) return;
    this.feed = feed;
    feed.pull();
  }

  next(element: unknown): void {
    this.subscriber.next(element);
    if (this.feed !== null) this.feed.pull();
  }

  error(error: unknown): void {
    this.subscriber.error(error);
  }

  complete(): void {
    this.subscriber.complete();
  }
}

/** A stream call for those who subscribe: each subscription is a call of its own. @internal */
export function observableOf(open: Open): Observable<unknown> {
  return new Observable((subscriber) => {
    const call = open(new Subscribing(subscriber));
    subscriber.add(() => call.abandon());
    run(call);
  });
}
