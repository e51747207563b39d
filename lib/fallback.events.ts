import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Observable, Subscriber } from 'rxjs';
import type { FallbackEvent } from './core/types.js';
import { RUNTIME } from './fallback.constants.js';
import { FallbackRuntime } from './fallback.runtime.js';
import { SafeObservable } from './safe-observable.js';

/**
 * The events of the application's chains, for those who come and go. Nothing is paid for while nobody listens.
 * @example events.events$.pipe(filter(({ name }) => name === 'circuit.opened')).subscribe(page)
 * @publicApi
 */
@Injectable()
export class FallbackEvents implements OnApplicationShutdown {
  /**
   * Every event from the moment of subscription, as it happens; completes when the application has shut down. No
   * subscriber can change an outcome: what one throws is swallowed and logged once.
   */
  readonly events$: Observable<FallbackEvent>;
  private readonly subscribers = new Set<Subscriber<FallbackEvent>>();
  private isOver = false;

  constructor(@Inject(RUNTIME) private readonly runtime: FallbackRuntime) {
    const { engine } = runtime;
    this.events$ = new SafeObservable(engine.listen.bind(engine), (subscriber) => this.add(subscriber));
  }

  /** Nest calls it. */
  onApplicationShutdown(): void {
    const { engine } = this.runtime;
    this.isOver = true;
    for (const subscriber of this.subscribers) engine.listen(() => subscriber.complete());
    engine.close();
  }

  private add(subscriber: Subscriber<FallbackEvent>): (() => void) | undefined {
    if (this.isOver) {
      subscriber.complete();
      return undefined;
    }
    const stop = this.runtime.engine.observe((event) => subscriber.next(event));
    this.subscribers.add(subscriber);
    return () => {
      this.subscribers.delete(subscriber);
      stop();
    };
  }
}
