import { MemoryShelf } from '../../lib/stores/memory-shelf.js';
import type { Kept } from '../../lib/stores/shelf.js';

/** The default shelf, which says what it was given. */
export class NotedShelf extends MemoryShelf {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly note: (kept: Kept) => void) {
    super();
  }

  override write(key: string, kept: Kept, now: number): boolean {
    this.note(kept);
    this.kept.set(key, kept);
    return super.write(key, kept, now);
  }

  /** Everything that is kept. */
  all(): Kept[] {
    return [...this.kept.values()];
  }
}
