/** Contract, section 4: what a kind means on two independent axes, and section 10: what an empty answer means. */
import type { OutcomeKind } from '../../../lib/core/index.js';
import type { Play, Rung } from '../program.js';

export interface Verdict {
  readonly kind: OutcomeKind;
  readonly next: 'accept' | 'hold' | 'continue' | 'stop';
  readonly health: 'success' | 'failure' | 'ignore';
  readonly retryAfter?: number;
}

const TABLE: Record<OutcomeKind, readonly [Verdict['next'], Verdict['health']]> = {
  ok: ['accept', 'success'],
  thin: ['hold', 'success'],
  empty: ['accept', 'success'], // by `onEmpty`, below
  rejected: ['continue', 'failure'],
  transient: ['continue', 'failure'],
  timeout: ['continue', 'failure'],
  'rate-limited': ['continue', 'failure'],
  denied: ['continue', 'failure'],
  unsupported: ['continue', 'ignore'],
  terminal: ['stop', 'ignore'],
  budget: ['continue', 'ignore'], // to candidates of cost 0
  cancelled: ['stop', 'ignore'],
};

export function verdict(kind: OutcomeKind): Verdict {
  const [next, health] = TABLE[kind];
  return { kind, next, health };
}

/** A cut by the deadline before its own `timeout` is no fault of the candidate. */
export const cutByDeadline: Verdict = { ...verdict('timeout'), health: 'ignore' };

const HOUR = 3_600_000;

/** What is made of what a candidate did. */
export function judge(play: Play, rung: Rung, unknown: 'transient' | 'terminal'): Verdict {
  const { does, retryAfter } = play;
  if (does === 'unknown') return verdict(unknown);
  if (does === 'empty') return judgeEmpty(rung);
  const judged = verdict(does as OutcomeKind);
  if (retryAfter === undefined) return judged;
  return { ...judged, retryAfter: Math.min(retryAfter, rung.maxRetryAfter ?? HOUR) };
}

/** `isEmpty` is asked where `cost` or `onEmpty` is set. Free goes on, paid stops, untiered accepts. */
function judgeEmpty({ cost, onEmpty }: Rung): Verdict {
  if (cost === undefined && onEmpty === undefined) return verdict('ok');
  const empty = verdict('empty');
  return (onEmpty ?? (cost === 0 ? 'continue' : 'stop')) === 'continue' ? { ...empty, next: 'hold' } : empty;
}
