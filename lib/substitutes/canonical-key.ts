/**
 * A text that two values share exactly if they are equal: the key under which a last known good value is kept. Types
 * are part of it (`1` is not `'1'`), the order of an object's keys is not, and `-0` is `0`.
 *
 * What has no such text gets none: class instances (their private state cannot be seen), functions, symbols, Map, Set,
 * RegExp, cycles. No key means no last known good, since a key that collides would serve one user another's data.
 */

import { plainKind } from './plain.js';
import type { PlainKind } from './plain.js';

/** More than any argument that is worth a key; also ends what refers to the same parts over and over. */
const MOST_PARTS = 10_000;

class NoKey extends Error {}

/** The key of a value, or `undefined` if it has none. Never throws, whatever a getter does. @internal */
export function canonicalKey(value: unknown): string | undefined {
  try {
    return new Writer().write(value);
  } catch {
    return undefined;
  }
}

/** The key of a call's arguments: without the places in `excluded`, and without trailing `undefined`. @internal */
export function canonicalArguments(args: readonly unknown[], excluded: readonly number[]): string | undefined {
  const named = args.filter((_, place) => !excluded.includes(place));
  while (named.length > 0 && named.at(-1) === undefined) named.pop();
  return canonicalKey(named);
}

class Writer {
  private parts = 0;
  private readonly ancestors = new Set<object>();

  write(value: unknown): string {
    if (++this.parts > MOST_PARTS) throw new NoKey();
    switch (typeof value) {
      case 'string':
        return JSON.stringify(value);
      case 'number':
        return String(value === 0 ? 0 : value);
      case 'bigint':
        return `${value}n`;
      case 'boolean':
      case 'undefined':
        return String(value);
      case 'object':
        return value === null ? 'null' : this.writeObject(value);
      default:
        throw new NoKey();
    }
  }

  private writeObject(value: object): string {
    const kind = plainKind(value);
    if (kind === 'bytes') return writeBytes(value as ArrayBufferView);
    if (kind === 'date') return `Date(${(value as Date).getTime()})`;
    if (this.ancestors.has(value)) throw new NoKey();
    this.ancestors.add(value);
    const text = this.writeParts(value, kind);
    this.ancestors.delete(value);
    return text;
  }

  private writeParts(value: object, kind: PlainKind | undefined): string {
    if (kind === 'array') return this.writeArray(value as readonly unknown[]);
    if (kind !== 'record') throw new NoKey();
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${this.write(inner)}`).join(',')}}`;
  }

  private writeArray(value: readonly unknown[]): string {
    if (Object.keys(value).length !== value.length) throw new NoKey(); // holes
    return `[${value.map((element) => this.write(element)).join(',')}]`;
  }
}

function writeBytes({ buffer, byteOffset, byteLength, constructor }: ArrayBufferView): string {
  return `${constructor.name}(${Buffer.from(buffer, byteOffset, byteLength).toString('base64')})`;
}
