import { UNMARKABLE } from '../plan.js';
import { isObservable } from '../observable.js';
import type { Shape } from './shape.js';
import type { Consumer, Feed, Sink, Source } from './sink.js';
import { sourceOf } from './source.js';
import type { Flow, StreamCall } from './stream-call.js';

/** Whether a substitute is a stream itself, and not the list of its elements. @internal */
export function isFlowing(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return isObservable(value) || Symbol.asyncIterator in value || 'getReader' in value;
}

/** A substitute that is a stream: each of its elements is marked on its way, and its end is the call's. @internal */
export class StandInFlow implements Sink, Flow, Feed {
  private readonly consumer: Consumer;
  private source: Source | null = null;
  private isOver = false;

  constructor(
    private readonly call: StreamCall,
    private readonly shape: Shape,
  ) {
    this.consumer = call.consumer;
  }

  begin(given: object): this {
    const { subscribe } = this.call.plan.engine;
    this.call.standIn(this);
    try {
      this.source = sourceOf(given, this, subscribe)!;
      this.source.start();
    } catch (error) {
      this.error(error);
    }
    if (!this.isOver) this.consumer.attach(this);
    return this;
  }

  get isPushing(): boolean {
    return this.source!.isPushing;
  }

  pull(): void {
    this.source?.pull();
  }

  next(element: unknown): void {
    if (this.isOver) return;
    const marked = this.shape(element);
    if (marked !== UNMARKABLE) this.consumer.next(marked);
    else this.cancel(new TypeError(`An element of the substitute of ${this.call.plan.name} cannot carry its mark`));
  }

  error(error: unknown): void {
    if (this.end()) this.consumer.error(error);
  }

  complete(): void {
    if (this.end()) this.consumer.complete();
  }

  leave(): void {
    if (this.end()) this.source?.close();
  }

  cancel(reason: unknown): void {
    if (!this.end()) return;
    this.source?.close();
    this.consumer.error(reason);
  }

  private end(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    this.call.end();
    return true;
  }
}
