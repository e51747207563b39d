/**
 * The marks that answers and errors carry outside themselves: an object's receipt, and the envelope of
 * `mark: 'served'`. Receipts are stamped on the objects unseen, so frozen ones can be marked and none is changed.
 */
import { brand, shared } from './shared.js';
import { createStamp } from './stamp.js';
import type { Receipt, Served } from './types.js';

interface Mark {
  readonly receipt: Receipt;
  /** how many marks there were before it */
  readonly at: number;
}

const marks = shared('marks', () => ({ stamp: createStamp<Mark>(), count: 0 }));
const ENVELOPE = brand('served');

/**
 * The receipt of an error, of a degraded answer, or of an answer that did not come from the primary.
 * Answers that are no objects have none; read them through `withReceipt`.
 * @example receiptOf(error)?.attempts
 * @publicApi
 */
export function receiptOf(answerOrError: unknown): Receipt | undefined {
  return isObject(answerOrError) ? marks.stamp.read(answerOrError)?.receipt : undefined;
}

/** @internal */
export function setReceipt(answerOrError: unknown, receipt: Receipt): void {
  if (!isObject(answerOrError)) return;
  marks.stamp.write(answerOrError, { receipt, at: marks.count++ });
}

/** How many marks there are: an attempt that remembers it can tell later marks from those that it found. @internal */
export function countMarks(): number {
  return marks.count;
}

/** The receipt that something got since then. @internal */
export function receiptSince(answerOrError: unknown, since: number): Receipt | undefined {
  const mark = marks.count > since && isObject(answerOrError) ? marks.stamp.read(answerOrError) : undefined;
  return mark !== undefined && mark.at >= since ? mark.receipt : undefined;
}

/** How an answer that came from a candidate was already degraded on its way here. @internal */
export interface Inherited {
  readonly source: Receipt['source'];
  readonly reason?: Receipt['reason'];
  readonly age?: number;
}

/**
 * Whether an answer was degraded before it came to `chain`: by an inner chain (known by its envelope or by identity),
 * or by its own word. A mark that `chain` itself left on the object before this attempt is out of date and taken off.
 * @param since what `countMarks` gave when the attempt began
 * @internal
 */
export function inherited(chain: string, value: unknown, since: number): Inherited | null {
  if (!isObject(value)) return null;
  if (isServed(value)) return value.degraded ? value : inherited(chain, value.value, since);
  const mark = marks.count > 0 ? marks.stamp.read(value) : undefined;
  if (mark !== undefined && mark.receipt.chain === chain && mark.at < since) marks.stamp.write(value, undefined);
  else if (mark?.receipt.degraded === true) return mark.receipt;
  return saysDegraded(value) ? { source: 'candidate' } : null;
}

function saysDegraded(value: object): boolean {
  try {
    return (value as { degraded?: unknown }).degraded === true && Object.hasOwn(value, 'degraded');
  } catch {
    return false;
  }
}

class Envelope<T> implements Served<T> {
  declare age?: number;
  declare reason?: NonNullable<Receipt['reason']>;

  constructor(
    public value: T,
    public degraded: boolean,
    public source: Receipt['source'],
    public servedBy: string | null,
  ) {}
}
Object.defineProperty(Envelope.prototype, ENVELOPE, { value: true });

/**
 * Puts a value into the envelope of `mark: 'served'`, undegraded, for candidates and substitutes of such a method.
 * @example async picksFor(userId: string): Promise<Served<Pick[]>> { return served(await this.model.picks(userId)) }
 * @publicApi
 */
export function served<T>(value: T): Served<T> {
  return new Envelope(value, false, 'candidate', null);
}

/** @internal */
export function envelope<T>(
  value: T,
  by: Pick<Receipt, 'degraded' | 'source' | 'servedBy' | 'age' | 'reason'>,
): Served<T> {
  const answer = new Envelope(value, by.degraded, by.source, by.servedBy);
  if (by.age !== undefined) answer.age = by.age;
  if (by.reason !== undefined) answer.reason = by.reason;
  return answer;
}

/** @internal */
export function isServed(value: unknown): value is Served<unknown> {
  return isObject(value) && guardedRead(value, ENVELOPE) === true;
}

function guardedRead(value: object, key: symbol): unknown {
  try {
    return (value as Record<symbol, unknown>)[key];
  } catch {
    return undefined;
  }
}

/** What can be a key of a WeakMap. @internal */
export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
