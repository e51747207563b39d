import { describe, expect, it, jest } from '@jest/globals';
import * as fc from 'fast-check';
import { INVARIANTS } from './invariants.js';
import { print } from './print.js';
import { closed } from './program.js';
import type { Program, Step } from './program.js';
import { agreement, anyOrder, streams } from './properties.js';

// Many programs on a busy machine take more than the usual five seconds.
jest.setTimeout(60_000);

// A fixed seed: here it guards, `npm run test:model` looks for news.
const seed = 2_027;

describe('random programs', () => {
  it('engine and model see the same', async () => {
    await fc.assert(agreement, { seed, numRuns: 300 });
  });

  it('engine and model see the same of streams, by both faces', async () => {
    await fc.assert(streams, { seed, numRuns: 200 });
  });

  it.each(Object.entries(INVARIANTS))('%s, in any order of what happens together', async (name, invariant) => {
    await fc.assert(anyOrder({ [name]: invariant }), { seed, numRuns: 100 });
  });

  it('a program prints as steps that people can read', () => {
    const play = { does: 'rate-limited' as const, after: 40, retryAfter: 400 };
    const call = { do: 'call' as const, question: 0, isAborted: false, isSwitchedOff: true };
    const program: Program = {
      rungs: [{ timeout: 50 }, { cost: 0, breaker: { threshold: 1 } }],
      deadline: 150,
      isWatched: false,
      steps: [
        { ...call, plays: [play, { does: 'ok', after: 0 }, { does: 'never', after: 0 }] },
        { do: 'abort', back: 0 },
        { ...call, plays: [play, play], at: { of: 'reopening', place: 1, isEarly: true } },
        { do: 'isolate', place: 3 },
      ],
    };
    expect(print(closed(program)).split('\n')).toEqual([
      'a: {timeout:50}',
      'b: {cost:0, breaker:{threshold:1}}',
      'chain: {deadline:150, isWatched:false}',
      '1. call 0 (question 0), substitutes off: a rate-limited after 40 (retry after 400), b ok',
      '2. abort call 0',
      '3. call 1 (question 0) just before the reopening of b, substitutes off: a rate-limited after 40 (retry after 400), b rate-limited after 40 (retry after 400)',
      '4. isolate b',
      '5. advance 7200000 ms',
      '6. call 2 (question 0): a transient, b transient',
    ]);
  });

  it('so does a program of streams', () => {
    const call: Step & { do: 'call' } = {
      do: 'call',
      question: 0,
      isAborted: false,
      isSwitchedOff: false,
      takes: 2,
      plays: [
        { does: 'transient', after: 40 },
        { does: 'ok', after: 0 },
        { does: 'never', after: 0 },
      ],
      scripts: [
        {
          form: 'generator',
          promised: 10,
          emits: [
            { as: 'priming', does: 'ok', after: 0 },
            { as: 'in-band', does: 'denied', after: 20 },
          ],
        },
        { form: 'observable', emits: [{ as: 'element', does: 'rejected', after: 0 }] },
        { form: 'nothing', emits: [] },
      ],
    };
    const rungs = [{}, {}, {}];
    const program: Program = { rungs, stream: {}, isWatched: true, steps: [call, { do: 'leave', back: 0 }] };
    expect(print(program).split('\n').slice(-2)).toEqual([
      '1. call 0 (question 0), left after 2: a generator promised after 10 [priming; in-band denied after 20; transient after 40], b observable [rejected; complete], c nothing',
      '2. the consumer of call 0 leaves',
    ]);
  });
});
