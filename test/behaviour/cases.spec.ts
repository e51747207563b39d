import { describe, expect, it } from '@jest/globals';
import { check, play } from '../support/check.js';
import type { Run, Seen } from '../support/check.js';
import { ADVICE_CASES } from './advice-cases.js';
import { CIRCUIT_CASES } from './circuit-cases.js';
import { LADDER_CASES } from './ladder-cases.js';

const CASES = [...LADDER_CASES, ...CIRCUIT_CASES, ...ADVICE_CASES];

describe.each([
  ['watched', true],
  ['with no receipt scope and no observer', false],
] as const)('%s', (_how, isWatched) => {
  it.each(CASES.map((each) => [each.title, each] as const))('%s', async (_title, each) => {
    await play(each, isWatched);
    expect.hasAssertions();
  });
});

describe('every case asserts something', () => {
  it.each(CASES.map((each) => [each.title, each] as const))('%s: all that must be seen is said', (_title, each) => {
    const names = each.rungs.map(({ name }) => name);
    expect(each.runs.length).toBeGreaterThan(0);
    for (const { calls, circuits, attempts, receipt, ...ends } of each.runs) {
      expect(Object.keys(calls)).toEqual(names);
      expect(Object.keys(circuits)).toEqual(names);
      expect(attempts.length).toBeGreaterThan(0);
      expect(Object.keys(receipt)).toEqual(expect.arrayContaining(['servedBy', 'failedOver', 'degraded']));
      expect(['value', 'throws', 'exhausted'].filter((end) => end in ends)).toHaveLength(1);
    }
  });

  it.each(CASES.map((each) => [each.title, each] as const))(
    '%s: a call that did otherwise is noticed',
    (_title, each) => {
      for (const run of each.runs) for (const seen of wrongly(run)) expect(() => check(seen, run)).toThrow('expect(');
    },
  );

  it('every title starts with a number and is there once', () => {
    const titles = CASES.map(({ title }) => title);
    expect(titles.filter((title) => !/^F\d\d \S/.test(title))).toEqual([]);
    expect(new Set(titles).size).toBe(titles.length);
  });
});

/** Observations that do not fit a run: nothing is right, then one part after the other is, but never all. */
function* wrongly(run: Run): Generator<Seen> {
  let seen: Seen = { outcome: undefined, took: -1, receipt: undefined, calls: {}, circuits: {}, events: [] };
  yield seen;
  const parts = { calls: run.calls, took: run.takes ?? 0, circuits: run.circuits, outcome: { value: run.value } };
  for (const [part, right] of Object.entries(parts)) yield (seen = { ...seen, [part]: right });
}
