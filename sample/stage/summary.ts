import type { Answer } from './answer.js';

/** One figure of the summary and what it must be. */
export interface Figure {
  what: string;
  expected: number;
  measured: number;
}

/** Prints the figures; gives how many are wrong. */
export function printSummary(figures: readonly Figure[]): number {
  console.log('Summary');
  for (const { what, expected, measured } of figures) {
    const verdict = measured === expected ? 'as expected' : `WRONG: expected ${expected}`;
    console.log(`  ${what.padEnd(28)} ${String(measured).padStart(3)}  ${verdict}`);
  }
  return figures.filter(({ expected, measured }) => measured !== expected).length;
}

/** A substitute that nobody could tell from an answer. */
export function isUnmarked({ source, degraded }: Answer): boolean {
  return source !== undefined && source !== 'candidate' && degraded === undefined;
}
