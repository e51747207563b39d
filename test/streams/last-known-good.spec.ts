import { describe, expect, it } from '@jest/globals';
import type { DegradedOptions } from '../../lib/index.js';
import { DECORATED, openDecorated } from '../support/stream-faces.js';
import type { StreamRung } from '../support/stream-faces.js';
import { fail, inTurn, wait } from '../support/stream-sources.js';
import type { Plays } from '../support/stream-sources.js';
import { down } from './commit-cases.js';

const HOUR = 3_600_000;
const collecting = (collect?: number, more: Partial<DegradedOptions> = {}): DegradedOptions => ({
  lastKnownGood: collect === undefined ? { maxAge: HOUR } : { maxAge: HOUR, collect },
  ...more,
});

describe.each(DECORATED)('%s', (face) => {
  const open = (plays: Plays, degraded: DegradedOptions, rest: readonly StreamRung[] = []) =>
    openDecorated(face, { candidates: [{ name: 'a', plays }, ...rest], degraded, options: { whenOpen: 'ignore' } });

  it('collect: the elements of a stream that ended well are replayed in order, marked', async () => {
    const streams = await open(inTurn(['a1', wait(5), 'a2', 'a3'], [fail(down)]), collecting(3));
    await streams.read(5);
    await streams.clock.advance(12_000);
    const reader = await streams.read();
    expect([reader.elements, reader.end]).toEqual([['a1', 'a2', 'a3'], 'complete']);
    expect(reader.receipt).toMatchObject({ source: 'last-known-good', degraded: true, servedBy: null, age: 12_000 });
    expect(streams.events.at(-1)).toMatchObject({ name: 'call.served', source: 'last-known-good', degraded: true });
  });

  it('marked element by element', async () => {
    const streams = await open(inTurn([{ id: 1 }, { id: 2 }], [fail(down)]), collecting(3, { mark: 'property' }));
    const healthy = await streams.read();
    expect(healthy.elements).toEqual([{ id: 1 }, { id: 2 }]);
    const reader = await streams.read();
    expect(reader.elements).toEqual([
      { id: 1, degraded: true },
      { id: 2, degraded: true },
    ]);
  });

  it('falsy elements too', async () => {
    const elements = [undefined, null, 0, '', false];
    const streams = await open(inTurn(elements, [fail(down)]), collecting(5));
    await streams.read();
    expect((await streams.read()).elements).toEqual(elements);
  });

  it('a snapshot: what a reader does to an element is not replayed', async () => {
    const streams = await open(inTurn([{ tags: ['x'] }], [fail(down)]), collecting(3));
    const [element] = (await streams.read()).elements as { tags: string[] }[];
    element!.tags.push('changed');
    expect((await streams.read()).elements).toEqual([{ tags: ['x'] }]);
  });

  const notStored: readonly (readonly [string, Plays, DegradedOptions, number])[] = [
    ['more elements than collect', inTurn(['a1', 'a2', 'a3'], [fail(down)]), collecting(2), Infinity],
    ['no collect', inTurn(['a1'], [fail(down)]), collecting(), Infinity],
    ['B18 a stream that broke', inTurn(['a1', fail(down)], [fail(down)]), collecting(3), Infinity],
    ['a reader who left', inTurn(['a1', 'a2'], [fail(down)]), collecting(3), 1],
    ['a reader who left on what happened to be the last', inTurn(['a1'], [fail(down)]), collecting(3), 1],
  ];
  it.each(notStored)('not stored: %s', async (_what, plays, degraded, take) => {
    const streams = await open(plays, { ...degraded, substitute: ['s1'] });
    const first = await streams.read(0, { take });
    expect(first.elements[0]).toBe('a1');
    const reader = await streams.read();
    expect(reader.elements).toEqual(['s1']);
    expect(reader.receipt).toMatchObject({ source: 'static' });
  });

  it('not stored: the elements of a candidate declared degraded, nor of a substitute', async () => {
    const streams = await open([fail(down)], collecting(3, { substitute: ['s1'] }), [
      { name: 'b', plays: inTurn(['b1'], [fail(down)]), degraded: true },
    ]);
    expect((await streams.read()).elements).toEqual(['b1']);
    expect((await streams.read()).elements).toEqual(['s1']);
    expect((await streams.read()).receipt).toMatchObject({ source: 'static' });
  });

  it('the answer of another candidate is stored', async () => {
    const streams = await open([fail(down)], collecting(3), [{ name: 'b', plays: inTurn(['b1', 'b2'], [fail(down)]) }]);
    await streams.read();
    const reader = await streams.read();
    expect(reader.elements).toEqual(['b1', 'b2']);
    expect(reader.receipt).toMatchObject({ source: 'last-known-good' });
  });

  it('a clean stream without elements is a last known good one: nothing, then complete', async () => {
    const streams = await open(inTurn([], [fail(down)]), collecting(3, { substitute: ['s1'] }));
    await streams.read();
    const reader = await streams.read();
    expect([reader.elements, reader.end]).toEqual([[], 'complete']);
    expect(reader.receipt).toMatchObject({ source: 'last-known-good', degraded: true });
  });

  it('F51 maxAge is a hard bound', async () => {
    const streams = await open(inTurn(['a1'], [fail(down)]), collecting(3, { substitute: ['s1'] }));
    await streams.read();
    await streams.clock.advance(HOUR);
    expect((await streams.read()).elements).toEqual(['a1']);
    await streams.clock.advance(1);
    expect((await streams.read()).elements).toEqual(['s1']);
  });

  it('B18 nor is it served after the commit', async () => {
    const streams = await open(inTurn(['a1', 'a2'], ['x1', fail(down)]), collecting(3));
    await streams.read();
    const reader = await streams.read();
    expect(reader.elements).toEqual(['x1']);
    expect(reader.error).toBe(down);
  });

  it('a snapshot of each element is taken as it passes, not at the end', async () => {
    const streams = await open(inTurn([{ tags: ['x'] }, wait(5), { tags: ['y'] }], [fail(down)]), collecting(3));
    const reader = streams.begin();
    await streams.clock.advance(1);
    (reader.elements[0] as { tags: string[] }).tags.push('changed');
    await streams.clock.advance(4);
    expect(reader.end).toBe('complete');
    expect((await streams.read()).elements).toEqual([{ tags: ['x'] }, { tags: ['y'] }]);
  });

  it('polite elements belong to it, and count', async () => {
    const plays = inTurn(['', 'Hel', 'lo'], [fail(down)]);
    for (const [collect, elements] of [
      [3, ['', 'Hel', 'lo']],
      [2, ['s1']],
    ] as const) {
      const streams = await openDecorated(face, {
        candidates: [{ name: 'a', plays }],
        options: { commitWhen: (element) => element !== '' },
        degraded: collecting(collect, { substitute: ['s1'] }),
      });
      await streams.read();
      expect((await streams.read()).elements).toEqual(elements);
    }
  });

  it('an element that cannot be kept: nothing is stored, one event', async () => {
    class Money {
      #amount = 7;
      get amount(): number {
        return this.#amount;
      }
    }
    const streams = await open(inTurn([{ id: 1 }, new Money()], [fail(down)]), collecting(3, { substitute: ['s1'] }));
    await streams.read();
    expect((await streams.read()).elements).toEqual(['s1']);
    expect(streams.events.filter(({ name }) => name === 'value.not-stored')).toHaveLength(1);
  });

  it('maxBytes bounds all of it', async () => {
    const text = 'x'.repeat(60);
    const streams = await open(inTurn([text, text], [fail(down)]), {
      lastKnownGood: { maxAge: HOUR, collect: 5, maxBytes: 100 },
      substitute: ['s1'],
    });
    await streams.read();
    expect((await streams.read()).elements).toEqual(['s1']);
  });
});
