/** What happened on the engine's side, in order: what the invariants are about. */
import type { CircuitState, FallbackEvent } from '../../lib/core/types.js';
import { nameOf } from './program.js';
import type { Program } from './program.js';
import type { StreamNote } from './stream-sources.js';
import type { Seen } from './seen.js';

/** Of whom. */
export interface Of {
  readonly call: number;
  readonly place: number;
}

/** `state` is the candidate's at this moment: one that is half-open is being probed. */
export type Invoked = Of & { readonly what: 'invoked'; readonly at: number; readonly state: CircuitState };

export type Entry =
  | Invoked
  | (Of & { readonly what: 'settled'; readonly at: number; readonly kind: string })
  /** an attempt that was given up has settled: nothing but the last known good and a count has changed */
  | (Of & { readonly what: 'late'; readonly isInert: boolean })
  /** the stream of an attempt; it is over when it has ended by itself */
  | (Of & {
      readonly what: StreamNote;
      readonly at: number;
      readonly signal: AbortSignal | undefined;
    })
  | { readonly what: 'element'; readonly call: number; readonly thing: string }
  | { readonly what: 'committed'; readonly place: number; readonly at: number }
  | { readonly what: 'stored'; readonly thing: string }
  /** its circuit was opened, reset, isolated or restored */
  | { readonly what: 'changed'; readonly place: number }
  /** its candidates have until `cutAt` */
  | { readonly what: 'began'; readonly call: number; readonly cutAt: number }
  /** of its reader: it asks for one more element */
  | { readonly what: 'asked'; readonly call: number }
  | { readonly what: 'aborted' | 'ended'; readonly call: number };

/** A program that has been played on the engine. */
export interface Played {
  readonly program: Program;
  readonly seen: Seen;
  readonly log: readonly Entry[];
  readonly events: readonly FallbackEvent[];
}

/** What both sides note of what happens to candidates. */
export function noteOf(entry: Entry): string[] {
  switch (entry.what) {
    case 'invoked':
      return [`${nameOf(entry.place)} of call ${entry.call} at ${entry.at}`];
    case 'opened':
    case 'closed':
      return [`${entry.what} ${nameOf(entry.place)} of call ${entry.call} at ${entry.at}`];
    case 'committed':
      return [`committed ${nameOf(entry.place)} at ${entry.at}`];
    default:
      return [];
  }
}

/** What is wrong, in words; undefined if nothing is. */
export type Invariant = (played: Played) => string | undefined;

export const who = ({ call, place }: Of): string => `${nameOf(place)} of call ${call}`;
