/** Reading of values that may be hostile: getters and proxies that throw, revoked proxies, endless lists. */

const MAX_ELEMENTS = 256;

/** @internal */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The property, or undefined if there is none, or it throws, or `of` is no object. @internal */
export function read(of: unknown, key: PropertyKey): unknown {
  if (!isObject(of)) return undefined;
  try {
    return (of as Record<PropertyKey, unknown>)[key];
  } catch {
    return undefined;
  }
}

/** The property if it is a string, else ''. @internal */
export function readText(of: unknown, key: PropertyKey): string {
  const value = read(of, key);
  return typeof value === 'string' ? value : '';
}

/** The name of the object's own class, never of an ancestor; '' if there is none. @internal */
export function className(of: unknown): string {
  const constructor = read(of, 'constructor');
  try {
    return typeof constructor === 'function' && typeof constructor.name === 'string' ? constructor.name : '';
  } catch {
    return '';
  }
}

/** @internal */
export function hasMethod(of: unknown, name: string): boolean {
  return typeof read(of, name) === 'function';
}

/** What the method returns; undefined if there is none or it throws. @internal */
export function call(of: unknown, name: string, ...args: readonly unknown[]): unknown {
  const method = read(of, name);
  if (typeof method !== 'function') return undefined;
  try {
    const result: unknown = Reflect.apply(method, of, args);
    // An asynchronous method is none that we look for, but its rejection would be ours to handle.
    if (result instanceof Promise) result.catch(() => undefined);
    return result;
  } catch {
    return undefined;
  }
}

/** A bounded copy of an array; undefined for everything else. @internal */
export function elements(list: unknown): unknown[] | undefined {
  try {
    return Array.isArray(list) ? (Array.prototype.slice.call(list, 0, MAX_ELEMENTS) as unknown[]) : undefined;
  } catch {
    return undefined;
  }
}

/** The own enumerable keys. @internal */
export function keysOf(record: object): string[] {
  try {
    return Object.keys(record);
  } catch {
    return [];
  }
}

/** @internal */
export function prototypeOf(value: object): object | null {
  try {
    return Object.getPrototypeOf(value) as object | null;
  } catch {
    return null;
  }
}

/** An Error or DOMException of any realm. @internal */
export function isError(value: unknown): value is object {
  if (!isObject(value)) return false;
  try {
    const tag = Object.prototype.toString.call(value);
    return tag === '[object Error]' || tag === '[object DOMException]' || value instanceof Error;
  } catch {
    return false;
  }
}
