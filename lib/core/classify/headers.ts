/** Where clients keep the headers of an answer, and the shapes they keep them in. */
import type { Facts } from './facts.js';
import { call, elements, hasMethod, isObject, keysOf, read } from './read.js';

/** Looks a header up by its lower-case name; blanks around are gone. @internal */
export type HeaderReader = (name: string) => string | undefined;

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' ? String(value) : undefined;
}

/** An array stands for a repeated header, so several values are one list. */
function textOf(value: unknown): string | undefined {
  const parts = elements(value)?.map(scalarText);
  if (parts === undefined) return scalarText(value);
  return parts.length === 0 || parts.includes(undefined) ? undefined : parts.join(', ');
}

/** Pairs of name and value, or both in turn. */
function pairsOf(list: readonly unknown[]): readonly unknown[][] {
  if (elements(list[0]) !== undefined) return list.map((pair) => elements(pair) ?? []);
  return list.flatMap((name, i) => (i % 2 === 0 ? [[name, list[i + 1]]] : []));
}

/** Names that come twice make a list. */
function fromList(list: readonly unknown[]): HeaderReader {
  const values = new Map<string, unknown[]>();
  for (const [name, value] of pairsOf(list)) {
    if (typeof name !== 'string') continue;
    const known = values.get(name.toLowerCase());
    if (known) known.push(value);
    else values.set(name.toLowerCase(), [value]);
  }
  return (name) => {
    const known = values.get(name);
    return known?.length === 1 ? textOf(known[0]) : textOf(known);
  };
}

function fromRecord(record: object): HeaderReader {
  const keys = new Map(keysOf(record).map((key) => [key.toLowerCase(), key]));
  return (name) => {
    const key = keys.get(name);
    return key === undefined ? undefined : textOf(read(record, key));
  };
}

function readerOf(carrier: object): HeaderReader {
  const list = elements(carrier);
  if (list !== undefined) return fromList(list);
  if (hasMethod(carrier, 'get')) return (name) => textOf(call(carrier, 'get', name));
  return fromRecord(carrier);
}

/**
 * One reader for each place that has headers. `metadata` is gRPC's. The last two count only beside an HTTP status.
 * @internal
 */
export function headersOf({ node, status }: Pick<Facts, 'node' | 'status'>): HeaderReader[] {
  const places = [
    read(node, 'headers'),
    read(read(node, 'response'), 'headers'),
    read(read(node, '$response'), 'headers'),
    read(read(node, 'raw'), 'headers'),
    read(read(node, 'cause'), 'headers'),
    read(node, 'metadata'),
  ];
  if (status !== undefined) places.push(read(node, 'responseHeaders'), read(read(node, 'rawResponse'), 'headers'));
  return places.filter(isObject).map(readerOf);
}
