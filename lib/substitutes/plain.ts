/** What plain data is, whichever realm made it: Jest and `node:vm` give `fetch` and `structuredClone` other prototypes. */

/** @internal */
export type PlainKind = 'array' | 'bytes' | 'date' | 'map' | 'set' | 'record';

const BUILT_IN: Readonly<Record<string, PlainKind>> = {
  '[object Array]': 'array',
  '[object Date]': 'date',
  '[object Map]': 'map',
  '[object Set]': 'set',
};

/** The kind of a plain object; `undefined` for class instances, subclasses of built-ins, and everything else. @internal */
export function plainKind(value: object): PlainKind | undefined {
  const tag = Object.prototype.toString.call(value);
  if (ArrayBuffer.isView(value)) return tag === '[object DataView]' ? undefined : 'bytes';
  const prototype = parentOf(value);
  if (isRoot(prototype)) return Object.getOwnPropertySymbols(value).length === 0 ? 'record' : undefined;
  const kind = isRoot(parentOf(prototype!)) ? BUILT_IN[tag] : undefined;
  return kind !== undefined && isGenuine(value, kind) ? kind : undefined;
}

/** A class may call itself anything; only the real thing lets the built-in methods in. */
function isGenuine(value: object, kind: PlainKind): boolean {
  try {
    if (kind === 'date') Date.prototype.getTime.call(value);
    if (kind === 'map') Map.prototype.has.call(value, undefined);
    if (kind === 'set') Set.prototype.has.call(value, undefined);
    const isList = Array.isArray(value) && Object.keys(value).every((key, place) => key === String(place));
    return kind !== 'array' || isList;
  } catch {
    return false;
  }
}

/** Some realm's `Object.prototype`, or none at all. */
function isRoot(prototype: object | null): boolean {
  return prototype === null || (parentOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf'));
}

function parentOf(value: object): object | null {
  return Object.getPrototypeOf(value) as object | null;
}
