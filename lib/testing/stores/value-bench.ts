/** Values in a store under test. */
import type { CacheLike, ValueStore } from '../../core/index.js';
import { Bench } from './bench.js';
import { NotThere } from './rules.js';

/** Longer than any check. @internal */
export const LONG_TTL = 60_000;

/** @internal */
export class ValueBench extends Bench<ValueStore | CacheLike> {
  private readonly used = new Set<string>();

  /** A key of its own, forgotten at the end. */
  place(about = 'value'): string {
    const key = this.key(about);
    this.used.add(key);
    return key;
  }

  /** One that is like another. */
  alike(key: string): string {
    this.used.add(key);
    return key;
  }

  async get(key: string): Promise<unknown> {
    const store = this.next();
    return this.ask('get', () => store.get(key));
  }

  async set(key: string, text: string, ttl: number | undefined): Promise<unknown> {
    const store = this.next();
    return this.ask('set', () => store.set(key, text, ttl));
  }

  /** Kept, as far as the store says. */
  async keep(key: string, text: string, ttl = LONG_TTL): Promise<void> {
    if ((await this.set(key, text, ttl)) === false) throw new NotThere('a text is not kept');
  }

  async delete(key: string): Promise<void> {
    const store = this.next();
    await this.ask('delete', () => ('delete' in store ? store.delete(key) : store.del(key)));
  }

  async cleanUp(): Promise<void> {
    for (const key of this.used) await this.delete(key);
  }
}

/** @internal */
export function isNothing(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}
