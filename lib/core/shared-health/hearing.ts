/** What a store tells unasked. Neither what it does then nor what it gives for it must fail anybody. */
import type { HealthStore } from '../health-store.js';
import { isThenable, quietly } from '../thenable.js';

/** @internal */
export class Hearing {
  private isOver = false;
  private stop: (() => unknown) | null = null;

  /** Who hears of no change learns it by asking: a store need not tell. */
  begin(store: HealthStore, onChange: (change: { readonly key: string }) => void, onGap: () => void): void {
    quietly(() => {
      const stop: unknown = store.subscribe?.((change) => quietly(() => onChange(change)), onGap);
      return isThenable(stop) ? stop.then((late) => this.keep(late)) : this.keep(stop);
    });
  }

  end(): void {
    this.isOver = true;
    quietly(() => this.stop?.());
  }

  private keep(stop: unknown): void {
    if (typeof stop !== 'function') return;
    if (this.isOver) quietly(() => stop() as unknown);
    else this.stop = stop as () => unknown;
  }
}
