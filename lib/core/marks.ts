/**
 * The marks that answers and errors carry outside themselves: an object's receipt, and the envelope of
 * `mark: 'served'`. Kept beside the objects, not on them, so frozen ones can be marked and none is changed.
 */
import { brand, shared } from './shared.js';
import type { Receipt, Served } from './types.js';

const marks = shared('marks', () => ({ receipts: new WeakMap<object, Receipt>(), used: false }));
const ENVELOPE = brand('served');

/**
 * The receipt of an error, of a degraded answer, or of an answer that did not come from the primary.
 * Answers that are no objects have none; read them through `withReceipt`.
 * @example receiptOf(error)?.attempts
 * @publicApi
 */
export function receiptOf(answerOrError: unknown): Receipt | undefined {
  return isObject(answerOrError) ? marks.receipts.get(answerOrError) : undefined;
}

/** @internal */
export function setReceipt(answerOrError: unknown, receipt: Receipt): void {
  if (!isObject(answerOrError)) return;
  marks.used = true;
  marks.receipts.set(answerOrError, receipt);
}

/** How an answer that came from a candidate was already degraded on its way here. @internal */
export interface Inherited {
  readonly source: Receipt['source'];
  readonly reason?: Receipt['reason'];
  readonly age?: number;
}

/**
 * Whether an answer was degraded before it came to `chain`: by an inner chain (known by its envelope or by identity),
 * or by its own word. A mark that `chain` itself left on the object earlier is out of date and taken off.
 * @internal
 */
export function inherited(chain: string, value: unknown): Inherited | null {
  if (!isObject(value)) return null;
  if (isServed(value)) return value.degraded ? value : null;
  if (marks.used) {
    const receipt = marks.receipts.get(value);
    if (receipt?.chain === chain) marks.receipts.delete(value);
    else if (receipt?.degraded === true) return receipt;
  }
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
