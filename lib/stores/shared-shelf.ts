import { LRUCache } from 'lru-cache';
import { hashed, seal, unseal } from './envelope.js';
import type { Task } from './errand.js';
import type { GuardedStore } from './guarded-store.js';
import { ENTRIES } from './memory-shelf.js';
import type { Kept, Label, Reading, Shelf, Writing } from './shelf.js';

/** Stores let go a little later than we do: whose value may still be served is not theirs to say. */
const TTL_MARGIN = 5_000;

/** Values in somebody else's store, which other processes may share. @internal */
export class SharedShelf implements Shelf {
  /** when keys were last written from here, by the monotonic clock */
  private readonly written = new LRUCache<string, number>({ max: ENTRIES });
  /** writes that the store has not answered */
  private readonly writing = new Map<string, { isForgotten: boolean }>();

  constructor(private readonly store: GuardedStore) {}

  isDue(key: string, refreshAfter: number, now: number): boolean {
    const at = this.written.get(key);
    return (at === undefined || now - at >= refreshAfter) && !this.writing.has(key);
  }

  read(key: string, label: Label): Kept | undefined | Reading {
    const storeKey = hashed(key);
    let found: Kept | undefined;
    let tell: ((kept: Kept | undefined) => void) | undefined;
    const errand = this.store.get(storeKey, {
      operation: 'get',
      chain: label.chain,
      isAwaited: true,
      judge(answer) {
        if (answer === undefined || answer === null) return 'silent';
        const kept = unseal(storeKey, answer, label);
        if (kept === 'unreadable') return kept;
        if (kept !== 'foreign') found = kept;
        return 'proven';
      },
      done: () => tell?.(found),
    });
    if (errand.isOver) return found;
    const kept = new Promise<Kept | undefined>((resolve) => {
      tell = resolve;
    });
    return { kept, giveUp: (isTooSlow) => errand.end(isTooSlow ? 'timeout' : null) };
  }

  write(key: string, kept: Kept, { now }: Writing, label: Label): 'value' | null {
    const storeKey = hashed(key);
    const text = seal(storeKey, kept, label);
    if (text === undefined) return 'value';
    const write = { isForgotten: false };
    this.writing.set(key, write);
    this.store.set(storeKey, text, Math.ceil(label.maxAge) + TTL_MARGIN, {
      operation: 'set',
      chain: label.chain,
      isAwaited: false,
      judge: (answer) => (answer === false ? 'refused' : answer === true ? 'proven' : 'plausible'),
      done: (trouble) => {
        if (this.writing.get(key) === write) this.writing.delete(key);
        if (trouble !== null) this.written.delete(key);
        else if (!write.isForgotten) this.written.set(key, now);
        else this.delete(key, label, false, () => {});
      },
    });
    return null;
  }

  forget(key: string, label: Label): Promise<void> {
    this.written.delete(key);
    const write = this.writing.get(key);
    if (write !== undefined) write.isForgotten = true;
    return new Promise((resolve, reject) => {
      this.delete(key, label, true, (trouble) => {
        if (trouble === null) resolve();
        else reject(new Error(`The store of ${label.chain} has not deleted the value (${trouble}); try again`));
      });
    });
  }

  private delete(key: string, { chain }: Label, isAwaited: boolean, done: Task['done']): void {
    const task: Task = { operation: 'delete', chain, isAwaited, judge: () => 'silent', done };
    this.store.delete(hashed(key), task);
  }
}
