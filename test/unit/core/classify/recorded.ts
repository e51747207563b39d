import { readFileSync } from 'node:fs';
import type { FailureKind } from '../../../../lib/core/types.js';
// @ts-expect-error: the recording's own script, kept as it came, has no types
import { revive } from '../../../fixtures/revive-error.mjs';

interface Recorded {
  id: string;
  threw: boolean;
  shape?: unknown;
  expected: { kind: FailureKind; retryAfterMs?: number; alsoAcceptable?: FailureKind[] };
}

const file = JSON.parse(readFileSync(new URL('../../../fixtures/error-shapes.json', import.meta.url), 'utf8')) as {
  meta: { nowMs: number };
  cases: Recorded[];
};

/** The wall clock at which the errors were recorded. */
export const NOW = file.meta.nowMs;

/** What clients really threw. */
export const RECORDED = file.cases.filter(({ threw }) => threw);

/** A look-alike of a recorded error. */
export function rebuild({ shape }: Recorded): unknown {
  return revive(shape) as unknown;
}
