import type { CircuitState, Source } from 'nestjs-fallback';
import type { UpstreamName } from '../upstreams/upstreams.service.js';
import type { Answer } from './client.js';
import type { World } from './world.js';

/** One step of the outage: what happens, one request (or several at once), and what must come of it. */
export interface Step {
  what: string;
  before?: (world: World) => Promise<void>;
  request: string;
  /** how many are sent at once; default 1 */
  times?: number;
  /** happens while the requests are on their way */
  during?: (world: World) => Promise<void>;
  expect: Expected;
}

export interface Expected {
  status: number;
  by?: UpstreamName;
  source?: Source;
  reason?: string;
  retryAfter?: number;
  /** those that are not closed afterwards */
  circuits?: Partial<Record<UpstreamName, CircuitState>>;
}

/** Everything that is not as expected, as sentences. */
export function differences(expected: Expected, answer: Answer, world: World): string[] {
  const circuits = world.candidates().map(({ candidate, state }): Difference => {
    const wanted = expected.circuits?.[candidate as UpstreamName] ?? 'closed';
    return [`circuit of ${candidate}`, wanted, state];
  });
  const isStored = expected.source === 'last-known-good';
  const checks: Difference[] = [
    ['status', expected.status, answer.status],
    ['who answered', expected.by, answer.by],
    ['source', expected.source, answer.source],
    ['reason', expected.reason, answer.reason],
    ['header Degraded', expected.reason !== undefined, answer.degraded !== undefined],
    ['age', isStored, answer.age !== undefined && answer.age >= 0],
    ['Retry-After', expected.retryAfter, answer.retryAfter],
    ...circuits,
  ];
  return checks
    .filter(([, wanted, got]) => wanted !== got)
    .map(([what, wanted, got]) => `${what}: expected ${String(wanted)}, got ${String(got)}`);
}

type Difference = [what: string, wanted: unknown, got: unknown];
