import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FallbackEvent } from '../../lib/index.js';
import { compileProgram } from '../support/child-program.js';
import type { ChildProgram } from '../support/child-program.js';
import type { B23Report } from './programs/b23-listeners.js';

const WHERE = ['observers', 'subscribers'] as const;

describe('B23: a listener breaks the call it only watched', () => {
  const reports = new Map<string, B23Report>();
  let program: ChildProgram | undefined;

  beforeAll(async () => {
    program = await compileProgram(fileURLToPath(new URL('./programs/b23-listeners.ts', import.meta.url)));
    for (const where of ['none', ...WHERE]) {
      const { code, stdout, stderr } = await program.run([], [where]);
      if (code !== 0) throw new Error(stderr);
      reports.set(where, JSON.parse(stdout) as B23Report);
    }
  }, 60_000);

  afterAll(() => program?.remove());

  it('B23: without listeners: healthy, fallback, exhausted', () => {
    expect(reports.get('none')).toMatchObject({
      outcomes: [
        'a',
        'b',
        'true FallbackExhaustedError: All 2 fallback candidates failed (load: transient; spare: transient)',
      ],
      heard: [],
    });
  });

  it.each(WHERE)('B23 (%s): the outcomes are the same, and not later than 50 ms after', (where) => {
    const [bare, watched] = [reports.get('none')!, reports.get(where)!];
    expect(watched.outcomes).toEqual(bare.outcomes);
    expect(watched.took - bare.took).toBeLessThan(50);
  });

  it.each(WHERE)('B23 (%s): the last listener hears every event of all three calls, in order', (where) => {
    const events = reports.get(where)!.heard.map((text) => JSON.parse(text) as FallbackEvent);
    expect(events.map(({ name, candidate = '' }) => `${name} ${candidate}`.trim())).toEqual([
      'attempt.settled load',
      'call.served',
      'attempt.settled load',
      'attempt.settled spare',
      'call.served',
      'attempt.settled load',
      'attempt.settled spare',
      'call.exhausted',
    ]);
  });

  it.each(WHERE)('B23 (%s): payloads and log hold neither arguments nor errors', (where) => {
    const { heard, lines } = reports.get(where)!;
    expect([...heard, ...lines].join('\n')).not.toContain('secret');
  });

  it.each(WHERE)('B23 (%s): each of the two that fail is logged once, nothing is uncaught', (where) => {
    const { lines, uncaught } = reports.get(where)!;
    expect(lines).toHaveLength(2);
    expect(uncaught).toEqual([]);
  });
});
