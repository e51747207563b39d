/**
 * What `@Sse()` handlers give: Nest sends the head when they have answered, so they answer at the commit. A failure
 * before the first event is an honest 503, and headers can still say who answers.
 */
import { Observable } from 'rxjs';
import type { Subscriber } from 'rxjs';
import { run } from '../core/stream/run.js';
import type { Consumer, Feed } from '../core/stream/sink.js';
import type { StreamCall } from '../core/stream/stream-call.js';
import { observableOf } from './observable-face.js';
import type { Open } from './observable-face.js';

/** Keeps what comes before somebody subscribes. */
class Early implements Consumer {
  private subscriber: Subscriber<unknown> | null = null;
  private feed: Feed | null = null;
  private readonly kept: unknown[] = [];
  private end: { readonly error: unknown } | 'complete' | null = null;
  private hasAnswered = false;

  constructor(
    private readonly answer: () => void,
    private readonly refuse: (error: unknown) => void,
  ) {}

  /** Hands everything over to the one who subscribes. */
  give(subscriber: Subscriber<unknown>): void {
    for (const element of this.kept.splice(0)) subscriber.next(element);
    this.subscriber = subscriber;
    if (this.end === 'complete') subscriber.complete();
    else if (this.end !== null) subscriber.error(this.end.error);
    else this.feed?.pull();
  }

  taker(): this {
    return this;
  }

  attach(feed: Feed): void {
    this.feed = feed;
    this.settle();
    if (this.subscriber !== null) feed.pull();
  }

  next(element: unknown): void {
    this.settle();
    if (this.subscriber === null) {
      this.kept.push(element);
      return;
    }
    this.subscriber.next(element);
    this.feed?.pull();
  }

  error(error: unknown): void {
    if (!this.hasAnswered) this.refuse(error);
    else if (this.subscriber !== null) this.subscriber.error(error);
    else this.end = { error };
  }

  complete(): void {
    this.settle();
    if (this.subscriber !== null) this.subscriber.complete();
    else this.end = 'complete';
  }

  private settle(): void {
    if (this.hasAnswered) return;
    this.hasAnswered = true;
    this.answer();
  }
}

/** Begins a call at once; resolves at its commit. Whoever subscribes first gets that very stream. @internal */
export function eagerly(open: Open): Promise<Observable<unknown>> {
  return new Promise((resolve, reject) => {
    let call: StreamCall | null = null;
    let isTaken = false;
    const again = observableOf(open);
    const early = new Early(
      () =>
        resolve(
          new Observable((subscriber) => {
            if (isTaken) return again.subscribe(subscriber);
            isTaken = true;
            subscriber.add(() => call?.abandon());
            early.give(subscriber);
            return undefined;
          }),
        ),
      reject,
    );
    call = open(early);
    run(call);
  });
}
