/**
 * Where last known good values may be kept: any Keyv, a Map, or what you write yourself. Everything it gives may be a
 * promise. What is kept is text, and when it was stored is our own knowledge, so `ttl` (ms) is a courtesy to the store.
 * @example const store: ValueStore = { get: (key) => db.read(key), set: (key, text) => db.write(key, text), delete: (key) => db.drop(key) }
 * @publicApi
 */
export interface ValueStore {
  /** `undefined` or `null` for what is not there */
  get(key: string): unknown;
  /** `false` for what was not kept */
  set(key: string, value: unknown, ttl?: number): unknown;
  delete(key: string): unknown;
}

/** What cache-manager's `Cache` looks like. @publicApi */
export interface CacheLike {
  get(key: string): unknown;
  set(key: string, value: any, ttl?: number): unknown;
  del(key: string): unknown;
}

/** Whether values can be kept in it. @internal */
export function isStore(value: unknown): value is ValueStore | CacheLike {
  if (typeof value !== 'object' || value === null) return false;
  const has = (name: string): boolean => typeof (value as Record<string, unknown>)[name] === 'function';
  return has('get') && has('set') && (has('delete') || has('del'));
}
