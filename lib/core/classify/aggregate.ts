/** Rule 11. Several errors in one: the members decide, unless the aggregate said something itself. */
import type { FailureKind } from '../types.js';
import type { Facts } from './facts.js';
import { elements, read } from './read.js';

/** The kind, and the delay if there is one. @internal */
export interface Judgement {
  readonly kind: FailureKind;
  readonly retryAfter: number | undefined;
}

/** One of these settles it for all, in this order. */
const DECISIVE: readonly FailureKind[] = ['terminal', 'denied', 'unsupported'];

/** The errors of several tries at once, or one after another. */
const COLLECTIONS = /^(?:AggregateError|(?:AI_)?RetryError)$/;

/** The members of an AggregateError of any origin; empty for everything else. @internal */
export function membersOf({ node, name, className }: Facts): readonly unknown[] {
  if (!COLLECTIONS.test(name) && !COLLECTIONS.test(className)) return [];
  return elements(read(node, 'errors')) ?? [];
}

/** The delay counts if every member has one: the soonest. @internal */
export function judgeTogether(members: readonly Judgement[]): Judgement {
  const kinds = new Set(members.map(({ kind }) => kind));
  const [first] = kinds;
  const same = kinds.size === 1 ? first : undefined;
  const kind = DECISIVE.find((decisive) => kinds.has(decisive)) ?? same ?? 'transient';
  const delays = members.map(({ retryAfter }) => retryAfter).filter((delay) => delay !== undefined);
  return { kind, retryAfter: delays.length === members.length ? Math.min(...delays) : undefined };
}
