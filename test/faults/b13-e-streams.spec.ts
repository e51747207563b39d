import { describe, expect, it } from '@jest/globals';
import { FallbackExhaustedError } from '../../lib/index.js';
import { DECORATED, FACES, openStreams } from '../support/stream-faces.js';
import { fail, inTurn } from '../support/stream-sources.js';

const [downA, downB] = [new Error('A is down'), new Error('B is down')];
const breaker = { threshold: 1, cooldown: 60_000, factor: 1 };
const once = ['A opened', 'A closed', 'B opened', 'B closed'];
const forms = ['iterable', 'observable'] as const;

describe.each(FACES.flatMap((face) => forms.map((form) => [face, form] as const)))(
  'B13: everything is cooling, or everything fails (%s, %s)',
  (face, form) => {
    const open = (b = inTurn([fail(downB)])) =>
      openStreams(face, {
        candidates: [
          { name: 'A', plays: [fail(downA)] },
          { name: 'B', plays: b },
        ],
        options: { breaker },
        form,
      });

    it('B13 (e) both fail before the commit, twice: each is invoked once per call and torn down once', async () => {
      const streams = await open();
      const first = (await streams.read()).error as FallbackExhaustedError;
      expect(first).toBeInstanceOf(FallbackExhaustedError);
      expect(first.failures()).toEqual([
        { candidate: 'A', error: downA },
        { candidate: 'B', error: downB },
      ]);
      expect(streams.circuits).toEqual({ A: 'open 1', B: 'open 1' });
      expect(streams.stage.log).toEqual(once);

      await streams.clock.advance(1_000);
      const second = (await streams.read()).error as FallbackExhaustedError;
      expect(second.failures().map(({ candidate }) => candidate)).toEqual(['A', 'B']);
      expect(second.attempts.map(({ candidate, kind }) => `${candidate}:${kind}`)).toEqual([
        'A:transient',
        'B:transient',
      ]);
      expect(streams.stage.calls).toEqual({ A: 2, B: 2 });
      expect(streams.stage.log).toEqual([...once, ...once]);
    });

    it('B13 (b) for streams: B is well again, and answers though it is cooling', async () => {
      const streams = await open(inTurn([fail(downB)], ['b1']));
      await streams.read();
      await streams.clock.advance(1_000);
      const reader = await streams.read();
      expect([reader.elements, reader.end]).toEqual([['b1'], 'complete']);
      expect(streams.stage.calls).toEqual({ A: 2, B: 2 });
      expect(streams.circuits.B).toBe('closed 0');
    });
  },
);

it.each(DECORATED)(
  'B13 (d) for streams: with a substitute nobody runs, and it is served at once (%s)',
  async (face) => {
    const streams = await openStreams(face, {
      candidates: [
        { name: 'A', plays: [fail(downA)] },
        { name: 'B', plays: [fail(downB)] },
      ],
      options: { breaker },
      degraded: { substitute: ['s'] },
    });
    await streams.read();
    await streams.clock.advance(1_000);
    const reader = await streams.read();
    expect([reader.elements, reader.end]).toEqual([['s'], 'complete']);
    expect(streams.stage.calls).toEqual({ A: 1, B: 1 });
    expect(reader.receipt).toMatchObject({ source: 'static', reason: 'cooling' });
  },
);
