/**
 * One protocol for everything that gives elements: a source is asked for one element at a time, or pushes as it likes,
 * and tells its sink. Sources are known by shape, so that the engine needs no package.
 */
import type { Observable } from '../observable.js';
import { show } from '../option-rules.js';
import { ignore } from '../thenable.js';
import { Pulled } from './pulled.js';
import type { AnyIterator } from './pulled.js';
import type { Sink, Source } from './sink.js';

/** Opens an Observable: with the application's own RxJS where there is one. @internal */
export type Subscribe = (observable: Observable, sink: Sink) => Source;

interface Shapes {
  subscribe?: unknown;
  getReader?: () => { read(): Promise<unknown>; cancel(): Promise<unknown> };
  next?: unknown;
  destroy?: () => unknown;
  on?: (event: string, listener: () => void) => unknown;
  pipe?: unknown;
  [Symbol.asyncIterator]?: () => AnyIterator;
  [Symbol.iterator]?: () => AnyIterator;
}

/** What a candidate gave as a source that has not been started; null if it is no stream. @internal */
export function sourceOf(given: unknown, sink: Sink, subscribe: Subscribe): Source | null {
  if (typeof given !== 'object' || given === null) return null;
  const shapes = given as Shapes;
  const { [Symbol.asyncIterator]: iterateLate, [Symbol.iterator]: iterate } = shapes;
  if (typeof shapes.subscribe === 'function') return subscribe(given as Observable, sink);
  if (typeof shapes.getReader === 'function') {
    const reader = shapes.getReader();
    // Not its own iterator: that one's end waits for a pending read.
    return new Pulled({ next: () => reader.read(), return: () => reader.cancel() }, sink);
  }
  if (typeof iterateLate === 'function') {
    return new Pulled(iterateLate.call(given), sink, { destroy: destroyOf(shapes) });
  }
  // Before `next`: a generator has both, and its elements may be promises.
  if (typeof iterate === 'function') return new Pulled(iterate.call(given), sink, { awaitsValues: true });
  if (typeof shapes.next === 'function') return new Pulled(given as AnyIterator, sink);
  return null;
}

/** One value as a source. @internal */
export function sourceOfValue(value: unknown, sink: Sink): Source {
  return new Pulled([value][Symbol.iterator](), sink);
}

/** Of a stream of Node: its iterator's end, too, waits for a pending read. */
function destroyOf(shapes: Shapes): (() => unknown) | undefined {
  const isStream = typeof shapes.destroy === 'function' && typeof shapes.pipe === 'function';
  if (!isStream) return undefined;
  return () => {
    // One that was never read has nobody else to hear that its end failed, which would end the process.
    shapes.on?.('error', ignore);
    return shapes.destroy!();
  };
}

/** @internal */
export function noStream(given: unknown): Error {
  const forms = 'an Observable, an async iterable, an iterable or a ReadableStream, or a promise of one';
  return new Error(`A candidate of a stream chain gave ${show(given)}; give ${forms}`);
}
