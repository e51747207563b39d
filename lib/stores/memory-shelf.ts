import { LRUCache } from 'lru-cache';
import type { Kept, Shelf, Writing } from './shelf.js';

/** How many values are kept; the least recently used go first. @internal */
export const ENTRIES = 1_000;
/** How large all of them may be together, at most. */
const BYTES = 64 * 1_024 * 1_024;

interface Entry {
  readonly kept: Kept;
  /** monotonic */
  readonly writtenAt: number;
}

/** The default: in this process, bounded, one per application. It keeps the very copy that it is given. @internal */
export class MemoryShelf implements Shelf {
  private readonly entries = new LRUCache<string, Entry>({ max: ENTRIES, maxSize: BYTES });

  isDue(key: string, refreshAfter: number, now: number): boolean {
    const entry = this.entries.get(key);
    return entry === undefined || now - entry.writtenAt >= refreshAfter;
  }

  read(key: string): Kept | undefined {
    return this.entries.get(key)?.kept;
  }

  write(key: string, kept: Kept, { now, bytes }: Writing): 'size' | null {
    const size = bytes + 2 * key.length;
    // The cache itself does not take what is larger than all of it.
    this.entries.set(key, { kept, writtenAt: now }, { size });
    return size > BYTES ? 'size' : null;
  }

  forget(key: string): void {
    this.entries.delete(key);
  }
}
