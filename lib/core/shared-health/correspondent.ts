/** Who is kept in a store of health, as the way to that store sees him. */
import type { Question } from './words.js';

/** Asks; null if there was no answer. @internal */
export type Ask = <T>(question: Question<T>, who: Correspondent) => Promise<T | null>;

/** One circuit that is kept in the store. @internal */
export interface Correspondent {
  readonly key: string;
  /** a chain that uses it */
  readonly chain: string;
  /** has something to tell that the store has not taken */
  readonly hasUntold: boolean;
  /** Hears of a change, whoever caused it; it may be anything. */
  hear(change: unknown): void;
  /** Tells what the store has not taken, and asks how things are; false without an answer. */
  catchUp(ask: Ask): Promise<boolean>;
  /** Gives back what others may need. */
  leave(ask: Ask): Promise<void>;
}
