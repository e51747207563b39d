import { describe, expect, it } from '@jest/globals';
import { served } from '../../lib/index.js';
import { REASON } from '../support/stream-check.js';
import { DECORATED, FACES, openDecorated, openStreams } from '../support/stream-faces.js';
import type { Face } from '../support/stream-faces.js';
import { fail, stall, wait } from '../support/stream-sources.js';
import { settle } from '../support/test-clock.js';
import { badRequest, down } from './commit-cases.js';

const thin = { name: 'a', plays: ['a1', wait(50), 'a2'], assess: () => 'thin' as const };
const grid = FACES.flatMap((face) => (['iterable', 'observable'] as const).map((form) => [face, form] as const));

/** A thin stream waits, open, while others are tried: it must not be forgotten. */
describe.each(grid)('a stream that is held (%s, %s)', (face, form) => {
  const open = (plays: readonly unknown[], options = {}) =>
    openStreams(face, { candidates: [thin, { name: 'b', plays }], options, form });
  const closings = (log: readonly string[]) => [...log].filter((line) => line.endsWith('closed')).sort();

  it('is closed when a better one commits', async () => {
    const streams = await open([wait(5), 'b1', stall]);
    const reader = streams.begin();
    await streams.clock.advance(5);
    expect(reader.elements).toEqual(['b1']);
    expect(streams.stage.log).toEqual(['a opened', 'b opened', 'a closed']);
    expect(streams.attempts).toEqual(['a:thin']);
  });

  it('goes on where it stood when nobody does better', async () => {
    const streams = await open([wait(5), fail(down)]);
    const reader = await streams.read(100);
    expect([reader.elements, reader.end]).toEqual([['a1', 'a2'], 'complete']);
    expect(streams.stage.log.filter((line) => line === 'a closed')).toHaveLength(1);
    expect(streams.attempts).toEqual(['a:thin', 'b:transient']);
  });

  it('is closed when the reader leaves, and when the caller aborts', async () => {
    for (const isAborted of [true, false]) {
      const streams = await open([stall]);
      const caller = new AbortController();
      const reader = streams.begin({ signal: caller.signal });
      await streams.clock.advance(5);
      if (isAborted) caller.abort(REASON);
      else reader.leave();
      await settle();
      expect(reader.end).toEqual(isAborted ? { error: REASON } : 'left');
      expect(closings(streams.stage.log)).toEqual(['a closed', 'b closed']);
    }
  });

  it('is closed when another is terminal', async () => {
    const streams = await open([fail(badRequest)]);
    const reader = await streams.read();
    expect(reader.error).toBe(badRequest);
    expect(closings(streams.stage.log)).toEqual(['a closed', 'b closed']);
  });

  it('is served when the deadline is over', async () => {
    const streams = await open([stall], { deadline: 20 });
    const reader = await streams.read(100);
    expect([reader.elements, reader.end]).toEqual([['a1', 'a2'], 'complete']);
    expect(closings(streams.stage.log)).toEqual(['a closed', 'b closed']);
  });
});

