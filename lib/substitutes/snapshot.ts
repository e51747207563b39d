/**
 * Copies of plain data that equal the original, types included: Date, Map, Set, BigInt, undefined, Buffer and typed
 * arrays stay what they are. What cannot be copied faithfully is refused as a whole, never handed back as something
 * else: class instances, functions, symbols, streams, responses, cycles.
 */

import { plainKind } from './plain.js';

/** @internal */
export interface Snapshot {
  readonly copy: unknown;
  /** about how much memory it takes */
  readonly bytes: number;
}

/** Why a value was not copied. @internal */
export type Refusal = 'value' | 'size';

class Refused extends Error {
  constructor(readonly because: Refusal) {
    super();
  }
}

const WORD = 8;

/** A copy of `value`, or why there is none. Never throws. @internal */
export function snapshot(value: unknown, maxBytes = Infinity): Snapshot | Refusal {
  try {
    const copier = new Copier(maxBytes);
    return { copy: copier.copy(value), bytes: copier.bytes };
  } catch (error) {
    return error instanceof Refused ? error.because : 'value';
  }
}

/** A copy of `value`, or `value` itself if it is no plain data. @internal */
export function freshCopy(value: unknown): unknown {
  const taken = snapshot(value);
  return typeof taken === 'string' ? value : taken.copy;
}

class Copier {
  bytes = 0;
  private readonly ancestors = new Set<object>();

  constructor(private readonly maxBytes: number) {}

  copy(value: unknown): unknown {
    this.weigh(typeof value === 'string' ? value.length * 2 : WORD);
    if (typeof value === 'function' || typeof value === 'symbol') throw new Refused('value');
    if (typeof value !== 'object' || value === null) return value;
    if (this.ancestors.has(value)) throw new Refused('value');
    this.ancestors.add(value);
    const copy = this.copyObject(value);
    this.ancestors.delete(value);
    return copy;
  }

  private weigh(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.maxBytes) throw new Refused('size');
  }

  private copyObject(value: object): object {
    switch (plainKind(value)) {
      case 'array':
        return this.copyArray(value as readonly unknown[]);
      case 'bytes':
        return this.copyBytes(value as ArrayBufferView);
      case 'date':
        return new Date((value as Date).getTime());
      case 'map':
        return this.copyMap(value as Map<unknown, unknown>);
      case 'set':
        return new Set([...(value as Set<unknown>)].map((item) => this.copy(item)));
      case 'record':
        return this.copyRecord(value);
      default:
        throw new Refused('value');
    }
  }

  private copyArray(value: readonly unknown[]): unknown[] {
    if (Object.keys(value).length !== value.length) throw new Refused('value');
    return value.map((item) => this.copy(item));
  }

  private copyMap(value: Map<unknown, unknown>): Map<unknown, unknown> {
    return new Map([...value].map(([key, item]) => [this.copy(key), this.copy(item)]));
  }

  private copyBytes(value: ArrayBufferView): object {
    this.weigh(value.byteLength);
    if (Buffer.isBuffer(value)) return Buffer.from(value);
    return new (value.constructor as new (source: ArrayBufferView) => object)(value);
  }

  private copyRecord(value: object): object {
    const copy = Object.create(Object.getPrototypeOf(value) === null ? null : Object.prototype) as object;
    for (const [name, item] of Object.entries(value)) {
      this.weigh(name.length * 2);
      // Defined, not assigned: a field may be called `__proto__`.
      const own = { value: this.copy(item), writable: true, enumerable: true, configurable: true };
      Object.defineProperty(copy, name, own);
    }
    return copy;
  }
}
