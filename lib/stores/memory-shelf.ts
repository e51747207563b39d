import { LRUCache } from 'lru-cache';
import type { Kept, Shelf } from './shelf.js';

/** How many values are kept; the least recently used go first. @internal */
export const ENTRIES = 1_000;

interface Entry {
  readonly kept: Kept;
  /** monotonic */
  readonly writtenAt: number;
}

/** The default: in this process, bounded, one per application. It keeps the very copy that it is given. @internal */
export class MemoryShelf implements Shelf {
  private readonly entries = new LRUCache<string, Entry>({ max: ENTRIES });

  isDue(key: string, refreshAfter: number, now: number): boolean {
    const entry = this.entries.get(key);
    return entry === undefined || now - entry.writtenAt >= refreshAfter;
  }

  read(key: string): Kept | undefined {
    return this.entries.get(key)?.kept;
  }

  write(key: string, kept: Kept, now: number): boolean {
    this.entries.set(key, { kept, writtenAt: now });
    return true;
  }

  forget(key: string): void {
    this.entries.delete(key);
  }
}
