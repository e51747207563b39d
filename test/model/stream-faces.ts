/** The faces of a stream of the engine's: an async generator, an Observable, and the promise of one that `@Sse()` gives. */
import { StreamIterator } from '../../lib/core/stream/iterator.js';
import type { Consumer } from '../../lib/core/stream/sink.js';
import type { StreamCall } from '../../lib/core/stream/stream-call.js';
import { eagerly } from '../../lib/streaming/eager-face.js';
import { observableOf } from '../../lib/streaming/observable-face.js';
import { readGenerator, readObservable, readPromised } from './stream-readers.js';
import type { Reader, Told } from './stream-readers.js';

export const FACES = ['generator', 'observable', 'events'] as const;
export type Face = (typeof FACES)[number];

/** Makes the call when it begins. */
type Open = (consumer: Consumer) => StreamCall;

export const READ: Readonly<Record<Face, (open: Open, takes: number | undefined, told: Told) => Reader>> = {
  generator: (open, takes, told) => readGenerator(new StreamIterator(open), takes, told),
  events: (open, takes, told) => readPromised(eagerly(open), takes, told),
  observable: (open, takes, told) => readObservable(observableOf(open), takes, told),
};
