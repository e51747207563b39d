import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { REASON } from '../support/stream-check.js';
import type { Reader } from '../support/stream-consumers.js';
import { FACES, openStreams } from '../support/stream-faces.js';
import { fail, stall } from '../support/stream-sources.js';
import { settle } from '../support/test-clock.js';
import { down } from './commit-cases.js';

/** Everything of a stream that runs while others wait, and may end the call. */
const PLACES = [
  'candidate',
  'open',
  'next',
  'return',
  'commitWhen',
  'errorIn',
  'accept',
  'assess',
  'isEmpty',
  'classify',
] as const;
type Place = (typeof PLACES)[number];
const FAILING: readonly Place[] = ['return', 'classify'];

describe.each(FACES)('%s', (face) => {
  /** A ladder whose candidate a ends the call at one place; a commits elsewhere, or fails where that place needs it. */
  const open = (place: Place, end: () => unknown) => {
    const at = <T>(here: Place, value: T): T => {
      if (here === place) end();
      return value;
    };
    let nth = 0;
    const closings: string[] = [];
    const source = {
      [Symbol.asyncIterator]: () =>
        at('open', {
          next: () => {
            if (nth++ > 0) return new Promise<never>(() => {});
            at('next', undefined);
            return place === 'classify' ? Promise.reject(down) : Promise.resolve({ value: 'a1', done: false });
          },
          return: () => {
            closings.push('a');
            return at('return', Promise.resolve());
          },
        }),
    };
    const streams = openStreams(face, {
      candidates: [
        {
          name: 'a',
          plays: () => at('candidate', source),
          accept: () => at('accept', place !== 'return'),
          assess: () => at('assess', undefined),
          isEmpty: () => at('isEmpty', false),
          classify: () => at('classify', undefined),
          onEmpty: 'continue',
        },
        { name: 'b', plays: ['b1'] },
      ],
      options: { commitWhen: () => at('commitWhen', true), errorIn: () => at('errorIn', undefined) },
    });
    return { streams, closings };
  };

  it.each(PLACES)('the caller aborts inside %s: its reason, nobody else is called', async (place) => {
    const caller = new AbortController();
    const { streams: opening, closings } = open(place, () => caller.abort(REASON));
    const streams = await opening;
    const reader = await streams.read(0, { signal: caller.signal });
    expect(reader.error).toBe(REASON);
    expect(reader.elements).toEqual([]);
    expect(streams.stage.calls).toEqual({ a: 1 });
    expect(closings.length).toBeLessThanOrEqual(1);
    expect(streams.attempts).toEqual([FAILING.includes(place) ? expect.stringMatching(/^a:/) : 'a:cancelled']);
  });

  it.each(PLACES)('the reader leaves inside %s: nobody else is called', async (place) => {
    let reader: Reader | undefined;
    const { streams: opening, closings } = open(place, () => reader?.end === 'open' && !isLeaving && leave(reader));
    let isLeaving = false;
    const leave = (one: Reader): void => {
      isLeaving = true;
      one.leave();
    };
    const streams = await opening;
    // Where a ladder begins within subscribe(), there is nobody yet who could unsubscribe.
    streams.begin = ((begin) => (reading) => {
      reader = undefined;
      return (reader = begin.call(streams, reading));
    })(streams.begin);
    await streams.read();
    await settle();
    const hasLeft = reader?.end === 'left';
    expect(reader?.elements).toEqual(hasLeft ? [] : expect.anything());
    if (hasLeft) expect([streams.stage.calls, closings.length <= 1]).toEqual([{ a: 1 }, true]);
    if (reader?.end === 'open') reader.leave();
  });

  it('a Node stream whose closing fails harms nobody', async () => {
    const errors: unknown[] = [];
    const note = (error: unknown): void => void errors.push(error);
    process.on('uncaughtException', note);
    const rude = () =>
      new Readable({
        objectMode: true,
        read() {},
        destroy: (_error, done) => done(new Error('the socket was gone')),
      });
    const late = async () => {
      await streams.clock.sleep(60);
      return rude();
    };
    const streams = await openStreams(face, {
      candidates: [
        { name: 'a', plays: rude },
        { name: 'late', plays: late },
        { name: 'b', plays: ['b1'] },
      ],
      options: { timeout: 15 },
    });
    const reader = await streams.read(30);
    await streams.clock.advance(100);
    await settle();
    process.off('uncaughtException', note);
    expect([reader.elements, reader.end]).toEqual([['b1'], 'complete']);
    expect(errors).toEqual([]);
  });

  it('a source that is closed and fails at once is one failure', async () => {
    const streams = await openStreams(face, {
      candidates: [
        { name: 'a', plays: ['', fail(down)] },
        { name: 'b', plays: ['b1', stall] },
      ],
      options: { commitWhen: (element) => element !== '' },
    });
    const reader = await streams.read(0, { take: 1 });
    expect([reader.elements, reader.end]).toEqual([['b1'], 'left']);
    expect(streams.circuits).toEqual({ a: 'closed 1', b: 'closed 0' });
  });
});
