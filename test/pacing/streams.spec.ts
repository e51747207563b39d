import { describe, expect, it } from '@jest/globals';
import { FACES, openStreams } from '../support/stream-faces.js';
import type { StreamRung } from '../support/stream-faces.js';
import { FORMS, fail, inTurn, stall, wait } from '../support/stream-sources.js';
import type { Plays } from '../support/stream-sources.js';
import { settle } from '../support/test-clock.js';

const down = new Error('down');
const grid = FACES.flatMap((face) => FORMS.map((form) => [face, form] as const));

describe.each(grid)('streams (%s, %s)', (face, form) => {
  const open = (plays: Plays, own: Partial<StreamRung> = {}, b: Plays = ['b1'], options = {}) =>
    openStreams(face, {
      candidates: [
        { name: 'a', maxConcurrent: 1, ...own, plays },
        { name: 'b', plays: b, form: 'iterable' },
      ],
      options: { breaker: { threshold: Infinity }, ...options },
      form,
    });
  type Streams = Awaited<ReturnType<typeof open>>;

  /** Whether one more call, and no third, gets to a. */
  async function expectOneFree(streams: Streams): Promise<void> {
    await streams.clock.advance(20);
    const before = streams.stage.calls['a'];
    const reader = streams.begin();
    const other = streams.begin();
    await settle();
    expect(streams.stage.calls['a']).toBe(before! + 1);
    expect(other.elements).toEqual(['b1']);
    if (reader.end === 'open') reader.leave();
  }

  it('a stream holds its permit to its end', async () => {
    const streams = await open(['a1', wait(50), 'a2']);
    const first = streams.begin();
    await streams.clock.advance(49);
    expect((await streams.read()).elements).toEqual(['b1']);
    expect(streams.counts('a')).toMatchObject({ saturated: 1 });
    await streams.clock.advance(1);
    expect([first.elements, first.end]).toEqual([['a1', 'a2'], 'complete']);
    await expectOneFree(streams);
  });

  it.each<[string, Plays, Partial<StreamRung>]>([
    ['its source fails after the commit', inTurn(['a1', wait(5), fail(down)], ['a1', stall]), {}],
    ['its source fails before the commit', inTurn([wait(5), fail(down)], ['a1', stall]), {}],
    ['its first element is vetoed', inTurn(['x', stall], ['a1', stall]), { accept: (one) => one !== 'x' }],
    ['it does not commit in time', inTurn([stall], ['a1', stall]), { timeout: 5 }],
    ['it ends without an element', inTurn([], ['a1', stall]), {}],
    ['it ends without an element and that is held', inTurn([], ['a1', stall]), { onEmpty: 'continue' }],
    ['a further try fails too', inTurn([fail(down)], [fail(down)], ['a1', stall]), { retries: 1 }],
  ])('the permit is given back when %s', async (_title, plays, own) => {
    const streams = await open(plays, own);
    await streams.read(2_000);
    await expectOneFree(streams);
  });

  it('further tries have it together', async () => {
    const streams = await open(inTurn([fail(down)], ['a1', stall]), { retries: 1 });
    const reader = streams.begin();
    await streams.clock.advance(100);
    expect(reader.elements).toEqual(['a1']);
    expect((await streams.read()).elements).toEqual(['b1']);
    reader.leave();
    await expectOneFree(streams);
  });

  it('the permit is given back when the reader leaves, before the commit and after it', async () => {
    for (const plays of [[stall], ['a1', stall]]) {
      const streams = await open(plays);
      const reader = streams.begin();
      await streams.clock.advance(5);
      reader.leave();
      await settle();
      await expectOneFree(streams);
    }
  });

  it('the permit is given back when the caller aborts, before the commit and after it', async () => {
    for (const plays of [[stall], ['a1', stall]]) {
      const streams = await open(plays);
      const caller = new AbortController();
      streams.begin({ signal: caller.signal });
      await streams.clock.advance(5);
      caller.abort(new Error('gone'));
      await settle();
      await expectOneFree(streams);
    }
  });

  it('one that is held keeps it until another commits, or until it has been served', async () => {
    const thin = { assess: () => 'thin' as const };
    const better = await open(['a1', stall], thin, ['b1', wait(10)]);
    better.begin();
    await better.clock.advance(10);
    await expectOneFree(better);

    const none = await open(['a1', wait(50), 'a2'], thin, inTurn([wait(10), fail(down)], ['b1']));
    const held = none.begin();
    await none.clock.advance(5);
    expect((await none.read()).elements).toEqual(['b1']);
    expect(none.counts('a')).toMatchObject({ saturated: 1 });
    await none.clock.advance(60);
    expect(held.elements).toEqual(['a1', 'a2']);
    await expectOneFree(none);
  });

  it('F40 streams wait for their slots, before their source is made', async () => {
    const streams = await open(['a1'], { maxConcurrent: Infinity, minInterval: 100, timeout: 50 });
    const readers = [streams.begin(), streams.begin(), streams.begin()];
    await settle();
    expect(streams.stage.calls['a']).toBe(1);
    readers[1]!.leave();
    await streams.clock.advance(200);
    expect(readers.map(({ elements }) => elements)).toEqual([['a1'], [], ['a1']]);
    expect(readers[2]!.took).toBe(200);
    expect(streams.stage.calls['a']).toBe(2);
    expect(streams.clock.refd).toBe(0);
  });
});
