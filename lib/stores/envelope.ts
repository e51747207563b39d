/**
 * What a store is given: one text with the value, our own stamp, and what the value belongs to. So age, key and version
 * are checked by us, whatever the store does; what is no envelope of ours is never taken for a value.
 */
import { createHash } from 'node:crypto';
import { decode, encode } from './codec.js';
import type { Kept, Label } from './shelf.js';

/** Another number, another form: such a text is not ours to read. */
const FORMAT = 1;

/** The key in the store: nothing of the arguments can be read from it. @internal */
export function hashed(key: string): string {
  return `nestjs-fallback:${createHash('sha256').update(key).digest('base64url')}`;
}

/** The text of a value; undefined for what cannot be written down. @internal */
export function seal(storeKey: string, { value, storedAt }: Kept, { version }: Label): string | undefined {
  try {
    return JSON.stringify([FORMAT, storeKey, version, storedAt, encode(value)]);
  } catch {
    return undefined;
  }
}

/** What a store has given: a value, `'foreign'` for one that is somebody else's, `'unreadable'` for anything else. @internal */
export function unseal(storeKey: string, given: unknown, { version }: Label): Kept | 'foreign' | 'unreadable' {
  try {
    const parts: unknown = JSON.parse(given as string);
    if (!Array.isArray(parts) || parts.length !== 5) return 'unreadable';
    const [format, key, of, storedAt, tree] = parts as unknown[];
    if (typeof format !== 'number' || typeof storedAt !== 'number') return 'unreadable';
    if (format !== FORMAT || key !== storeKey || of !== version) return 'foreign';
    return { value: decode(tree), storedAt };
  } catch {
    return 'unreadable';
  }
}
