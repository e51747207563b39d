import { StreamIterator } from '../core/stream/iterator.js';
import { eagerly } from './eager-face.js';
import { observableOf } from './observable-face.js';
import type { Open } from './observable-face.js';
import type { ChainOptions } from '../core/option-types.js';

/** `events`: a promise of an Observable, begun when the handler is called. @internal */
export type StreamKind = NonNullable<ChainOptions['stream']> | 'events';

/** What a method of this kind gives its caller; `open` makes the call when it begins. @internal */
export function faceOf(kind: StreamKind, open: Open): unknown {
  if (kind === 'events') return eagerly(open);
  return kind === 'observable' ? observableOf(open) : new StreamIterator(open);
}

/** The same for a call that cannot be made. @internal */
export function refusedFace(kind: StreamKind | null, error: unknown): unknown {
  if (kind === null) return Promise.reject(error as Error);
  return faceOf(kind, () => {
    throw error;
  });
}
