import { degradation } from '../answer.js';
import type { Attempt } from '../attempt.js';
import type { Call } from '../call.js';
import { inherited } from '../marks.js';
import type { Inherited } from '../marks.js';
import { receiptFor } from '../receipt.js';
import type { Ending } from '../receipt.js';
import type { Receipt } from '../types.js';
import type { Ruling } from '../verdict.js';
import { shapeOf } from './shape.js';
import type { Shape } from './shape.js';

/** A stream as far as it was read when it was judged. @internal */
export interface Opened {
  /** what the candidate gave */
  readonly given: unknown;
  /** what was held back; more may be added until it flows */
  readonly elements: readonly unknown[];
  /** how many of them were read before it was judged */
  readonly read: number;
  /** how its source has ended meanwhile */
  readonly end: { readonly error: unknown } | 'complete' | null;
}

/** Who serves a stream, and what that does to its elements. @internal */
export interface Serving {
  readonly ending: Ending;
  /** null where nobody would read it */
  readonly receipt: Receipt | null;
  readonly shape: Shape | null;
}

/** @internal */
export function servingOf(call: Call, attempt: Attempt, opened: Opened, ruling: Ruling): Serving {
  const { name: servedBy, index } = attempt.candidate;
  const less = degradation(attempt, marksOn(call, attempt, opened), ruling);
  const ending: Ending =
    less === null
      ? { servedBy, index, source: 'candidate', degraded: false }
      : { ...less, stoppedBy: call.history?.budget ? 'budget' : undefined };
  const isRead = call.isWatched || ending.degraded || index !== 0;
  // The records of a receipt that is read while the stream runs grow with the call's.
  if (isRead) call.tell();
  const receipt = isRead ? receiptFor(call, ending) : null;
  return { ending, receipt, shape: shapeOf(call, ending, receipt) };
}

/** An inner chain leaves its mark on the stream itself, or on what it emits. */
function marksOn({ plan }: Call, { marksBefore }: Attempt, { given, elements }: Opened): Inherited | null {
  for (const carrier of [given, ...elements]) {
    const mark = inherited(plan.name, carrier, marksBefore);
    if (mark !== null) return mark;
  }
  return null;
}
