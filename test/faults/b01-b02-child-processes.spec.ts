import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compileProgram } from '../support/child-program.js';
import type { ChildProgram, ChildRun } from '../support/child-program.js';
import type { B01Report } from './programs/b01-long-lived-signal.js';
import type { B02Report } from './programs/b02-late-answer.js';

const LIMIT = 30_000;

function programAt(name: string): Promise<ChildProgram> {
  return compileProgram(fileURLToPath(new URL(`./programs/${name}.ts`, import.meta.url)));
}

function reportOf(run: ChildRun | undefined): unknown {
  if (run?.stdout === undefined || run.stdout === '') throw new Error(`The program gave no report: ${run?.stderr}`);
  return JSON.parse(run.stdout);
}

describe('B01: listeners and timers outlive a finished call', () => {
  let run: ChildRun | undefined;
  let report: B01Report;

  beforeAll(async () => {
    const program = await programAt('b01-long-lived-signal');
    try {
      run = await program.run();
    } finally {
      await program.remove();
    }
    report = reportOf(run) as B01Report;
  }, LIMIT);

  it('B01: all 1 000 values are right, 500 of them after a failure of A', () => {
    expect(report.wrongValues).toEqual([]);
    expect(report.failuresOfA).toBe(500);
  });

  it("B01: no listener is left on the caller's signal, and Node never warned of too many", () => {
    expect(report.listeners).toBe(0);
    expect(report.warnings).not.toContain('MaxListenersExceededWarning');
  });

  it('B01: no timer is left that keeps the process alive', () => {
    expect(report.timeoutsAfter).toBe(report.timeoutsBefore);
  });

  it('B01: the program ends by itself less than 2 s after the last call', () => {
    expect(run?.code).toBe(0);
    expect(report.endedAfter).toBeLessThan(2_000);
  });
});

describe('B02: an abandoned attempt answers late', () => {
  const SCENARIOS = ['a', 'b', 'c', 'd'] as const;
  const runs = new Map<string, ChildRun>();
  let program: ChildProgram | undefined;

  beforeAll(async () => {
    program = await programAt('b02-late-answer');
    for (const scenario of SCENARIOS) {
      runs.set(scenario, await program.run(['--unhandled-rejections=strict'], [scenario]));
    }
  }, LIMIT);

  afterAll(() => program?.remove());

  it.each(SCENARIOS)('B02 (%s): the process exits with code 0', (scenario) => {
    expect(runs.get(scenario)).toMatchObject({ code: 0 });
  });

  it.each([
    ['a', 'A rejects after 80 ms', ['timeout']],
    ['b', "A resolves 'late' after 80 ms", ['timeout']],
    ['c', 'A rejects in the timer turn in which its timeout is due', ['timeout', 'transient']],
  ])('B02 (%s): %s', (scenario, _what, kinds) => {
    const report = reportOf(runs.get(scenario)) as B02Report;
    expect(report.outcome).toBe('B');
    // 20 ms for A and 10 ms for B, but for what the loop itself was late.
    const lateness = report.took - report.bareTimersTook;
    expect(lateness).toBeGreaterThan(-10);
    expect(lateness).toBeLessThan(50);
    expect(report.invoked).toEqual(['A', 'B']);
    expect(report.kindsOfA).toHaveLength(1);
    expect(kinds).toContain(report.kindsOfA[0]);
    expect(report.failuresAt40).toBe(1);
    expect(report.failuresAt200).toBe(1);
    expect(report.lastKnownGood).toEqual({ value: 'B', source: 'last-known-good' });
  });

  it("B02 (d): the caller's signal was aborted before the call", () => {
    const report = reportOf(runs.get('d')) as B02Report;
    expect(report.outcome).toBe('rejected with the very reason');
    expect(report.invoked).toEqual([]);
    expect(report.kindsOfA).toEqual([]);
    expect(report.failuresAt40).toBe(0);
    expect(report.failuresAt200).toBe(0);
    expect(report.lastKnownGood).toBeNull();
  });
});
