import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { Subject, of } from 'rxjs';
import { thenable } from '../support/core-call.js';
import { unhandledDuring } from '../support/rejections.js';
import { FACES, openStreams } from '../support/stream-faces.js';
import type { Face } from '../support/stream-faces.js';
import { FORMS, fail, stall, wait } from '../support/stream-sources.js';
import { AB, down } from './commit-cases.js';

const grid = FACES.flatMap((face) => FORMS.map((form) => [face, form] as const));
const b = { name: 'b', plays: ['b1'] };

function* synchronous() {
  yield 1;
  yield 2;
  yield 3;
}

async function* asynchronous() {
  yield* synchronous();
}

describe.each(grid)('%s, candidates give: %s', (face, form) => {
  const open = (plays: readonly unknown[], options = {}) =>
    openStreams(face, { candidates: [{ name: 'a', plays }, b], form, options });

  it('all elements in order, then complete', async () => {
    const streams = await open([1, wait(5), 2, 3]);
    const reader = await streams.read(5);
    expect([reader.elements, reader.end]).toEqual([[1, 2, 3], 'complete']);
    expect(streams.stage.log).toEqual(['a opened', 'a closed']);
    expect(streams.attempts).toEqual(['a:ok']);
  });

  it('F41 a failure before the first element goes on to b, the error is its own', async () => {
    const streams = await open([wait(5), fail(down)]);
    const reader = await streams.read(5);
    expect([reader.elements, reader.end]).toEqual([['b1'], 'complete']);
    expect(streams.stage.contexts.b!.errors[0]).toBe(down);
    expect(streams.stage.log).toEqual(AB);
  });

  it('F42 a failure after the first element is passed on as it is', async () => {
    const streams = await open([1, wait(5), fail(down)]);
    const reader = await streams.read(5);
    expect(reader.elements).toEqual([1]);
    expect(reader.error).toBe(down);
    expect(streams.stage.calls).toEqual({ a: 1 });
  });

  it('F43 silence before the first element: b in time, a closed, nothing late', async () => {
    const streams = await open([wait(60), 'late'], { timeout: 15 });
    const reader = await streams.read(15);
    expect([reader.elements, reader.end]).toEqual([['b1'], 'complete']);
    await streams.clock.advance(60);
    expect(reader.elements).toEqual(['b1']);
    expect(streams.stage.log.filter((line) => line === 'a closed')).toHaveLength(1);
  });

  it('F45 the reader leaves on the second element: the source is closed once', async () => {
    const streams = await open([1, 2, wait(5), 3]);
    const reader = await streams.read(0, { take: 2 });
    expect([reader.elements, reader.end]).toEqual([[1, 2], 'left']);
    await streams.clock.advance(10);
    expect(streams.stage.log).toEqual(['a opened', 'a closed']);
    expect(streams.attempts).toEqual(['a:ok']);
  });

  it('F45 B17 the reader leaves in silence', async () => {
    const streams = await open([1, wait(60), 2]);
    const reader = streams.begin();
    await streams.clock.advance(5);
    reader.leave();
    await streams.clock.advance(0);
    expect([reader.elements, reader.end]).toEqual([[1], 'left']);
    await streams.clock.advance(60);
    expect(streams.stage.log).toEqual(['a opened', 'a closed']);
  });

  it('no element', async () => {
    const streams = await open([wait(5)]);
    const reader = await streams.read(5);
    expect([reader.elements, reader.end]).toEqual([[], 'complete']);
    expect(streams.attempts).toEqual(['a:ok']);
  });

  it('a promise of it, and a thenable of it', async () => {
    for (const wrap of [async (x: unknown) => x, (x: unknown) => thenable((resolve) => resolve(x))]) {
      const streams = await openStreams(face, { candidates: [{ name: 'a', plays: () => wrap(source()) }] });
      const source = () => streams.stage.source('a', [1, 2], form);
      const reader = await streams.read();
      expect([reader.elements, reader.end]).toEqual([[1, 2], 'complete']);
    }
  });

  it('a promise of it that comes too late: the source gives nothing to anybody', async () => {
    const streams = await openStreams(face, {
      candidates: [
        {
          name: 'a',
          plays: async () => {
            await streams.clock.sleep(60);
            return streams.stage.source('a', ['late', stall], form);
          },
        },
        b,
      ],
      options: { timeout: 15 },
    });
    const unhandled = await unhandledDuring(async () => {
      const reader = await streams.read(15);
      await streams.clock.advance(60);
      expect([reader.elements, reader.end]).toEqual([['b1'], 'complete']);
    });
    expect(unhandled).toEqual([]);
    // Opened late it would be closed at once; best it is never opened.
    const openings = streams.stage.log.filter((line) => line === 'a opened').length;
    expect(streams.stage.pulls.a ?? 0).toBe(0);
    expect(streams.stage.log.filter((line) => line === 'a closed').length).toBeGreaterThanOrEqual(openings);
  });
});

const PLAIN: readonly (readonly [string, () => unknown])[] = [
  ['an array', () => [1, 2, 3]],
  ['a set', () => new Set([1, 2, 3])],
  ['a generator', synchronous],
  ['an async generator', asynchronous],
  ['a typed array', () => Uint8Array.of(1, 2, 3)],
  ['an Observable', () => of(1, 2, 3)],
  ['a Node stream of objects', () => Readable.from([1, 2, 3])],
  ['a web stream', () => ReadableStream.from([1, 2, 3])],
  ['an iterator of an async generator', () => asynchronous()[Symbol.asyncIterator]()],
  ['promises in a list', () => [Promise.resolve(1), 2, Promise.resolve(3)]],
];

describe.each(FACES)('%s, the platform’s own', (face: Face) => {
  it.each(PLAIN)('F48 %s', async (_what, source) => {
    const streams = await openStreams(face, { candidates: [{ name: 'a', plays: source }, b] });
    const reader = streams.begin();
    for (let round = 0; round < 5; round++) await streams.clock.advance(0);
    expect([reader.elements, reader.end]).toEqual([[1, 2, 3], 'complete']);
    expect(streams.attempts).toEqual(['a:ok']);
  });

  it('a text in a Node stream of bytes', async () => {
    const streams = await openStreams(face, {
      candidates: [{ name: 'a', plays: () => Readable.from([Buffer.from('x')]) }],
    });
    const reader = streams.begin();
    for (let round = 0; round < 5; round++) await streams.clock.advance(0);
    expect(reader.elements).toEqual([Buffer.from('x')]);
  });

  it('a sync iterable is closed when the reader leaves', async () => {
    let isClosed = false;
    const source = function* () {
      try {
        yield* [1, 2, 3];
      } finally {
        isClosed = true;
      }
    };
    const streams = await openStreams(face, { candidates: [{ name: 'a', plays: source }] });
    const reader = await streams.read(0, { take: 1 });
    expect([reader.elements, reader.end, isClosed]).toEqual([[1], 'left', true]);
  });

  it('a subject: what was emitted before it was subscribed is lost, what comes later is not', async () => {
    const subject = new Subject<string>();
    const streams = await openStreams(face, { candidates: [{ name: 'a', plays: () => subject }] });
    subject.next('before');
    const reader = streams.begin();
    await streams.clock.advance(1);
    subject.next('x');
    subject.next('y');
    subject.complete();
    await streams.clock.advance(1);
    expect([reader.elements, reader.end]).toEqual([['x', 'y'], 'complete']);
    expect(subject.observed).toBe(false);
  });
});
