import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compileProgram } from '../support/child-program.js';
import type { ChildProgram, ChildRun } from '../support/child-program.js';
import type { B26Line } from './programs/b26-shutdown.js';

const LIMIT = 60_000;
const DRAIN = 200;
/** What a real timer may be late beyond the loop's own delay. */
const LATENESS = 50;
const REFUSED = {
  name: 'ShuttingDownError',
  code: 'SHUTTING_DOWN',
  message: 'The application is shutting down',
};

let program: ChildProgram;

beforeAll(async () => {
  program = await compileProgram(fileURLToPath(new URL('./programs/b26-shutdown.ts', import.meta.url)));
}, LIMIT);

afterAll(() => program.remove());

describe.each([
  ['close', '60000'],
  ['close', 'none'],
  ['sigterm', '60000'],
  ['sigterm', 'none'],
] as const)('B26: shutdown by %s, with calls in flight whose time limit is %s', (how, limit) => {
  let run: ChildRun;
  let lines: B26Line[];

  function lineOf(what: string): B26Line {
    const line = lines.find((each) => each.what === what);
    if (line === undefined) throw new Error(`The program never said '${what}': ${run.stdout}${run.stderr}`);
    return line;
  }

  beforeAll(async () => {
    run = await program.run([], [how, limit]);
    lines = run.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as B26Line);
  }, LIMIT);

  it('B26: call 2 gets its answer', () => {
    expect(lineOf('call 2').detail).toBe('a2');
  });

  it("B26: call 1's signal is aborted when the drain is over, and its caller hears that the application shuts down", () => {
    const { at, detail } = lineOf('aborted');
    const { name, lag } = detail as { name: string; lag: number };
    expect(name).toBe('ShuttingDownError');
    expect(at).toBeGreaterThan(DRAIN - 2);
    expect(at - lag).toBeLessThan(DRAIN + LATENESS);
    expect(lineOf('call 1').detail).toEqual(REFUSED);
  });

  it('B26: a call that is made once the close has begun is rejected at once', () => {
    expect(lineOf('call 3').detail).toEqual(REFUSED);
    expect(lineOf('call 3').at).toBeLessThan(lineOf('call 2').at);
  });

  it('B26: kind cancelled; B is not started; nothing goes unhandled', () => {
    expect(lines.filter(({ what }) => what === 'attempt.settled').map(({ detail }) => detail)).toEqual([
      'ok',
      'cancelled',
    ]);
    expect(lines.filter(({ what }) => what === 'call.stopped').map(({ detail }) => detail)).toEqual([
      'cancelled',
      'cancelled',
    ]);
    expect((lineOf('shutdown').detail as { begun: unknown }).begun).toEqual(['A1', 'A2']);
    expect(lines.map(({ what }) => what)).not.toContain('unhandled');
  });

  it('B26: the shutdown waits for the drain, and no timer of the application is left', () => {
    expect(lineOf('drained').at).toBeGreaterThan(DRAIN - 2);
    expect((lineOf('shutdown').detail as { resources: string[] }).resources).not.toContain('Timeout');
  });

  if (how === 'close') {
    it('B26: health is unchanged', () => {
      const { health } = lineOf('closed').detail as { health: unknown };
      expect(health).toEqual([
        { state: 'closed', consecutiveFailures: 0, counts: { ok: 1, cancelled: 1 } },
        { state: 'closed', consecutiveFailures: 0, counts: {} },
      ]);
    });

    it("B26: the process ends by itself, code 0, within 1 s of the drain's end", () => {
      expect(run).toMatchObject({ code: 0, signal: null });
      expect((lineOf('closed').detail as { resources: string[] }).resources).not.toContain('Timeout');
      expect(lineOf('exit').detail).toBe(0);
      expect(lineOf('exit').at - lineOf('drained').at).toBeLessThan(1_000);
    });
  } else {
    it('B26: the framework ends the process by the signal once the hooks have run', () => {
      expect(run).toMatchObject({ code: null, signal: 'SIGTERM' });
      expect((lineOf('shutdown').detail as { signal: unknown }).signal).toBe('SIGTERM');
    });
  }
});
