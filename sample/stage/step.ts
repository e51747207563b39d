import type { CandidateHealth, CircuitState, Source } from 'nestjs-fallback';
import type { Answer } from './answer.js';
import type { World } from './world.js';

/** One step of a play: what happens, one request (or several at once), and what must come of it. */
export interface Step<Upstreams, Wanted extends Expected = Expected> {
  what: string;
  before?: (world: World<Upstreams>) => Promise<void>;
  request: string;
  /** how many are sent at once; default 1 */
  times?: number;
  /** happens while the requests are on their way */
  during?: (world: World<Upstreams>) => Promise<void>;
  expect: Wanted;
}

export interface Expected {
  status: number;
  by?: string;
  source?: Source;
  reason?: string;
  retryAfter?: number;
  /** those that are not closed afterwards */
  circuits?: Readonly<Record<string, CircuitState>>;
}

/** One thing that was looked at. */
export type Check = [what: string, wanted: unknown, got: unknown];

/** What every answer is checked for. */
export function checks(expected: Expected, answer: Answer, candidates: readonly CandidateHealth[]): Check[] {
  const isStored = expected.source === 'last-known-good';
  return [
    ['status', expected.status, answer.status],
    ['who answered', expected.by, answer.by],
    ['source', expected.source, answer.source],
    ['reason', expected.reason, answer.reason],
    ['header Degraded', expected.reason !== undefined, answer.degraded !== undefined],
    ['age', isStored, answer.age !== undefined && answer.age >= 0],
    ['Retry-After', expected.retryAfter, answer.retryAfter],
    ...candidates.map(({ candidate, state }): Check => {
      return [`circuit of ${candidate}`, expected.circuits?.[candidate] ?? 'closed', state];
    }),
  ];
}

/** Everything that is not as expected, as sentences. */
export function differences(all: readonly Check[]): string[] {
  return all
    .filter(([, wanted, got]) => wanted !== got)
    .map(([what, wanted, got]) => `${what}: expected ${String(wanted)}, got ${String(got)}`);
}