describe.each(FACES)('time and forms that meet (%s)', (face: Face) => {
  it('subscribe() that throws after an element: the element, then the error', async () => {
    const rude = {
      pipe: () => {},
      subscribe: (observer: { next(element: unknown): void }) => {
        observer.next('a1');
        throw down;
      },
    };
    const streams = await openStreams(face, {
      candidates: [
        { name: 'a', plays: () => rude },
        { name: 'b', plays: ['b1'] },
      ],
    });
    const reader = await streams.read();
    expect(reader.elements).toEqual(['a1']);
    expect(reader.error).toBe(down);
    expect(streams.attempts).toEqual(['a:transient']);
  });

  it('a timeout that would fall due with the first element: either, but one', async () => {
    const streams = await openStreams(face, {
      candidates: [
        { name: 'a', plays: [wait(15), 'a1', 'a2'] },
        { name: 'b', plays: ['b1'] },
      ],
      options: { timeout: 15 },
    });
    const reader = await streams.read(15);
    const isA = reader.elements[0] === 'a1';
    expect([reader.elements, reader.end]).toEqual([isA ? ['a1', 'a2'] : ['b1'], 'complete']);
    expect(streams.attempts).toEqual(isA ? ['a:ok'] : ['a:timeout', 'b:ok']);
  });

  it('a timeout that is a function', async () => {
    const streams = await openStreams(face, {
      candidates: [
        { name: 'a', plays: [stall], timeout: () => 10 },
        { name: 'b', plays: ['b1', wait(50), 'b2'], timeout: () => undefined },
      ],
    });
    const reader = await streams.read(60);
    expect([reader.elements, reader.end]).toEqual([['b1', 'b2'], 'complete']);
    expect(streams.attempts).toEqual(['a:timeout', 'b:ok']);
  });

  it('each call has an idempotency key of its own', async () => {
    const keys: string[] = [];
    const streams = await openStreams(face, {
      candidates: [{ name: 'a', plays: (ctx) => (keys.push(ctx.idempotencyKey), ['a1']) }],
    });
    await streams.read();
    await streams.read();
    expect(new Set(keys).size).toBe(2);
  });
});

describe.each(['plain functions', 'async iterable'] as const)('%s', (face) => {
  it('idleTimeout: several next() at once wait for the source, one after the other', async () => {
    const streams = await openStreams(face, {
      candidates: [{ name: 'a', plays: ['a1', wait(5), 'a2', stall] }],
      options: { idleTimeout: 10 },
    });
    const stream = streams.stream() as AsyncGenerator;
    await stream.next();
    const [second, third] = [stream.next(), stream.next().catch((error: unknown) => error)];
    await streams.clock.advance(5);
    await expect(second).resolves.toEqual({ value: 'a2', done: false });
    await streams.clock.advance(10);
    await expect(Promise.race([third, settle()])).resolves.toMatchObject({ code: 'ATTEMPT_TIMEOUT' });
  });
});

describe.each(DECORATED)('%s', (face) => {
  it('enabled: false bounds nothing', async () => {
    const streams = await openDecorated(face, {
      candidates: [{ name: 'a', plays: [wait(60), 'a1', wait(60), 'a2'] }],
      options: {
        enabled: () => false,
        timeout: 10,
        deadline: 20,
        idleTimeout: 10,
        streamDeadline: 50,
        accept: () => false,
      },
    });
    const reader = await streams.read(120);
    expect([reader.elements, reader.end]).toEqual([['a1', 'a2'], 'complete']);
    expect(streams.events).toEqual([]);
  });

  it("mark: 'served': a candidate may give envelopes itself", async () => {
    const streams = await openDecorated(face, {
      candidates: [{ name: 'a', plays: [served('a1'), served('a2')] }],
      degraded: { substitute: [], mark: 'served' },
    });
    const reader = await streams.read();
    expect(reader.elements).toMatchObject([
      { value: 'a1', servedBy: 'a' },
      { value: 'a2', servedBy: 'a' },
    ]);
  });

  it('a computed substitute that is a stream itself: marked, and closed when the reader leaves', async () => {
    for (const form of ['iterable', 'observable'] as const) {
      const streams = await openDecorated(face, {
        candidates: [{ name: 'a', plays: [fail(down)] }],
        degraded: {
          substitute: () => streams.stage.source('s', [{ id: 1 }, wait(5), { id: 2 }, stall], form),
          mark: 'property',
        },
      });
      const reader = await streams.read(5, { take: 2 });
      expect(reader.elements).toEqual([
        { id: 1, degraded: true },
        { id: 2, degraded: true },
      ]);
      expect(reader.end).toBe('left');
      expect(streams.stage.log).toEqual(['a opened', 'a closed', 's opened', 's closed']);
    }
  });
});
