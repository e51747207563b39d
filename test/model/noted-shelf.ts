import { MemoryShelf } from '../../lib/stores/memory-shelf.js';
import type { Kept, Writing } from '../../lib/stores/shelf.js';

/** The default shelf, which says what it was given. */
export class NotedShelf extends MemoryShelf {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly note: (kept: Kept) => void) {
    super();
  }

  override write(key: string, kept: Kept, about: Writing): 'size' | null {
    this.note(kept);
    this.kept.set(key, kept);
    return super.write(key, kept, about);
  }

  /** Everything that is kept. */
  all(): Kept[] {
    return [...this.kept.values()];
  }
}
