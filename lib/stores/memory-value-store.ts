import { LRUCache } from 'lru-cache';

/** How many values the default store keeps; the least recently used go first. */
const ENTRIES = 1_000;

/** The default store of last known good values: in this process, bounded, one per application. @internal */
export class MemoryValueStore {
  private readonly entries = new LRUCache<string, object>({ max: ENTRIES });

  get(key: string): unknown {
    return this.entries.get(key);
  }

  set(key: string, value: object): void {
    this.entries.set(key, value);
  }

  delete(key: string): void {
    this.entries.delete(key);
  }
}
