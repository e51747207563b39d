/**
 * A store that cannot be trusted: it may hang, throw, reject, answer anything, or tell of errors by events. None of that
 * leaves this file but as an event, one for each operation that failed, and one when the store works again.
 */
import type { Engine } from '../core/engine.js';
import type { CacheLike, ValueStore } from '../core/value-store.js';
import { Errand } from './errand.js';
import type { Principal, Task, Trouble } from './errand.js';
import { hearErrors } from './store-errors.js';

/** @internal */
export class GuardedStore implements Principal {
  private isFailing = false;
  private last: Errand | null = null;
  private readonly underWay = new Set<Errand>();

  /** @param timeout how long an operation may take, ms */
  constructor(
    private readonly store: ValueStore | CacheLike,
    private readonly engine: Engine,
    readonly timeout: number,
  ) {
    hearErrors(store, this);
  }

  get clock() {
    return this.engine.clock;
  }

  get(key: string, task: Task): Errand {
    return this.run(task, () => this.store.get(key));
  }

  set(key: string, text: string, ttl: number, task: Task): Errand {
    return this.run(task, () => this.store.set(key, text, ttl));
  }

  delete(key: string, task: Task): Errand {
    return this.run(task, () => ('delete' in this.store ? this.store.delete(key) : this.store.del(key)));
  }

  onError(): void {
    if (this.underWay.size === 0) this.last?.doubt();
    for (const errand of this.underWay) errand.doubt();
  }

  ended(errand: Errand): void {
    this.underWay.delete(errand);
  }

  failed({ chain, operation }: Task, because: Trouble): void {
    this.isFailing = true;
    this.engine.report({ name: 'store.failed', chain, operation, because });
  }

  worked({ chain }: Task): void {
    if (!this.isFailing) return;
    this.isFailing = false;
    this.engine.report({ name: 'store.recovered', chain });
  }

  private run(task: Task, ask: () => unknown): Errand {
    const errand = (this.last = new Errand(this, task));
    this.underWay.add(errand);
    errand.run(ask);
    return errand;
  }
}
