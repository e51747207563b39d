/**
 * Observables as answers in promise chains (`HttpService`, `ClientProxy`): the last value counts. Known by shape, so
 * that the engine needs no package.
 */
import type { Race } from './race.js';

/** An Observable of any library. @internal */
export interface Observable {
  subscribe(observer: { next(value: unknown): void; error(error: unknown): void; complete(): void }): {
    unsubscribe(): void;
  };
}

/** @internal */
export function isObservable(value: unknown): value is Observable {
  if (typeof value !== 'object' || value === null) return false;
  const { subscribe, pipe } = value as { subscribe?: unknown; pipe?: unknown };
  return typeof subscribe === 'function' && typeof pipe === 'function';
}

class NothingEmitted extends Error {
  override readonly name = 'EmptyError';

  constructor() {
    super('The Observable completed without a value');
  }
}

/** The last value of an Observable, which is unsubscribed when the race is cut. @internal */
export function lastValue(source: Observable, race: Race): Promise<unknown> {
  return new Promise((resolve, reject) => {
    let last: unknown;
    let hasValue = false;
    const subscription = source.subscribe({
      next: (value) => {
        last = value;
        hasValue = true;
      },
      error: reject,
      complete: () => {
        if (hasValue) resolve(last);
        else reject(new NothingEmitted());
      },
    });
    race.teardown = () => {
      reject(race.error); // it gives nothing any more
      subscription.unsubscribe();
    };
  });
}
