import { EventEmitter } from 'node:events';
import type { DegradedOptions, FallbackModuleOptions, ValueStore } from '../../lib/index.js';
import { open } from './ladder.js';
import { TestClock } from './test-clock.js';

/** A store that keeps what it is given and says what it was asked. */
export class NotingStore extends Map<string, unknown> implements ValueStore {
  readonly asked: string[] = [];
  readonly ttls: (number | undefined)[] = [];

  override get(key: string): unknown {
    this.asked.push('get');
    return super.get(key);
  }

  override set(key: string, value: unknown, ttl?: number): this {
    this.asked.push('set');
    this.ttls.push(ttl);
    return super.set(key, value);
  }

  override delete(key: string): boolean {
    this.asked.push('delete');
    return super.delete(key);
  }
}

/** What a store does with one operation, instead of it. */
export type Fault = (operation: 'get' | 'set' | 'delete', store: FaultyStore) => unknown;

/** A real store, asynchronous, behind something that may be broken: while there is a fault, that is what answers. */
export class FaultyStore extends EventEmitter implements ValueStore {
  readonly kept = new Map<string, unknown>();
  /** the clock of whoever uses it */
  clock = new TestClock();

  constructor(public fault: Fault | null = null) {
    super();
  }

  get(key: string): unknown {
    return this.fault === null ? Promise.resolve(this.kept.get(key)) : this.fault('get', this);
  }

  set(key: string, value: unknown): unknown {
    if (this.fault !== null) return this.fault('set', this);
    this.kept.set(key, value);
    return Promise.resolve(true);
  }

  delete(key: string): unknown {
    return this.fault === null ? Promise.resolve(this.kept.delete(key)) : this.fault('delete', this);
  }
}

type Known = NonNullable<DegradedOptions['lastKnownGood']>;

/** A ladder of one whose answer the test says, and that fails without one. */
export async function keeping(
  store: ValueStore | undefined,
  known: Partial<Known> = {},
  module?: FallbackModuleOptions,
) {
  const state: { give: (() => unknown) | null } = { give: () => 'v1' };
  const ladder = await open({
    rungs: [{ name: 'a', plays: async () => (state.give === null ? Promise.reject(new Error('down')) : state.give()) }],
    options: { whenOpen: 'ignore' },
    degraded: { lastKnownGood: { maxAge: 3_600_000, ...known } },
    module: { ...(store !== undefined && { valueStore: store }), ...module },
  });
  return { ladder, state };
}
