import { defaultIfEmpty } from 'rxjs';
import { StreamIterator } from '../core/stream/iterator.js';
import { eagerly } from './eager-face.js';
import { observableOf } from './observable-face.js';
import type { Open } from './observable-face.js';
import type { ChainOptions } from '../core/option-types.js';

/**
 * `events`: a promise of an Observable, begun when the handler is called; `body`: an Observable whose last element is the
 * body of a response.
 * @internal
 */
export type StreamKind = NonNullable<ChainOptions['stream']> | 'events' | 'body';

/** What a method of this kind gives its caller; `open` makes the call when it begins. @internal */
export function faceOf(kind: StreamKind, open: Open): unknown {
  if (kind === 'async-iterable') return new StreamIterator(open);
  if (kind === 'events') return eagerly(open);
  // Nest takes an Observable without a last element for an error.
  return kind === 'body' ? observableOf(open).pipe(defaultIfEmpty(undefined)) : observableOf(open);
}

/** The same for a call that cannot be made. @internal */
export function refusedFace(kind: StreamKind | null, error: unknown): unknown {
  if (kind === null) return Promise.reject(error);
  return faceOf(kind, () => {
    throw error;
  });
}
