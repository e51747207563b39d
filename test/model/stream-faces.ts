/** The two faces of a stream of the engine's: an async generator, and an Observable. */
import { StreamIterator } from '../../lib/core/stream/iterator.js';
import type { Consumer } from '../../lib/core/stream/sink.js';
import type { StreamCall } from '../../lib/core/stream/stream-call.js';
import { observableOf } from '../../lib/streaming/observable-face.js';
import { readGenerator, readObservable } from './stream-readers.js';
import type { Reader, Told } from './stream-readers.js';

export const FACES = ['generator', 'observable'] as const;
export type Face = (typeof FACES)[number];

/** Makes the call when it begins. */
type Open = (consumer: Consumer) => StreamCall;

export const READ: Readonly<Record<Face, (open: Open, takes: number | undefined, told: Told) => Reader>> = {
  generator: (open, takes, told) => readGenerator(new StreamIterator(open), takes, told),
  observable: (open, takes, told) => readObservable(observableOf(open), takes, told),
};
