import { describe, expect, it } from '@jest/globals';
import type { Observable } from 'rxjs';
import { DECORATED, openDecorated } from '../support/stream-faces.js';
import type { Streams } from '../support/stream-faces.js';
import { fail, wait } from '../support/stream-sources.js';

const E = new Error('broken in the middle');
const HOUR = 3_600_000;

/** The same returned stream for each reader, where a stream can have several. */
function shared(streams: Streams, isObservable: boolean): void {
  if (!isObservable) return;
  const stream = streams.stream() as Observable<unknown>;
  streams.stream = () => stream;
}

describe.each(DECORATED)('B18: no splicing after commit (%s)', (face) => {
  it.each(['iterable', 'observable', 'generator'] as const)('B18 A breaks after two elements (%s)', async (form) => {
    const streams = await openDecorated(face, {
      candidates: [
        { name: 'A', plays: [1, wait(10), 2, wait(10), fail(E)] },
        { name: 'B', plays: ['b1'] },
      ],
      options: { breaker: { threshold: 1 } },
      degraded: { lastKnownGood: { maxAge: HOUR, collect: 10 }, substitute: ['s'] },
      form,
    });
    shared(streams, face === 'Observable');
    const readers = [streams.begin(), streams.begin()];
    await streams.clock.advance(20);
    for (const reader of readers) {
      expect(reader.elements).toEqual([1, 2]);
      expect(reader.error).toBe(E);
    }
    expect(streams.stage.calls).toEqual({ A: 2 });
    expect(streams.circuits.A).toMatch(/^open /);

    // Nothing was remembered: A is cooling, B fails by hand, and the static one is served.
    streams.started.health.isolate('stream', 'B');
    const reader = await streams.read();
    expect(reader.elements).toEqual(['s']);
    expect(reader.receipt).toMatchObject({ source: 'static' });
  });

  it.each(['iterable', 'observable', 'generator'] as const)(
    'B18 A’s first element comes too late (%s)',
    async (form) => {
      const streams = await openDecorated(face, {
        candidates: [
          { name: 'A', plays: [wait(60), 'late', 'later'] },
          { name: 'B', plays: ['b1', 'b2'] },
        ],
        options: { timeout: 20 },
        form,
      });
      const reader = await streams.read(20);
      expect([reader.elements, reader.end]).toEqual([['b1', 'b2'], 'complete']);
      await streams.clock.advance(100);
      expect(reader.elements).toEqual(['b1', 'b2']);
      expect(streams.stage.log.filter((line) => line === 'A closed')).toHaveLength(1);
    },
  );
});
