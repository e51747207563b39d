/**
 * A handler's call from the interceptor's side. `next.handle()` leads through inner interceptors and pipes to the
 * method's wrapper. That takes the interceptor's claim and gives it the ladder, with the arguments that are bound only
 * there; what then comes out of `next.handle()` is what candidate 0 gave.
 */
import type { CallHandler } from '@nestjs/common';
import { EmptyError, Observable, Subscription, from } from 'rxjs';
import type { Observer } from 'rxjs';
import type { Route } from './core/rerouted.js';
import { ignore } from './core/thenable.js';
import { MESSAGES } from './fallback.messages.js';
import { currentScope, withClaim } from './http/scope.js';
import type { Claim, Ladder } from './http/scope.js';

/** The answer of a handler whose ladder has `next.handle()` as candidate 0. @internal */
export function handled(method: object, next: CallHandler): Observable<unknown> {
  return new Observable((subscriber) => {
    const call = new HandledCall(method, next);
    // Listened to here, so in the interceptor's own context, wherever the ladder runs.
    from(call.answer).subscribe(subscriber);
    call.start(subscriber);
    return () => {
      call.leave();
    };
  });
}

class HandledCall {
  private readonly answered = new Deferred();
  /** what the wrapper gives to Nest on the first passage */
  private readonly handed = new Deferred();
  private readonly scope = currentScope();
  private readonly left = new AbortController();
  private readonly first: Passage;
  /** candidate 0 can still run on the first passage */
  private isWaiting = true;
  private isOver = false;

  constructor(
    private readonly method: object,
    private readonly next: CallHandler,
  ) {
    this.first = new Passage(method, next, (ladder) => this.climb(ladder));
  }

  get answer(): Promise<unknown> {
    return this.answered.promise;
  }

  /** @param subscriber gets untouched what comes without the handler: of pipes, of inner interceptors */
  start(subscriber: Observer<unknown>): void {
    this.first.start(subscriber);
  }

  /** Nobody waits for the answer any more. */
  leave(): void {
    if (this.isOver) return;
    this.left.abort();
    this.first.stop();
  }

  /** The handler is reached. What was given up before that, has not happened. */
  private climb(ladder: Ladder): Promise<unknown> {
    if (this.left.signal.aborted) return Promise.reject(passedOver());
    const answer = ladder(this.route, { scope: this.scope, ownSignal: this.left.signal }).finally(() => {
      this.isOver = true;
      this.passOver();
    });
    this.answered.resolve(answer);
    return this.handed.promise;
  }

  private readonly route: Route = (attempt, candidate) => {
    const run = (): unknown => candidate.invoke(attempt);
    if (candidate.index > 0) {
      this.passOver();
      return run();
    }
    if (this.isWaiting) return this.begin(run);
    const again = new Passage(this.method, this.next, async () => {
      // Cut while pipes were running: it is too late to begin.
      if (attempt.signal.aborted) throw passedOver();
      return run();
    });
    again.start();
    return again.outcome;
  };

  private begin(run: () => unknown): Promise<unknown> {
    this.isWaiting = false;
    // An inner interceptor may have answered or given up meanwhile.
    if (!this.first.isOver) this.handed.resolve(settledBy(run));
    return this.first.outcome;
  }

  /** Ends the first passage without the handler: inner interceptors are unsubscribed, those that await are told. */
  private passOver(): void {
    if (!this.isWaiting) return;
    this.isWaiting = false;
    this.first.stop();
    this.handed.reject(passedOver());
  }
}

/** Once through all that stands behind the interceptor. */
class Passage implements Claim {
  isTaken = false;
  isOver = false;
  private readonly came = new Deferred();
  private readonly subscription = new Subscription();

  constructor(
    readonly method: object,
    private readonly next: CallHandler,
    private readonly atHandler: (ladder: Ladder) => Promise<unknown>,
  ) {}

  /** the last that came out */
  get outcome(): Promise<unknown> {
    return this.came.promise;
  }

  take(ladder: Ladder): Promise<unknown> {
    this.isTaken = true;
    return this.atHandler(ladder);
  }

  /** @param before gets what comes out before the handler is reached; else it is the outcome, too */
  start(before: Observer<unknown> | null = null): void {
    let last: unknown;
    let hasCome = false;
    const isBefore = (): boolean => before !== null && !this.isTaken;
    const observer: Observer<unknown> = {
      next: (value) => {
        if (isBefore()) return before!.next(value);
        last = value;
        hasCome = true;
      },
      error: (error) => {
        this.isOver = true;
        if (isBefore()) before!.error(error);
        else this.came.reject(error);
      },
      complete: () => {
        this.isOver = true;
        if (isBefore()) before!.complete();
        else if (hasCome) this.came.resolve(last);
        else this.came.reject(new EmptyError());
      },
    };
    withClaim(this, () => {
      this.subscription.add(this.next.handle().subscribe(observer));
    });
  }

  stop(): void {
    this.subscription.unsubscribe();
  }
}

class Deferred {
  readonly promise: Promise<unknown>;
  resolve!: (value: unknown) => void;
  reject!: (error: unknown) => void;

  constructor() {
    this.promise = new Promise<unknown>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // It may well come when nobody waits for it any more.
    this.promise.catch(ignore);
  }
}

async function settledBy(run: () => unknown): Promise<unknown> {
  return run();
}

/** What inner interceptors see that wait for a handler which does not run. */
function passedOver(): Error {
  return new Error(MESSAGES.passedOver);
}
