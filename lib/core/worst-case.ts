/** What a call of a chain can cost at most, when every candidate runs and uses all the time it has. */
import type { CandidatePlan, ChainPlan, Hedge } from './plan.js';

/** @internal */
export interface WorstCase {
  /** all candidates for their whole timeouts, one after another or hedged, whatever the deadline says; ms, Infinity without a bound */
  readonly latency: number;
  /** when the last candidate starts, ms */
  readonly lastAt: number;
  /** what a caller waits at most, for candidates and substitutes, as far as the deadline lets them; ms */
  readonly bounded: number;
  /** every candidate paid for, further tries included */
  readonly price: number;
  /** a substitute may take what is left of the deadline */
  readonly isComputed: boolean;
  /** how `latency` comes about: `osm 300 ms + archive 2000 ms = 2300 ms` */
  readonly arithmetic: string;
}

/**
 * Whoever waits for the slot of a paced candidate waits as long as the deadline lets it. A timeout bounds all tries of a candidate together, so retries add to the price only. A computed timeout and a
 * candidate without one have no bound but the deadline.
 * @internal
 */
export function worstCase(plan: ChainPlan): WorstCase {
  const { ladder, deadline, reserve, substitutes } = plan;
  const { latency, lastAt, terms } = plan.hedge === null ? inTurn(ladder) : hedged(ladder, plan.hedge);
  const price = ladder.reduce((sum, { cost = 0, retries }) => sum + cost * (1 + (retries?.times ?? 0)), 0);
  const total = deadline === null ? Infinity : deadline.total;
  const isPaced = ladder.some(({ traffic }) => traffic !== null && traffic.interval > 0);
  const isComputed = substitutes?.describe().substitute === 'computed';
  return {
    latency,
    lastAt,
    // A computed substitute may take what is left of the deadline; any other is there at once.
    bounded: isComputed ? total : Math.min(isPaced ? Infinity : latency, total - reserve),
    isComputed,
    price,
    arithmetic: `${terms} = ${time(latency)}`,
  };
}

type Course = Pick<WorstCase, 'latency' | 'lastAt'> & { readonly terms: string };

function inTurn(candidates: readonly CandidatePlan[]): Course {
  const lastAt = candidates.slice(0, -1).reduce((sum, { timeout }) => sum + timeout, 0);
  return { latency: lastAt + candidates.at(-1)!.timeout, lastAt, terms: candidates.map(term).join(' + ') };
}

/** Each waits until the one before is slow, or has run out of time. */
function hedged(candidates: readonly CandidatePlan[], { after }: Hedge): Course {
  const starts = [0];
  for (const { timeout } of candidates) starts.push(starts.at(-1)! + Math.min(timeout, after));
  const terms = candidates.map((each, place) => `${term(each)}${place === 0 ? '' : ` from ${time(starts[place]!)}`}`);
  const latency = Math.max(...candidates.map(({ timeout }, place) => starts[place]! + timeout));
  return { latency, lastAt: starts.at(-2)!, terms: `hedged: ${terms.join(', ')}` };
}

function term({ name, timeout, timeoutOf, traffic }: CandidatePlan): string {
  const after = traffic !== null && traffic.interval > 0 ? ' after its slot' : '';
  return `${name} ${timeoutOf === null ? time(timeout) : '(computed timeout)'}${after}`;
}

function time(ms: number): string {
  return ms === Infinity ? '(no limit)' : `${ms} ms`;
}
