/**
 * Random ladders of streams. Every face and every form must show the same, and it must be what a few lines say who know
 * nothing of the engine.
 */
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Reader } from '../support/stream-consumers.js';
import { FACES, openStreams } from '../support/stream-faces.js';
import type { Face } from '../support/stream-faces.js';
import { fail, stall, wait } from '../support/stream-sources.js';
import type { Form, Script } from '../support/stream-sources.js';
import { down } from './commit-cases.js';

/** Words of a script: what a source does, as data that can be printed. */
type Word = { readonly give: string } | { readonly wait: number } | 'fail' | 'stall';
interface Program {
  readonly ladder: readonly (readonly Word[])[];
  readonly timeout: number | undefined;
  readonly idleTimeout: number | undefined;
  readonly hasPriming: boolean;
  readonly leaveAt: number | undefined;
}
interface Shown {
  readonly elements: readonly unknown[];
  readonly end: 'open' | 'complete' | 'left' | 'down' | 'idle' | 'exhausted';
  readonly took: number | undefined;
  readonly kinds: readonly string[];
}

const NAMES = ['a', 'b', 'c'];
/** How long a program is watched, ms. No two things of a program happen at one time: see the primes below. */
const WATCHED = 10_000;

const word: fc.Arbitrary<Word> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('x', 'y', '').map((give) => ({ give })) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 6 }).map((times) => ({ wait: times * 10 })) },
  { weight: 1, arbitrary: fc.constantFrom('fail' as const, 'stall' as const) },
);
const maybe = (...ms: number[]) => fc.option(fc.constantFrom(...ms), { nil: undefined });
const programs: fc.Arbitrary<Program> = fc.record({
  ladder: fc.array(fc.array(word, { maxLength: 6 }), { minLength: 1, maxLength: 3 }),
  // Not on the tens on which sources act, nor one on the other's sums.
  timeout: maybe(13, 37),
  idleTimeout: maybe(11.001, 35.001),
  hasPriming: fc.boolean(),
  leaveAt: maybe(4.1, 24.1, 64.1),
});

const scriptOf = (words: readonly Word[]): Script =>
  words.map((each) => {
    if (each === 'fail') return fail(down);
    if (each === 'stall') return stall;
    return 'give' in each ? each.give : wait(each.wait);
  });

/** What a program shows, said in the plainest way. */
function expected({
  ladder,
  timeout = Infinity,
  idleTimeout = Infinity,
  hasPriming,
  leaveAt = Infinity,
}: Program): Shown {
  const kinds: string[] = [];
  let now = 0;
  for (const [place, words] of ladder.entries()) {
    const name = NAMES[place]!;
    const startedAt = now;
    let [elements, at, silentSince, isCommitted]: [string[], number, number, boolean] = [[], now, Infinity, false];
    const over = (kind: string, took: number, end: Shown['end']): Shown => {
      const given = isCommitted || end === 'complete' ? elements : [];
      return { elements: given, end, took, kinds: [...kinds, `${name}:${kind}`] };
    };
    let isLost = false;
    for (const each of [...words, 'end' as const]) {
      const next = typeof each === 'object' && 'wait' in each ? at + each.wait : each === 'stall' ? Infinity : at;
      const cutAt = Math.min(isCommitted ? Infinity : startedAt + timeout, silentSince + idleTimeout);
      if (leaveAt < Math.min(next, cutAt)) return over(isCommitted ? 'ok' : 'cancelled', leaveAt, 'left');
      if (cutAt < next) {
        if (isCommitted) return over('timeout', cutAt, 'idle');
        kinds.push(`${name}:timeout`);
        now = cutAt;
        isLost = true;
        break;
      }
      at = next;
      if (at === Infinity) {
        return { elements: isCommitted ? elements : [], end: 'open', took: undefined, kinds };
      }
      if (each === 'end') return over('ok', at, 'complete');
      if (each === 'fail') {
        if (isCommitted) return over('transient', at, 'down');
        kinds.push(`${name}:transient`);
        now = at;
        isLost = true;
        break;
      }
      if (typeof each === 'object' && 'give' in each) {
        elements = [...elements, each.give];
        isCommitted ||= !hasPriming || each.give !== '';
        silentSince = at;
      }
    }
    if (!isLost) throw new Error('a script without an end');
  }
  return { elements: [], end: 'exhausted', took: now, kinds };
}

async function shown(program: Program, face: Face, form: Form): Promise<Shown & { log: readonly string[] }> {
  const { ladder, timeout, idleTimeout, hasPriming, leaveAt } = program;
  const streams = await openStreams(face, {
    candidates: ladder.map((words, place) => ({ name: NAMES[place]!, plays: scriptOf(words) })),
    options: {
      ...(timeout === undefined ? {} : { timeout }),
      ...(idleTimeout === undefined ? {} : { idleTimeout }),
      ...(hasPriming ? { commitWhen: (element: unknown) => element !== '' } : {}),
      whenOpen: 'ignore',
    },
    form,
  });
  const reader = streams.begin();
  await streams.clock.advance(leaveAt ?? WATCHED);
  if (leaveAt !== undefined && reader.end === 'open') reader.leave();
  await streams.clock.advance(WATCHED);
  const seen = {
    elements: [...reader.elements],
    end: endOf(reader),
    took: round(reader.took),
    kinds: [...streams.attempts],
  };
  if (reader.end === 'open') reader.leave();
  await streams.clock.advance(WATCHED);
  expect(reader.elements).toEqual(seen.elements);
  return { ...seen, log: [...streams.stage.log] };
}

function endOf({ end }: Reader): Shown['end'] {
  if (typeof end === 'string') return end;
  if (end.error === down) return 'down';
  const { code } = end.error as { code: string };
  return code === 'ATTEMPT_TIMEOUT' ? 'idle' : 'exhausted';
}

const round = (ms: number | undefined): number | undefined => (ms === undefined ? ms : Math.round(ms * 1_000) / 1_000);

/** Each source is closed once, before the next is opened. */
function expectTidy(log: readonly string[]): void {
  const opened = log.filter((line) => line.endsWith('opened'));
  expect(log).toEqual(opened.flatMap((line) => [line, line.replace('opened', 'closed')]));
}

describe.each(FACES.flatMap((face) => (['iterable', 'observable'] as const).map((form) => [face, form] as const)))(
  'any ladder of streams (%s, %s)',
  (face, form) => {
    it('shows what it must', async () => {
      const numRuns = face === 'plain functions' ? 400 : 100;
      await fc.assert(
        fc.asyncProperty(programs, async (program) => {
          const { log, ...seen } = await shown(program, face, form);
          const must = expected(program);
          expect(seen).toEqual({ ...must, took: round(must.took) });
          expectTidy(log);
        }),
        { numRuns },
      );
    }, 60_000);
  },
);
