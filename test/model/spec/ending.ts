/** How a call ends, in words that both sides use. */
import type { FailureKind, OutcomeKind, Receipt, SkipReason } from '../../../lib/core/index.js';

/** An attempt record, without what only clocks know. */
export interface Attempted {
  readonly candidate: string;
  readonly index: number;
  readonly attempt?: number;
  readonly kind: OutcomeKind | 'skipped';
  readonly reason?: SkipReason;
  readonly duration?: number;
  readonly cost?: number;
  readonly retryAfter?: number;
}

/** What a receipt says of an answer. */
export type Answer = Pick<Receipt, 'servedBy' | 'source' | 'degraded' | 'failedOver'> &
  Partial<Pick<Receipt, 'reason' | 'age'>>;

export type Ending = { readonly attempts: readonly Attempted[]; readonly stoppedBy?: FailureKind } & (
  | ({ readonly value: string; /** the mark, where it can be seen */ readonly shows?: boolean } & Answer)
  | { readonly error: string; readonly failures?: readonly string[]; readonly retryAfter?: number }
);

const ANSWERS: readonly (OutcomeKind | undefined)[] = ['ok', 'thin', 'empty', undefined];

export const isFailure = (kind: OutcomeKind | undefined): kind is FailureKind => !ANSWERS.includes(kind);
