import { describe, expect, it } from '@jest/globals';
import { unhandledDuring } from '../support/rejections.js';
import { DECORATED, FACES, openStreams } from '../support/stream-faces.js';
import { fail, stall, wait } from '../support/stream-sources.js';
import { settle } from '../support/test-clock.js';
import { down } from './commit-cases.js';

/** A source that never gives an element, whose `return()` does as told. */
function stubborn(back: () => unknown) {
  const seen = { returns: 0, nexts: 0 };
  const source = {
    [Symbol.asyncIterator]: () => ({
      next() {
        seen.nexts++;
        return new Promise<never>(() => {});
      },
      return() {
        seen.returns++;
        return back() as Promise<never>;
      },
    }),
  };
  return { seen, source };
}

const RETURNS = [
  ['hangs', () => new Promise(() => {})],
  ['rejects', () => Promise.reject(new Error('return() rejects'))],
  [
    'throws',
    () => {
      throw new Error('return() throws');
    },
  ],
  ['gives nothing', () => undefined],
  ['gives nonsense', () => 42],
  ['resolves', () => Promise.resolve({ value: undefined, done: true })],
] as const;

describe.each(FACES)('%s', (face) => {
  it.each(RETURNS)('F43 B17 (a)(d) a loser whose return() %s: b starts in the same instant', async (_how, back) => {
    const { seen, source } = stubborn(back);
    const streams = await openStreams(face, {
      candidates: [
        { name: 'a', plays: () => source },
        { name: 'b', plays: ['b1'] },
      ],
      options: { timeout: 20 },
    });
    const unhandled = await unhandledDuring(async () => {
      const reader = await streams.read(20);
      expect([reader.elements, reader.end, reader.took]).toEqual([['b1'], 'complete', 20]);
      await streams.clock.advance(1_000);
    });
    expect(seen).toEqual({ nexts: 1, returns: 1 });
    expect(unhandled).toEqual([]);
  });

  it.each(RETURNS)('B17 (b)(d) the reader leaves a source whose return() %s', async (_how, back) => {
    const { seen, source } = stubborn(back);
    const streams = await openStreams(face, { candidates: [{ name: 'a', plays: () => source }] });
    const unhandled = await unhandledDuring(async () => {
      const reader = streams.begin();
      await streams.clock.advance(5);
      reader.leave();
      await settle();
      expect(reader.end).toBe('left');
      await streams.clock.advance(1_000);
    });
    expect(seen).toEqual({ nexts: 1, returns: 1 });
    expect(unhandled).toEqual([]);
  });

  it('an iterator without return() is let go of', async () => {
    const streams = await openStreams(face, {
      candidates: [
        { name: 'a', plays: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }) },
        { name: 'b', plays: ['b1'] },
      ],
      options: { timeout: 20 },
    });
    const reader = await streams.read(20);
    expect([reader.elements, reader.end]).toEqual([['b1'], 'complete']);
  });

  it.each(['observable', 'iterable'] as const)(
    'the signal is aborted before b is called, with its own reason (%s)',
    async (form) => {
      const seen: unknown[] = [];
      const streams = await openStreams(face, {
        candidates: [
          {
            name: 'a',
            plays: (ctx) => {
              ctx.signal.addEventListener('abort', () => seen.push('aborted', ctx.signal.reason));
              return streams.stage.source('a', [stall], form);
            },
          },
          { name: 'b', plays: () => (seen.push('b', ...streams.stage.log), ['b1']) },
        ],
        options: { timeout: 20 },
      });
      await streams.read(20);
      expect(seen).toEqual([
        'aborted',
        expect.objectContaining({ code: 'ATTEMPT_TIMEOUT' }),
        'b',
        'a opened',
        'a closed',
      ]);
    },
  );

  it.each([
    ['a veto', () => false, () => undefined, ['a1', stall]],
    ['an error in band', () => true, () => down, ['a1', stall]],
    ['a failure', () => true, () => undefined, [fail(down)]],
  ])('F49 after %s a is closed before b is called', async (_what, accept, errorIn, script) => {
    const atB: string[] = [];
    const streams = await openStreams(face, {
      candidates: [
        { name: 'a', plays: script, accept },
        { name: 'b', plays: () => (atB.push(...streams.stage.log), []) },
      ],
      options: { errorIn },
    });
    await streams.read();
    expect(atB).toEqual(['a opened', 'a closed']);
  });

  it('F45 a reader that leaves after the commit: the signal is aborted', async () => {
    const streams = await openStreams(face, {
      candidates: [
        {
          name: 'a',
          plays: (ctx) => {
            void ctx.signal.aborted;
            return streams.stage.source('a', ['a1', 'a2'], 'iterable');
          },
        },
      ],
    });
    const reader = await streams.read(0, { take: 1 });
    expect(reader.end).toBe('left');
    expect(streams.stage.contexts.a!.signal.aborted).toBe(true);
  });

  it('F45 a reader that leaves before the commit: the signal is aborted at once', async () => {
    const streams = await openStreams(face, { candidates: [{ name: 'a', plays: [wait(60), 'late'] }] });
    const reader = streams.begin();
    await streams.clock.advance(5);
    const { signal } = streams.stage.contexts.a!;
    reader.leave();
    expect(signal.aborted).toBe(true);
    expect(streams.stage.log).toEqual(['a opened', 'a closed']);
  });

  it('no timer is left when it is over, however it ended', async () => {
    const options = { timeout: 50, deadline: 60, idleTimeout: 70, streamDeadline: 500 };
    const endings = [['a1', 'a2'], ['a1', fail(down)], [fail(down)], []];
    for (const plays of endings) {
      const streams = await openStreams(face, { candidates: [{ name: 'a', plays }], options });
      const reader = await streams.read();
      expect(reader.end).not.toBe('open');
      expect(streams.clock.refd).toBe(0);
    }
  });

  it('a reader that leaves leaves no timer', async () => {
    const options = { timeout: 50, deadline: 60, idleTimeout: 70, streamDeadline: 500 };
    for (const plays of [['a1', stall], [stall]]) {
      const streams = await openStreams(face, { candidates: [{ name: 'a', plays }], options });
      const before = streams.clock.refd;
      const reader = streams.begin();
      await streams.clock.advance(5);
      expect(streams.clock.refd).toBeGreaterThan(before);
      reader.leave();
      await settle();
      // the script's own silence
      expect(streams.clock.refd).toBe(1);
    }
  });
});

describe.each(DECORATED)('%s', (face) => {
  it('F49 unsubscribing tears down once, whoever ends it first', async () => {
    const streams = await openStreams(face, {
      candidates: [{ name: 'a', plays: ['a1', wait(5), 'a2'] }],
      form: 'observable',
    });
    const reader = streams.begin({ take: 2 });
    await streams.clock.advance(10);
    expect(reader.end).toBe('left');
    expect(streams.stage.log).toEqual(['a opened', 'a closed']);
  });
});
