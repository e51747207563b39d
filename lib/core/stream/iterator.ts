import { Readers } from './readers.js';
import type { Result } from './readers.js';
import { run } from './run.js';
import type { Consumer } from './sink.js';
import type { StreamCall } from './stream-call.js';

/** What async iterators inherit of the language. */
const AsyncIteratorPrototype = Object.getPrototypeOf(
  Object.getPrototypeOf(async function* () {}.prototype as object) as object,
) as object;

/**
 * A stream call for those who pull: nothing runs before the first `next()`, no element is asked for that nobody reads,
 * and its end never waits for a pending read.
 * @internal
 */
export class StreamIterator implements AsyncGenerator<unknown, void, undefined> {
  private readonly readers = new Readers();
  private call: StreamCall | null = null;
  private hasEnded = false;

  /** @param open makes the call, which the first `next()` begins; may throw */
  constructor(private readonly open: (consumer: Consumer) => StreamCall) {}

  next(): Promise<Result> {
    const read = this.readers.read();
    if (this.call === null && !this.hasEnded) this.begin();
    return read;
  }

  async return(value?: unknown): Promise<Result> {
    this.leave();
    return { value: (await value) as undefined, done: true };
  }

  async throw(error: unknown): Promise<Result> {
    this.leave();
    throw error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.leave();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  get [Symbol.toStringTag](): string {
    return 'AsyncGenerator';
  }

  private begin(): void {
    try {
      this.call = this.open(this.readers);
    } catch (error) {
      this.hasEnded = true;
      this.readers.error(error);
      return;
    }
    run(this.call);
  }

  private leave(): void {
    this.hasEnded = true;
    this.readers.close();
    this.call?.abandon();
  }
}
Object.setPrototypeOf(StreamIterator.prototype, AsyncIteratorPrototype);
