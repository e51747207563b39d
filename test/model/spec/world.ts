/** What the specification remembers between calls, and what it is asked to note. */
import type { OutcomeKind, SkipReason } from '../../../lib/core/index.js';
import type { Program } from '../program.js';
import type { Circuit } from './circuit.js';
import { CLOSED } from './circuit.js';
import type { Stored } from './last-known-good.js';

export type Counted = OutcomeKind | SkipReason | 'late' | 'paid-late';

/** One candidate's memory. */
export interface Memory {
  circuit: Circuit;
  counts: Partial<Record<Counted, number>>;
  lastKind: OutcomeKind | undefined;
  servedAt: number | undefined;
}

export const BLANK = { counts: {}, lastKind: undefined, servedAt: undefined };

/** Two things are due at the very same instant, so the program has more than one right outcome. */
export class Tie extends Error {}

export interface World {
  readonly program: Program;
  /** monotonic */
  now: number;
  wall: number;
  readonly memories: readonly Memory[];
  /** by question */
  readonly store: Map<number, Stored>;
  /** `a of call 1 at 1000` */
  readonly invoked: string[];
  /** what happens whatever becomes of the call */
  later(at: number, happens: () => void): void;
}

export const memoriesOf = ({ rungs }: Program): Memory[] => rungs.map(() => ({ ...BLANK, circuit: CLOSED }));

export function count({ counts }: Memory, what: Counted): Memory['counts'] {
  return { ...counts, [what]: (counts[what] ?? 0) + 1 };
}
