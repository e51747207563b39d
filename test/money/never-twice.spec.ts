import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { createFallbackChain } from '../../lib/core/index.js';
import { TestClock } from '../support/test-clock.js';

/** How one call of a candidate goes. */
const PLAYS = ['full', 'empty', 'vetoed', 'busy', 'unreachable', 'silent', 'denied'] as const;
type Play = (typeof PLAYS)[number];

interface Candidate {
  readonly cost: number | undefined;
  readonly retries: number;
  readonly plays: readonly Play[];
}

const candidate: fc.Arbitrary<Candidate> = fc.record({
  cost: fc.constantFrom(undefined, 0, 1, 5),
  retries: fc.constantFrom(0, 1, 2),
  plays: fc.array(fc.constantFrom(...PLAYS), { minLength: 3, maxLength: 3 }),
});

const failure = (about: object): Promise<never> => Promise.reject(Object.assign(new Error('no'), about));

const PLAYED: Readonly<Record<Play, () => Promise<readonly string[]>>> = {
  full: async () => ['x'],
  empty: async () => [],
  vetoed: async () => ['vetoed'],
  busy: () => failure({ status: 503 }),
  unreachable: () => failure({ code: 'ECONNREFUSED' }),
  silent: () => new Promise(() => {}),
  denied: () => failure({ status: 401 }),
};

interface Called {
  readonly index: number;
  readonly how: Play;
}

/** Every call that a ladder made for one answer, in order. */
async function callsOf(ladder: readonly Candidate[], order: 'declared' | 'cost'): Promise<Called[]> {
  const clock = new TestClock();
  const calls: Called[] = [];
  const chain = createFallbackChain<readonly string[]>(
    ladder.map(({ cost, retries, plays }, index) => {
      let tries = 0;
      return {
        name: `c${index}`,
        ...(cost !== undefined && { cost }),
        retries: { times: retries, on: ['transient', 'timeout', 'rejected'] as const },
        run: () => {
          const how = plays[tries++]!;
          calls.push({ index, how });
          return PLAYED[how]();
        },
      };
    }),
    { clock, order, timeout: 1_000, accept: (value: readonly string[]) => value[0] !== 'vetoed' },
  );
  const call = { isOver: false };
  const end = (): void => {
    call.isOver = true;
  };
  chain.run().then(end, end);
  for (let turn = 0; !call.isOver && turn < 100; turn++) await clock.advance(500);
  expect(call.isOver).toBe(true);
  return calls;
}

/** What is wrong with the call that follows one that went so. */
function wrong({ cost }: Candidate, how: Play, index: number, next: Called | undefined): string[] {
  if (next === undefined) return [];
  if (how === 'full' || (how === 'empty' && cost !== 0))
    return [`c${next.index} is called after an answer of c${index}`];
  const isPaidAgain = cost !== undefined && cost > 0 && next.index === index && how !== 'unreachable';
  return isPaidAgain ? [`c${index} is paid again after it was ${how}`] : [];
}

it('no sequence of outcomes calls a paid candidate where what was paid for may still be an answer', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(candidate, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('declared' as const, 'cost' as const),
      async (ladder, order) => {
        const calls = await callsOf(ladder, order);
        expect(calls.flatMap(({ index, how }, place) => wrong(ladder[index]!, how, index, calls[place + 1]))).toEqual(
          [],
        );
        // Nobody is called again after others have been.
        const turns = calls.map(({ index }) => index).filter((index, place, all) => index !== all[place - 1]);
        expect(new Set(turns).size).toBe(turns.length);
      },
    ),
    { numRuns: 300, seed: 20, endOnFailure: true },
  );
});
