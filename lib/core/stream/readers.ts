import type { Consumer, Feed } from './sink.js';

/** @internal */
export type Result = IteratorResult<unknown, void>;

type Resolve = (result: Result) => void;
type Reject = (error: unknown) => void;

// A static executor: no closure per element.
let resolveLast: Resolve;
let rejectLast: Reject;
const executor = (resolve: Resolve, reject: Reject): void => {
  resolveLast = resolve;
  rejectLast = reject;
};

const done = (): Result => ({ value: undefined, done: true });

/** So many places of elements that have been read are not worth moving the rest. */
const KEPT = 1_024;

/** Who waits for elements, and elements that wait for who reads them: one of the two is always empty. @internal */
export class Readers implements Consumer {
  private feed: Feed | null = null;
  private elements: unknown[] = [];
  /** of the elements, those before this place have been read */
  private first = 0;
  /** the first who waits, in fields: mostly there is no other */
  private resolve: Resolve | null = null;
  private reject: Reject | null = null;
  private readonly others: { readonly resolve: Resolve; readonly reject: Reject }[] = [];
  private end: { readonly error: unknown } | 'done' | null = null;

  /** The next element, or the end. */
  read(): Promise<Result> {
    if (this.first < this.elements.length) return Promise.resolve({ value: this.takeFirst(), done: false });
    if (this.end !== null) return this.readEnd(this.end);
    const result = new Promise<Result>(executor);
    if (this.resolve === null) {
      this.resolve = resolveLast;
      this.reject = rejectLast;
    } else this.others.push({ resolve: resolveLast, reject: rejectLast });
    if (this.feed !== null) this.feed.pull();
    return result;
  }

  taker(): this {
    return this;
  }

  attach(feed: Feed): void {
    this.feed = feed;
    const waiting = this.resolve === null ? 0 : 1 + this.others.length;
    for (let wanted = waiting; wanted > 0; wanted--) feed.pull();
  }

  next(element: unknown): void {
    const { resolve } = this;
    if (resolve !== null) {
      this.advance();
      resolve({ value: element, done: false });
    } else if (this.end === null) this.elements.push(element);
  }

  error(error: unknown): void {
    if (this.end !== null) return;
    const { reject } = this;
    this.end = reject === null ? { error } : 'done';
    if (reject === null) return;
    this.advance();
    reject(error);
    this.dismiss();
  }

  complete(): void {
    if (this.end !== null) return;
    this.end = 'done';
    this.dismiss();
  }

  /** Nobody reads any more. */
  close(): void {
    this.end = 'done';
    this.elements = [];
    this.first = 0;
    this.dismiss();
  }

  /** Not `shift()`, which moves all that stay. */
  private takeFirst(): unknown {
    const element = this.elements[this.first];
    this.elements[this.first++] = undefined;
    if (this.first > KEPT && this.first * 2 > this.elements.length) {
      this.elements = this.elements.slice(this.first);
      this.first = 0;
    }
    return element;
  }

  private readEnd(end: { readonly error: unknown } | 'done'): Promise<Result> {
    if (end === 'done') return Promise.resolve(done());
    this.end = 'done';
    return Promise.reject(end.error);
  }

  /** The first who waited is served; the next one takes the place. */
  private advance(): void {
    const next = this.others.length === 0 ? undefined : this.others.shift();
    this.resolve = next === undefined ? null : next.resolve;
    this.reject = next === undefined ? null : next.reject;
  }

  private dismiss(): void {
    for (let { resolve } = this; resolve !== null; { resolve } = this) {
      this.advance();
      resolve(done());
    }
  }
}
