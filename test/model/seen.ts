/** What can be seen of a program that is played, on the engine as on the model. */
import type { CircuitState } from '../../lib/core/index.js';
import type { Ending, StreamEnding } from './spec/call.js';

/** One candidate at one moment. */
export interface HealthSeen {
  readonly state: CircuitState;
  readonly consecutiveFailures: number;
  readonly coolingFor: number;
  readonly lastKind?: string;
  /** ms since it last served an answer */
  readonly servedAgo?: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** After a step. */
export interface Look {
  readonly health: readonly HealthSeen[];
  /** last known good values, each with the wall clock's stamp */
  readonly store: readonly string[];
}

export interface CallSeen {
  readonly endedAt: number;
  readonly ending: Ending;
}

/** A call of a stream, as its consumer sees it, with what its receipt says. */
export interface StreamSeen {
  readonly endedAt: number;
  /** each with its instant */
  readonly elements: readonly string[];
  readonly ending: StreamEnding;
}

export interface Seen {
  /** who was invoked, for which call, when; of streams also who was opened, committed and closed, in order */
  readonly invoked: readonly string[];
  /** by number; null while it runs */
  readonly calls: readonly (CallSeen | null)[];
  /** the same of streams */
  readonly streams: readonly (StreamSeen | null)[];
  /** after each step */
  readonly looks: readonly Look[];
}
