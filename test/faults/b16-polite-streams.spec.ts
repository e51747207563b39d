import { describe, expect, it } from '@jest/globals';
import { rateLimited } from '../../lib/index.js';
import { playStream, variants } from '../support/stream-check.js';
import type { StreamCase } from '../support/stream-check.js';
import { FACES, openStreams } from '../support/stream-faces.js';
import { stall, wait } from '../support/stream-sources.js';

const isText = (element: unknown): boolean => typeof element === 'string' && element !== '';
const errorIn = (element: unknown): unknown => (element as { error?: unknown } | null)?.error;
const inBand = (error: unknown) => ({ type: 'error', error });
const start = { type: 'start' };
const delta = '';
const overloaded = Object.assign(new Error('overloaded'), { status: 529 });
const slowDown = rateLimited('slow down', { retryAfter: 7_000 });
const b = { name: 'b', plays: ['b1', 'b2'] };
const A = ['a opened', 'a closed'];
const toB = { elements: ['b1', 'b2'], log: [...A, 'b opened', 'b closed'] };

const CASES: readonly StreamCase[] = [
  {
    title: 'B16 polite elements, then an error in band',
    candidates: [{ name: 'a', plays: [start, delta, inBand(overloaded)] }, b],
    options: { commitWhen: isText, errorIn },
    ...toB,
    attempts: ['a:transient', 'b:ok'],
    circuits: { a: 'closed 1' },
  },
  {
    title: 'B16 polite elements, then a limit in band',
    candidates: [{ name: 'a', plays: [start, delta, inBand(slowDown), stall] }, b],
    options: { commitWhen: isText, errorIn },
    ...toB,
    attempts: ['a:rate-limited', 'b:ok'],
    circuits: { a: 'open 1' },
  },
  {
    title: 'B16 polite elements, then the answer: flushed in order',
    candidates: [{ name: 'a', plays: [start, delta, 'Hel', 'lo'] }, b],
    options: { commitWhen: isText, errorIn },
    elements: [start, delta, 'Hel', 'lo'],
    log: A,
    attempts: ['a:ok'],
  },
  {
    title: 'B16 the same with silences',
    candidates: [{ name: 'a', plays: [start, wait(5), delta, wait(5), 'Hel', wait(5), 'lo'] }, b],
    options: { commitWhen: isText, errorIn, timeout: 12 },
    takes: 15,
    elements: [start, delta, 'Hel', 'lo'],
    log: A,
    attempts: ['a:ok'],
  },
];

describe('B16: a stream that opens politely and then fails', () => {
  it.each(variants(CASES))('%s', async (_title, each, face, form) => {
    await playStream(each, face, form);
    expect.hasAssertions();
  });

  it.each(FACES)('B16 one failure and no success of a; one success of a that answers (%s)', async (face) => {
    const open = (plays: readonly unknown[]) =>
      openStreams(face, { candidates: [{ name: 'a', plays }, b], options: { commitWhen: isText, errorIn } });
    const failing = await open([start, delta, inBand(overloaded)]);
    await failing.read();
    expect(failing.counts('a')).toEqual({ transient: 1 });
    expect(failing.counts('b')).toEqual({ ok: 1 });
    const answering = await open([start, delta, 'Hel', 'lo']);
    await answering.read();
    expect(answering.counts('a')).toEqual({ ok: 1 });
    expect(answering.stage.calls).toEqual({ a: 1 });
  });
});
