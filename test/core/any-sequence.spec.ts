import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { FallbackExhaustedError, budgetExhausted, terminal, transient, unsupported } from '../../lib/core/index.js';
import type { CandidateOptions, OutcomeKind } from '../../lib/core/index.js';
import { Bench } from '../support/core-call.js';
import type { Scripted } from '../support/core-call.js';
import { TestClock } from '../support/test-clock.js';

/** What a candidate does in the one call. */
interface Part {
  readonly does: 'ok' | 'thin' | 'empty' | 'rejected' | 'transient' | 'unsupported' | 'terminal' | 'budget' | 'slow';
  readonly cost: number | undefined;
  readonly after: number;
  readonly supports: boolean;
}

const TIMEOUT = 50;
const parts = fc.array(
  fc.record<Part>({
    does: fc.constantFrom('ok', 'thin', 'empty', 'rejected', 'transient', 'unsupported', 'terminal', 'budget', 'slow'),
    cost: fc.constantFrom(undefined, 0, 1),
    after: fc.constantFrom(0, 10, 40),
    supports: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
);

const errors = { transient: transient(), unsupported: unsupported(), terminal: terminal(), budget: budgetExhausted() };

interface Value {
  readonly of: string;
  readonly does: Part['does'];
}

const hooks: CandidateOptions<any[], Value> = {
  isEmpty: ({ does }) => does === 'empty',
  accept: ({ does }) => does !== 'rejected',
  assess: ({ does }) => (does === 'thin' ? 'thin' : undefined),
};

function scripted(part: Part, place: number, clock: () => TestClock, begun: string[]): Scripted {
  const name = `c${place}`;
  return {
    ...hooks,
    name,
    ...(part.cost !== undefined && { cost: part.cost }),
    supports: () => part.supports,
    run: async () => {
      begun.push(name);
      if (part.after > 0) await clock().sleep(part.after);
      if (part.does === 'slow') return new Promise(() => {});
      const error = errors[part.does as keyof typeof errors] as Error | undefined;
      if (error !== undefined) throw error;
      return { of: name, does: part.does } satisfies Value;
    },
  };
}

const by = (name: string) => ({ value: expect.objectContaining({ of: name }) as unknown });

/** The contract, for one call of untroubled circuits: records, and who answers or what is thrown. */
function expected(all: readonly Part[]) {
  const records: string[] = [];
  let held: { by: string; kind: OutcomeKind } | undefined;
  let isOverBudget = false;
  for (const [place, { does, cost, supports }] of all.entries()) {
    const name = `c${place}`;
    if (isOverBudget && cost !== 0) continue;
    if (!supports) {
      records.push(`${name}:skipped(unsupported)`);
      continue;
    }
    // Without a cost nobody asks whether a value is empty.
    const kind = does === 'slow' ? 'timeout' : does === 'empty' && cost === undefined ? 'ok' : does;
    records.push(`${name}:${kind}`);
    if (kind === 'ok' || (kind === 'empty' && cost !== 0)) return { records, outcome: by(name) };
    if (kind === 'terminal') return { records, outcome: { error: errors.terminal } };
    if (kind === 'budget') isOverBudget = true;
    const isBetter = held === undefined || (held.kind === 'empty' && kind === 'thin');
    if ((kind === 'thin' || kind === 'empty') && isBetter) held = { by: name, kind };
  }
  if (held !== undefined) return { records, outcome: by(held.by) };
  const exhausted: unknown = expect.objectContaining({
    constructor: FallbackExhaustedError,
    message: expect.stringContaining(`All ${records.length} fallback candidates`),
  });
  return { records, outcome: { error: isOverBudget ? errors.budget : exhausted } };
}

describe('whatever the candidates do', () => {
  it('the call ends as the contract says, with one outcome per attempt and one end', async () => {
    await fc.assert(
      fc.asyncProperty(parts, async (all) => {
        const begun: string[] = [];
        const bench: Bench = new Bench(
          all.map((part, place) => scripted(part, place, () => bench.clock, begun)),
          { timeout: TIMEOUT },
        );
        const call = bench.begin();
        await bench.clock.advance(TIMEOUT * all.length);
        const wanted = expected(all);
        expect(bench.attempts).toEqual(wanted.records);
        expect(begun).toEqual(bench.settled.map(({ candidate }) => candidate));
        expect(new Set(begun).size).toBe(begun.length);
        expect(bench.settled.map(({ attempt }) => attempt)).toEqual(begun.map((_, place) => place));
        const ends = bench.events.filter(({ name }) => name.startsWith('call.'));
        expect(ends).toHaveLength(1);
        expect(call.outcome).toEqual(wanted.outcome);
        expect(bench.clock.refd).toBe(0);
        await bench.clock.advance(1_000);
        expect(bench.attempts).toEqual(wanted.records);
        expect(bench.clock.timers).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  it('a caller who goes away at any time: its reason at once, nobody begins after it, no health effect of the cut one', async () => {
    await fc.assert(
      fc.asyncProperty(parts, fc.integer({ min: 0, max: 120 }), async (all, at) => {
        const begun: string[] = [];
        const bench: Bench = new Bench(
          all.map((part, place) => scripted(part, place, () => bench.clock, begun)),
          { timeout: TIMEOUT, breaker: { threshold: 1 } },
        );
        const caller = new AbortController();
        const call = bench.begin({ signal: caller.signal });
        await bench.clock.advance(at);
        const isOver = call.outcome !== undefined;
        const before = begun.length;
        const reason = { says: 'gone' };
        caller.abort(reason);
        await bench.clock.advance(0);
        expect(call.outcome).toBeDefined();
        const cut = isOver ? undefined : begun.at(-1);
        const seen = { error: (call.outcome as { error?: unknown }).error === reason, took: call.took };
        const last = bench.attempts.at(-1);
        expect(isOver || { ...seen, last }).toEqual(isOver || { error: true, took: at, last: `${cut}:cancelled` });
        await bench.clock.advance(1_000);
        expect(begun).toHaveLength(before);
        expect(bench.settled).toHaveLength(before);
        const opened = bench.events.filter(({ name }) => name === 'circuit.opened').map(({ candidate }) => candidate);
        expect(opened).not.toContain(cut);
      }),
      { numRuns: 200 },
    );
  });

  it('a deadline: the call is over by then, and nobody begins after it', async () => {
    await fc.assert(
      fc.asyncProperty(parts, fc.integer({ min: 1, max: 120 }), async (all, deadline) => {
        const begun: string[] = [];
        const bench: Bench = new Bench(
          all.map((part, place) => scripted(part, place, () => bench.clock, begun)),
          { timeout: TIMEOUT, deadline },
        );
        const call = bench.begin();
        await bench.clock.advance(deadline);
        expect(call.took).toBeLessThanOrEqual(deadline);
        const before = begun.length;
        await bench.clock.advance(1_000);
        expect(begun).toHaveLength(before);
        expect(bench.settled).toHaveLength(before);
        expect(bench.clock.timers).toBe(0);
      }),
      { numRuns: 200 },
    );
  });
});
