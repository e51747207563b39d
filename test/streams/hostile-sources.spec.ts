import { describe, expect, it } from '@jest/globals';
import { Observable } from 'rxjs';
import { unhandledDuring } from '../support/rejections.js';
import { FACES, openStreams } from '../support/stream-faces.js';
import { stall } from '../support/stream-sources.js';
import { settle } from '../support/test-clock.js';
import { down } from './commit-cases.js';

const throwing = (): never => {
  throw down;
};
const iterating = (next: (nth: number) => unknown) => () => {
  let nth = 0;
  return { [Symbol.asyncIterator]: () => ({ next: () => next(nth++) }) };
};
const then = 'then' as const;

/** What fails before the first element, with `down`. */
const FAILING: readonly (readonly [string, () => unknown])[] = [
  ['the candidate throws', throwing],
  ['the candidate rejects', () => Promise.reject(down)],
  ['[Symbol.asyncIterator]() throws', () => ({ [Symbol.asyncIterator]: throwing })],
  ['reading [Symbol.asyncIterator] throws', () => Object.defineProperty({}, Symbol.asyncIterator, { get: throwing })],
  ['[Symbol.iterator]() throws', () => ({ [Symbol.iterator]: throwing })],
  ['next() throws', iterating(throwing)],
  ['next() rejects', iterating(() => Promise.reject(down))],
  ['subscribe() throws', () => ({ pipe: () => {}, subscribe: throwing })],
  ['the subscriber function throws', () => new Observable(throwing)],
  ['a thenable whose then throws', () => ({ [then]: throwing })],
  ['reading done throws', iterating(() => Promise.resolve(Object.defineProperty({}, 'done', { get: throwing })))],
  ['a promised source that fails', async () => ({ [Symbol.asyncIterator]: throwing })],
  ['a web stream that fails', () => new ReadableStream({ start: (controller) => controller.error(down) })],
  ['a list with a promise that fails', () => [Promise.reject(down)]],
];

/** What is no stream, or none that works. */
const REFUSED: readonly (readonly [string, () => unknown])[] = [
  ['next() gives no object', iterating(() => 42)],
  ['next() gives a promise of no object', iterating(() => Promise.resolve(undefined))],
];

/** Faults of the program, which another candidate would not cure. */
const FAULTS: readonly (readonly [string, () => unknown])[] = [
  ['[Symbol.asyncIterator]() gives no object', () => ({ [Symbol.asyncIterator]: () => null })],
  [
    'a web stream that somebody else reads',
    () => {
      const stream = new ReadableStream();
      stream.getReader();
      return stream;
    },
  ],
];

/** What is no stream at all: an async iterable refuses it; an Observable chain may emit a value. */
const NO_STREAM: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['undefined', undefined],
  ['a text', 'text'],
  ['a number', 42],
  ['a plain object', { some: 'value' }],
  ['a promise of null', Promise.resolve(null)],
  ['a promise of a text', Promise.resolve('text')],
];

const b = { name: 'b', plays: ['b1'] };

