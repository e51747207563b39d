import { isAsyncIterable } from '../async-iterable.js';
import { UNMARKABLE } from '../plan.js';
import type { Offer } from '../plan.js';
import { isThenable, quietly } from '../thenable.js';
import { limitOf } from './limit.js';
import type { Limit } from './limit.js';
import type { Shape } from './shape.js';
import { silenceOf } from './silence.js';
import type { Silence } from './silence.js';
import type { Consumer, Feed, Sink, Source } from './sink.js';
import { sourceOf } from './source.js';
import type { Flow, StreamCall } from './stream-call.js';

/** The elements of a substitute that has them all at hand; null if they must be waited for. A value is one, bytes are a value. @internal */
export function elementsOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value.some(isThenable) ? null : (value as unknown[]);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [value];
  const { subscribe, getReader } = value as { subscribe?: unknown; getReader?: unknown };
  const isRead = Symbol.iterator in value || isAsyncIterable(value);
  return isRead || typeof subscribe === 'function' || typeof getReader === 'function' ? null : [value];
}

/**
 * A substitute that is a stream itself. It serves if it gives its first element, marked, or ends well without one; from
 * then on each of its elements is marked on its way, and its end is the call's.
 * @internal
 */
export class StandInFlow implements Sink, Flow, Feed {
  private readonly consumer: Consumer;
  private source: Source | null = null;
  /** what came before it flows */
  private readonly held: unknown[] = [];
  private end: { readonly error: unknown } | 'complete' | null = null;
  private isFlowing = false;
  private isOver = false;
  private silence: Silence | null = null;
  private limit: Limit | null = null;
  private settle: { readonly resolve: () => void; readonly reject: (error: unknown) => void } | null = null;

  constructor(
    private readonly call: StreamCall,
    private readonly shape: Shape,
    private readonly from: Offer['source'],
  ) {
    this.consumer = call.consumer;
  }

  /** Resolves when it may serve; rejects if it cannot. */
  open(given: unknown): Promise<void> {
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
      this.source = sourceOf(given, this, this.call.plan.engine.subscribe)!;
      this.source.start();
      if (this.held.length === 0) this.source.pull();
    });
  }

  /** From now on it is the call's stream. */
  begin(): void {
    this.silence = silenceOf(this.call, (error) => this.cancel(error));
    this.limit = limitOf(this.call, (error) => this.cancel(error));
    this.call.standIn(this);
    this.isFlowing = true;
    for (const element of this.held) {
      if (this.isOver) return;
      this.consumer.next(element);
    }
    if (this.end === 'complete') this.complete();
    else if (this.end !== null) this.error(this.end.error);
    else if (!this.isOver) {
      if (this.isPushing) this.silence?.begin();
      this.consumer.attach(this);
    }
  }

  /** It does not serve. */
  close(): void {
    this.isOver = true;
    if (this.source !== null) quietly(() => this.source!.close());
  }

  get isPushing(): boolean {
    return this.source!.isPushing;
  }

  pull(): void {
    this.silence?.begin();
    this.source!.pull();
  }

  next(element: unknown): void {
    if (this.isOver) return;
    this.silence?.stopTimer();
    const marked = this.shape(element);
    if (marked === UNMARKABLE) this.refuse();
    else if (this.isFlowing) {
      this.consumer.next(marked);
      if (this.isPushing && !this.isOver) this.silence?.begin();
    } else {
      this.held.push(marked);
      this.settle!.resolve();
    }
  }

  error(error: unknown): void {
    if (this.isFlowing) {
      if (this.stop()) this.consumer.error(error);
    } else {
      this.end = { error };
      this.settle!.reject(error);
    }
  }

  complete(): void {
    if (this.isFlowing) {
      if (this.stop()) this.consumer.complete();
    } else {
      this.end = 'complete';
      this.settle!.resolve();
    }
  }

  leave(): void {
    if (this.stop()) this.close();
  }

  cancel(reason: unknown): void {
    this.fail(reason);
  }

  private refuse(): void {
    const { engine, name: chain } = this.call.plan;
    engine.report({ name: 'substitute.unmarkable', chain, source: this.from });
    this.fail(new TypeError(`An element of the substitute of ${chain} cannot carry its mark`));
  }

  private fail(error: unknown): void {
    if (this.isOver) return;
    this.source!.close();
    this.error(error);
  }

  private stop(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    this.silence?.stopTimer();
    this.limit?.stopTimer();
    this.call.end();
    return true;
  }
}
