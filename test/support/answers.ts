import { Token, parseList, serializeItem } from 'structured-headers';
import type { Receipt } from '../../lib/index.js';

/** Fails like an upstream that is down. */
export function down(message = 'upstream is down'): Promise<never> {
  return Promise.reject(new Error(message));
}

/** A promise and the hands that settle it. */
export interface Gate<T = void> {
  readonly opened: Promise<T>;
  readonly open: (value: T) => void;
}

export function gate<T = void>(): Gate<T> {
  let open!: (value: T) => void;
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** One member of a header that is an RFC 9651 list. */
export interface Member {
  readonly name: string;
  readonly [parameter: string]: unknown;
}

/** The members of a list header; none if it is absent. Throws for what is no such list. */
export function members(header: string | null | undefined): Member[] {
  if (header === null || header === undefined) return [];
  return parseList(header).map(([item, parameters]) => ({
    name: String(item),
    ...Object.fromEntries([...parameters].map(([key, value]) => [key, plain(value)])),
  }));
}

function plain(value: unknown): unknown {
  return value instanceof Token ? value.toString() : value;
}

/** The list's first member as it stands on the wire, without parameters: tells a token from a string. */
export function firstItem(header: string | null): string {
  const [first] = parseList(header ?? '');
  return serializeItem([first![0] as string, new Map()]);
}

/** Who answered, in the order of the receipts. */
export function chainsOf(receipts: readonly Receipt[]): string[] {
  return receipts.map(({ chain }) => chain);
}
