/**
 * A handler's call from the interceptor's side. `next.handle()` leads through inner interceptors and pipes to the
 * method's wrapper. That takes the interceptor's claim and gives it the ladder, with the arguments that are bound only
 * there; what then comes out of `next.handle()` is what candidate 0 gave.
 */
import { AsyncResource } from 'node:async_hooks';
import type { CallHandler } from '@nestjs/common';
import { Observable, Subscription, lastValueFrom } from 'rxjs';
import type { Observer } from 'rxjs';
import type { StreamPlan } from './core/plan.js';
import type { Route } from './core/rerouted.js';
import { MESSAGES } from './fallback.messages.js';
import { currentFrame, currentScope, withClaim } from './http/scope.js';
import type { Claim, Ladder } from './http/scope.js';

/** The answer of a handler whose ladder has `next.handle()` as candidate 0. @internal */
export function handled(method: object, next: CallHandler): Observable<unknown> {
  return new Observable((subscriber) => {
    const call = new HandledCall(method, next, subscriber);
    call.start();
    return () => {
      call.leave();
    };
  });
}

class HandledCall {
  private readonly scope = currentScope();
  /** the interceptor's own context: who stands outside is told in it, wherever the ladder runs */
  private readonly outside = new AsyncResource('FallbackInterceptor');
  private readonly left = new AbortController();
  private readonly first: Passage;
  private readonly answer = new Subscription();
  /** lets the handler run on the first passage, or ends that; null once that is decided */
  private handler: { run(body: () => unknown): void; refuse(reason: Error): void } | null = null;
  /** runs candidate 0's body, while that is due */
  private body: (() => unknown) | null = null;
  private given: Promise<unknown> | null = null;
  private isOver = false;

  constructor(
    private readonly method: object,
    private readonly next: CallHandler,
    private readonly subscriber: Observer<unknown>,
  ) {
    this.first = new Passage(method, next, (ladder) => this.climb(ladder));
  }

  /** What comes without the handler, of pipes and inner interceptors, is given on untouched. */
  start(): void {
    this.first.start(this.subscriber);
  }

  /** Nobody waits for the answer any more. */
  leave(): void {
    if (this.isOver) return;
    this.answer.unsubscribe();
    this.left.abort();
    this.first.stop();
    this.passOver();
  }

  /** The handler is reached: gives what it will give. A call that was given up before that has never been made. */
  private climb(ladder: Ladder): Promise<unknown> {
    if (this.left.signal.aborted) return Promise.reject(passedOver());
    if (this.given !== null) return this.again(this.given);
    const given = (this.given = new Promise((resolve, reject) => {
      this.handler = { run: (body) => resolve(settledBy(body)), refuse: reject };
    }));
    const inputs = { scope: this.scope, ownSignal: this.left.signal };
    this.answer.add(
      ladder(this.route, inputs).subscribe({
        next: (value) => this.tell(() => this.subscriber.next(value)),
        error: (error) => this.end(() => this.subscriber.error(error)),
        complete: () => this.end(() => this.subscriber.complete()),
      }),
    );
    return given;
  }

  /** An inner interceptor has subscribed again: that runs the body once more, as long as candidate 0 is due. */
  private again(given: Promise<unknown>): Promise<unknown> {
    if (this.handler !== null) return given;
    return this.body === null ? Promise.reject(passedOver()) : settledBy(this.body);
  }

  private readonly route: Route = (attempt, candidate) => {
    const run = (): unknown => beyondClaim(() => candidate.bare(attempt));
    if (candidate.index > 0) {
      this.passOver();
      return run();
    }
    this.body = run;
    const { stream } = attempt.call.plan;
    if (this.handler !== null) return outcome(this.begin(run), stream);
    const again = new Passage(this.method, this.next, async () => {
      // Cut while pipes were running: it is too late to begin.
      if (attempt.signal.aborted) throw passedOver();
      return run();
    });
    again.start();
    return outcome(again.emitted, stream);
  };

  private begin(run: () => unknown): Observable<unknown> {
    const { handler } = this;
    this.handler = null;
    // An inner interceptor may have answered or given up meanwhile.
    if (this.first.isOver) handler!.refuse(passedOver());
    else handler!.run(run);
    return this.first.emitted;
  }

  /** Ends the first passage without the handler: inner interceptors are unsubscribed, those that await are told. */
  private passOver(): void {
    this.body = null;
    if (this.handler === null) return;
    this.first.stop();
    this.handler.refuse(passedOver());
    this.handler = null;
  }

  private end(tell: () => void): void {
    this.isOver = true;
    this.tell(tell);
  }

  /** Whoever answers, if the handler waits until now it is not needed. */
  private tell(tell: () => void): void {
    this.passOver();
    this.outside.runInAsyncScope(tell);
  }
}

/** Once through all that stands behind the interceptor. */
class Passage implements Claim {
  isTaken = false;
  isOver = false;
  private before: Observer<unknown> | null = null;
  private listener: Observer<unknown> | null = null;
  /** told to the listener once there is one */
  private readonly kept: ((listener: Observer<unknown>) => void)[] = [];
  private readonly subscription = new Subscription();

  constructor(
    readonly method: object,
    private readonly next: CallHandler,
    private readonly atHandler: (ladder: Ladder) => Promise<unknown>,
  ) {}

  /** What comes out at the end, for one listener. */
  readonly emitted = new Observable<unknown>((subscriber) => {
    for (const tell of this.kept.splice(0)) tell(subscriber);
    this.listener = subscriber;
    return () => {
      this.stop();
    };
  });

  take(ladder: Ladder): Promise<unknown> {
    this.isTaken = true;
    return this.atHandler(ladder);
  }

  /** @param before gets what comes out before the handler is reached */
  start(before: Observer<unknown> | null = null): void {
    this.before = before;
    const observer: Observer<unknown> = {
      next: (value) => this.tell((to) => to.next(value)),
      error: (error) => this.end((to) => to.error(error)),
      complete: () => this.end((to) => to.complete()),
    };
    withClaim(this, () => {
      this.subscription.add(this.next.handle().subscribe(observer));
    });
  }

  stop(): void {
    this.subscription.unsubscribe();
  }

  private end(tell: (to: Observer<unknown>) => void): void {
    this.isOver = true;
    this.tell(tell);
  }

  private tell(tell: (to: Observer<unknown>) => void): void {
    const to = this.before !== null && !this.isTaken ? this.before : this.listener;
    if (to === null) this.kept.push(tell);
    else tell(to);
  }
}

/** What candidate 0 gives: a stream, or the value that Nest would take. The latter may come late, so it is not let go of. */
function outcome(emitted: Observable<unknown>, stream: StreamPlan | null): unknown {
  return stream === null ? lastValueFrom(emitted) : emitted;
}

function beyondClaim(part: () => unknown): unknown {
  const frame = currentFrame();
  return frame === undefined ? part() : frame.beyondClaim(part);
}

async function settledBy(run: () => unknown): Promise<unknown> {
  return run();
}

/** What inner interceptors see that wait for a handler which does not run. */
function passedOver(): Error {
  return new Error(MESSAGES.passedOver);
}
