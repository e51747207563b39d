import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { compileProgram } from '../support/child-program.js';
import type { B28Report } from './programs/b28-many-users.js';

describe('B28: numbers without bound', () => {
  let report: B28Report;

  beforeAll(async () => {
    const program = await compileProgram(fileURLToPath(new URL('./programs/b28-many-users.ts', import.meta.url)));
    try {
      const { code, stdout, stderr } = await program.run(['--expose-gc']);
      if (code !== 0) throw new Error(stderr);
      report = JSON.parse(stdout) as B28Report;
    } finally {
      await program.remove();
    }
  }, 60_000);

  it('B28: a third of the requests failed at A, and half of those at B, too', () => {
    expect(report.rejected).toBe(1_666);
    expect(report.snapshot[0]!.candidates.map(({ counts }) => counts)).toEqual([
      { ok: 6_667, transient: 3_333 },
      { ok: 1_667, transient: 1_666 },
    ]);
  });

  it('B28: health knows one chain with two candidates', () => {
    expect(
      report.snapshot.map(({ chain, candidates }) => [chain, candidates.map(({ candidate }) => candidate)]),
    ).toEqual([['profiles', ['load', 'spare']]]);
  });

  it('B28: the heap is within 20 MB of what it was after the first 1 000 requests', () => {
    expect(report.heapGrowth).toBeLessThan(20 * 2 ** 20);
  });

  it('B28: nothing keeps a request alive', () => {
    // The last ones may still stand on the stack.
    expect(report.requestsAlive).toBeLessThanOrEqual(2);
  });

  it('B28: events and log lines name few things, and nothing of a request', () => {
    expect(report.labels.length).toBeLessThanOrEqual(2 * (12 + 8) + 5);
    expect(report.lines.length).toBeLessThanOrEqual(2 * (12 + 8) + 5);
    expect([...report.labels, ...report.lines, report.health].join('\n')).not.toMatch(/user-|https:|no spare|no user/);
  });

  it('B28: the last known goods of the last 1 000 users are kept, the oldest have gone', () => {
    expect(report.kept).toHaveLength(1_000);
    expect(report.kept[0]).toBeGreaterThan(8_500);
    expect(report.kept.at(-1)).toBeGreaterThan(9_990);
  });
});
