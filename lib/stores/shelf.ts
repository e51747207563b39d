/** Where last known good values are kept, as those see it who keep them. */

/** A value, and when it was stored by the wall clock. @internal */
export interface Kept {
  readonly value: unknown;
  readonly storedAt: number;
}

/** Whose values they are. @internal */
export interface Label {
  readonly chain: string;
  /** what another version has stored is not ours */
  readonly version: string;
  /** how old they may be, ms */
  readonly maxAge: number;
}

/** @internal */
export interface Writing {
  /** monotonic */
  readonly now: number;
  readonly bytes: number;
}

/** A store that has not answered yet. @internal */
export interface Reading {
  /** never rejects */
  readonly kept: Promise<Kept | undefined>;
  /** Nobody waits any more: because the store has taken all the time that there was, or for a reason of its own. */
  giveUp(isTooSlow: boolean): void;
}

/** None of its methods throws or rejects, but for what `forget` gives. @internal */
export interface Shelf {
  /** whether the last write of this key began so long ago, by the monotonic clock */
  isDue(key: string, refreshAfter: number, now: number): boolean;
  read(key: string, label: Label): Kept | undefined | Reading;
  /** Begins to write, or says why that cannot be: no text says it faithfully, or it is too large. */
  write(key: string, kept: Kept, about: Writing, label: Label): 'value' | 'size' | null;
  /** Rejects if it could not be deleted. */
  forget(key: string, label: Label): Promise<void> | void;
}

/** @internal */
export function isReading(found: Kept | undefined | Reading): found is Reading {
  return found !== undefined && 'giveUp' in found;
}
