import { Observable } from 'rxjs';
import type { Observer, Operator, Subscriber, Subscription } from 'rxjs';

/** Calls somebody who only listens: what a listener throws, or rejects with, is swallowed and logged once. */
type Listen = <A extends unknown[]>(listener: (...heard: A) => unknown, ...heard: A) => void;

type Listener<T> = { [K in keyof Observer<T>]?: Observer<T>[K] | null | undefined };

/**
 * An Observable whose subscribers can hurt nobody. RxJS reports what a subscriber throws as an uncaught exception,
 * and does not look at the promise of an asynchronous one; either would end the process. Whatever is derived from it
 * by operators is as safe.
 * @internal
 */
export class SafeObservable<T> extends Observable<T> {
  constructor(
    private readonly listen: Listen,
    onSubscribe?: (subscriber: Subscriber<T>) => (() => void) | undefined,
  ) {
    super(onSubscribe);
  }

  override lift<R>(operator?: Operator<T, R>): Observable<R> {
    const derived = new SafeObservable<R>(this.listen);
    derived.source = this;
    derived.operator = operator;
    return derived;
  }

  override subscribe(
    first?: Partial<Observer<T>> | ((value: T) => void) | null,
    onError?: ((error: unknown) => void) | null,
    onComplete?: (() => void) | null,
  ): Subscription {
    if (isOperators(first)) return super.subscribe(first);
    const given: Listener<T> =
      typeof first === 'function' || first == null ? { next: first, error: onError, complete: onComplete } : first;
    const next = (value: T): unknown => given.next?.(value);
    const error = (reason: unknown): unknown => {
      if (given.error == null) throw reason;
      return given.error(reason);
    };
    const complete = (): unknown => given.complete?.();
    return super.subscribe({
      next: (value) => this.listen(next, value),
      error: (reason) => this.listen(error, reason),
      complete: () => this.listen(complete),
    });
  }
}

/** The inner end of an operator, of whichever copy of RxJS: it is part of a pipeline whose outer end is looked after. */
function isOperators<T>(given: Partial<Observer<T>> | ((value: T) => void) | null | undefined): given is Subscriber<T> {
  return typeof given === 'object' && given !== null && 'add' in given && 'remove' in given && 'unsubscribe' in given;
}
