/**
 * Plain data as text and back, types kept. What JSON keeps stands for itself; all else is a list that begins with a tag.
 * Objects are lists of names and values: a field may be called `__proto__`. Both directions throw on what they do not know.
 */

type Tree = string | number | boolean | null | readonly Tree[];

const VIEWS = new Map(
  [
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
  ].map((view) => [view.name, view as new (bytes: ArrayBuffer) => ArrayBufferView]),
);

/** @internal */
export function encode(value: unknown): Tree {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : ['number', Object.is(value, -0) ? '-0' : `${value}`];
    case 'undefined':
      return ['undefined'];
    case 'bigint':
      return ['bigint', `${value}`];
    case 'object':
      return value === null ? null : encodeObject(value);
    default:
      throw new TypeError('not plain data');
  }
}

function encodeObject(value: object): Tree {
  if (Array.isArray(value)) return ['array', ...value.map(encode)];
  if (ArrayBuffer.isView(value)) return encodeView(value);
  if (value instanceof Date) return ['date', encode(value.getTime())];
  if (value instanceof Map) return ['map', ...[...value].flat().map(encode)];
  if (value instanceof Set) return ['set', ...[...value].map(encode)];
  const tag = Object.getPrototypeOf(value) === null ? 'dictionary' : 'object';
  return [tag, ...Object.entries(value).flatMap(([name, item]) => [name, encode(item)])];
}

function encodeView(view: ArrayBufferView): Tree {
  const { buffer, byteOffset, byteLength } = view;
  const bytes = Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString('base64');
  if (Buffer.isBuffer(view)) return ['Buffer', bytes];
  const { name } = view.constructor;
  if (!VIEWS.has(name)) throw new TypeError('not plain data');
  return [name, bytes];
}

/** @internal */
export function decode(tree: unknown): unknown {
  if (!Array.isArray(tree)) {
    if (typeof tree === 'object' && tree !== null) throw new TypeError('not encoded');
    return tree;
  }
  const [tag, ...parts] = tree as [unknown, ...unknown[]];
  switch (tag) {
    case 'number':
      return Number(text(parts));
    case 'undefined':
      return undefined;
    case 'bigint':
      return BigInt(text(parts));
    case 'array':
      return parts.map(decode);
    case 'date':
      return new Date(decode(parts[0]) as number);
    case 'map':
      return new Map(pairs(parts.map(decode)));
    case 'set':
      return new Set(parts.map(decode));
    case 'object':
      return record({}, parts);
    case 'dictionary':
      return record(Object.create(null) as object, parts);
    case 'Buffer':
      return Buffer.from(text(parts), 'base64');
    default:
      return decodeView(tag, text(parts));
  }
}

function decodeView(tag: unknown, base64: string): ArrayBufferView {
  const View = VIEWS.get(tag as string);
  if (View === undefined) throw new TypeError('not encoded');
  return new View(Uint8Array.from(Buffer.from(base64, 'base64')).buffer);
}

function record(made: object, parts: readonly unknown[]): object {
  for (const [name, item] of pairs(parts)) {
    const own = { value: decode(item), writable: true, enumerable: true, configurable: true };
    Object.defineProperty(made, text([name]), own);
  }
  return made;
}

function pairs(flat: readonly unknown[]): [unknown, unknown][] {
  if (flat.length % 2 !== 0) throw new TypeError('not encoded');
  return Array.from({ length: flat.length / 2 }, (_, place) => [flat[place * 2], flat[place * 2 + 1]]);
}

function text([only]: readonly unknown[]): string {
  if (typeof only !== 'string') throw new TypeError('not encoded');
  return only;
}
