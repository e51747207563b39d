/** What a call of a chain can cost at most, when every candidate runs and uses all the time it has. */
import type { CandidatePlan, ChainPlan } from './plan.js';

/** @internal */
export interface WorstCase {
  /** all candidates one after another, each for its whole timeout, whatever the deadline says; ms, Infinity without a bound */
  readonly latency: number;
  /** what a caller waits at most, for candidates and substitutes, as far as the deadline lets them; ms */
  readonly bounded: number;
  /** every candidate paid for, further tries included */
  readonly price: number;
  /** how `latency` comes about: `osm 300 ms + archive 2000 ms = 2300 ms` */
  readonly arithmetic: string;
}

/**
 * A timeout bounds all tries of a candidate together, so retries add to the price only. A computed timeout and a
 * candidate without one have no bound but the deadline.
 * @internal
 */
export function worstCase({ ladder, deadline, reserve, substitutes }: ChainPlan): WorstCase {
  const latency = ladder.reduce((sum, { timeout }) => sum + timeout, 0);
  const price = ladder.reduce((sum, { cost = 0, retries }) => sum + cost * (1 + (retries?.times ?? 0)), 0);
  const total = deadline === null ? Infinity : deadline.total;
  const isComputed = substitutes?.describe().substitute === 'computed';
  return {
    latency,
    // A computed substitute may take what is left of the deadline; any other is there at once.
    bounded: isComputed ? total : Math.min(latency, total - reserve),
    price,
    arithmetic: `${ladder.map(term).join(' + ')} = ${time(latency)}`,
  };
}

function term({ name, timeout, timeoutOf }: CandidatePlan): string {
  return `${name} ${timeoutOf === null ? time(timeout) : '(computed timeout)'}`;
}

function time(ms: number): string {
  return ms === Infinity ? '(no limit)' : `${ms} ms`;
}