describe.each(FACES)('%s', (face) => {
  it.each(FAILING)('%s: b answers, and the error is its own', async (_what, plays) => {
    const streams = await openStreams(face, { candidates: [{ name: 'a', plays }, b] });
    const unhandled = await unhandledDuring(async () => {
      const reader = await streams.read();
      expect([reader.elements, reader.end]).toEqual([['b1'], 'complete']);
    });
    expect(streams.stage.contexts.b!.errors[0]).toBe(down);
    expect(streams.attempts).toEqual(['a:transient', 'b:ok']);
    expect(unhandled).toEqual([]);
  });

  it.each(REFUSED)('%s: b answers', async (_what, plays) => {
    const streams = await openStreams(face, { candidates: [{ name: 'a', plays }, b] });
    const reader = await streams.read();
    expect([reader.elements, reader.end]).toEqual([['b1'], 'complete']);
    expect(streams.stage.contexts.b!.errors[0]).toBeInstanceOf(Error);
  });

  it.each(FAULTS)('%s: terminal, like every fault of the program', async (_what, plays) => {
    const streams = await openStreams(face, { candidates: [{ name: 'a', plays }, b] });
    const reader = await streams.read();
    expect(reader.error).toMatchObject({ name: 'TypeError' });
    expect(streams.attempts).toEqual(['a:terminal']);
  });

  it('a promise of a source that never comes is a timeout', async () => {
    const streams = await openStreams(face, {
      candidates: [{ name: 'a', plays: () => new Promise(() => {}) }, b],
      options: { timeout: 15 },
    });
    const reader = await streams.read(15);
    expect([reader.elements, reader.end, reader.took]).toEqual([['b1'], 'complete', 15]);
    expect(streams.attempts).toEqual(['a:timeout', 'b:ok']);
  });

  it('next() that throws after the commit: the same error, and it is over', async () => {
    const plays = iterating((nth) => (nth === 0 ? Promise.resolve({ value: 'a1', done: false }) : throwing()));
    const streams = await openStreams(face, { candidates: [{ name: 'a', plays }, b] });
    const reader = await streams.read();
    expect(reader.elements).toEqual(['a1']);
    expect(reader.error).toBe(down);
    expect(streams.attempts).toEqual(['a:transient']);
  });

  it('next() may answer without a promise', async () => {
    const plays = iterating((nth) => ({ value: nth, done: nth === 2 }));
    const streams = await openStreams(face, { candidates: [{ name: 'a', plays }, b] });
    const reader = await streams.read();
    expect([reader.elements, reader.end]).toEqual([[0, 1], 'complete']);
  });

  it('a rejection of a pull that was given up is no unhandled rejection', async () => {
    const plays = iterating(() => streams.clock.sleep(60).then(throwing));
    const streams = await openStreams(face, { candidates: [{ name: 'a', plays }, b], options: { timeout: 15 } });
    const unhandled = await unhandledDuring(async () => {
      const reader = await streams.read(15);
      expect(reader.elements).toEqual(['b1']);
      await streams.clock.advance(100);
    });
    expect(unhandled).toEqual([]);
    expect(streams.attempts).toEqual(['a:timeout', 'b:ok']);
    expect(streams.circuits.a).toBe('closed 1');
  });

  it('an Observable that goes on after its error, its end, and its teardown is not heard', async () => {
    interface Observer {
      next(element: unknown): void;
      error(error: unknown): void;
      complete(): void;
    }
    let observer!: Observer;
    let teardowns = 0;
    const rude = {
      pipe: () => {},
      subscribe(given: Observer) {
        observer = given;
        return { unsubscribe: () => teardowns++ };
      },
    };
    const streams = await openStreams(face, {
      candidates: [
        { name: 'a', plays: () => rude },
        { ...b, plays: ['b1', stall] },
      ],
    });
    const reader = streams.begin();
    await streams.clock.advance(1);
    observer.error(down);
    observer.next('late');
    observer.complete();
    observer.error(new Error('again'));
    await settle();
    expect(reader.elements).toEqual(['b1']);
    expect(reader.end).toBe('open');
    expect(streams.attempts).toEqual(['a:transient']);
    expect(teardowns).toBeLessThanOrEqual(1);
    reader.leave();
    await settle();
    expect(reader.end).toBe('left');
  });

  it('unsubscribe() that throws harms nobody', async () => {
    const rude = { pipe: () => {}, subscribe: () => ({ unsubscribe: throwing }) };
    const streams = await openStreams(face, {
      candidates: [{ name: 'a', plays: () => rude }, b],
      options: { timeout: 15 },
    });
    const reader = await streams.read(15);
    expect([reader.elements, reader.end]).toEqual([['b1'], 'complete']);
  });
});

describe.each(['plain functions', 'async iterable'] as const)('%s', (face) => {
  it.each(NO_STREAM)('F48 %s is no stream: an error that falls to b', async (_what, given) => {
    const streams = await openStreams(face, { candidates: [{ name: 'a', plays: () => given }, b] });
    const reader = await streams.read();
    expect([reader.elements, reader.end]).toEqual([['b1'], 'complete']);
    expect(streams.stage.contexts.b!.errors[0]).toBeInstanceOf(Error);
    expect(streams.attempts).toHaveLength(2);
    expect(streams.attempts[1]).toBe('b:ok');
  });
});
