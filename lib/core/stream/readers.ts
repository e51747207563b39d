import type { Consumer, Feed } from './sink.js';

/** @internal */
export type Result = IteratorResult<unknown, void>;

interface Reader {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

// A static executor: no closure per element.
let last: Reader;
const executor = (resolve: Reader['resolve'], reject: Reader['reject']): void => {
  last = { resolve, reject };
};

const done = (): Result => ({ value: undefined, done: true });

/** Who waits for elements, and elements that wait for who reads them: one of the two is always empty. @internal */
export class Readers implements Consumer {
  private feed: Feed | null = null;
  private readonly elements: unknown[] = [];
  private readonly waiting: Reader[] = [];
  private end: { readonly error: unknown } | 'done' | null = null;

  /** The next element, or the end. */
  read(): Promise<Result> {
    if (this.elements.length > 0) return Promise.resolve({ value: this.elements.shift(), done: false });
    if (this.end !== null) return this.readEnd(this.end);
    const result = new Promise<Result>(executor);
    this.waiting.push(last);
    this.feed?.pull();
    return result;
  }

  attach(feed: Feed): void {
    this.feed = feed;
    for (let wanted = this.waiting.length; wanted > 0; wanted--) feed.pull();
  }

  next(element: unknown): void {
    if (this.end !== null) return;
    const reader = this.waiting.shift();
    if (reader === undefined) this.elements.push(element);
    else reader.resolve({ value: element, done: false });
  }

  error(error: unknown): void {
    if (this.end !== null) return;
    this.end = { error };
    const reader = this.waiting.shift();
    if (reader === undefined) return;
    this.end = 'done';
    reader.reject(error);
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
    this.elements.length = 0;
    this.dismiss();
  }

  private readEnd(end: { readonly error: unknown } | 'done'): Promise<Result> {
    if (end === 'done') return Promise.resolve(done());
    this.end = 'done';
    return Promise.reject(end.error as Error);
  }

  private dismiss(): void {
    for (const { resolve } of this.waiting.splice(0)) resolve(done());
  }
}
