import { describe, expect, it } from '@jest/globals';
import { rateLimited } from '../../lib/index.js';
import { DECORATED, FACES, openDecorated, openStreams } from '../support/stream-faces.js';
import { fail, inTurn, stall, wait } from '../support/stream-sources.js';
import { settle } from '../support/test-clock.js';
import { down } from './commit-cases.js';

const breaker = { threshold: 1, cooldown: 1_000 };
const b = { name: 'b', plays: ['b1'] };

describe.each(FACES)('%s', (face) => {
  it('the commit closes a probe at once; the outcome is counted once, at its end', async () => {
    const streams = await openStreams(face, {
      candidates: [{ name: 'a', plays: inTurn([fail(down)], ['a1', wait(50), 'a2']) }, b],
      options: { breaker },
    });
    await streams.read();
    expect(streams.circuits.a).toBe('open 1');
    await streams.clock.advance(1_000);
    expect(streams.circuits.a).toBe('half-open 1');
    streams.begin();
    await streams.clock.advance(10);
    expect(streams.circuits.a).toBe('closed 0');
    expect(streams.counts('a').ok ?? 0).toBe(0);
    await streams.clock.advance(40);
    expect(streams.counts('a')).toMatchObject({ transient: 1, ok: 1 });
  });

  it('a probe under way is the only one; others pass over', async () => {
    const streams = await openStreams(face, {
      candidates: [{ name: 'a', plays: inTurn([fail(down)], [wait(50), 'a1']) }, b],
      options: { breaker },
    });
    await streams.read();
    await streams.clock.advance(1_000);
    const probe = streams.begin();
    await streams.clock.advance(10);
    const other = await streams.read();
    expect(other.elements).toEqual(['b1']);
    await streams.clock.advance(40);
    expect(probe.elements).toEqual(['a1']);
    expect(streams.stage.calls).toEqual({ a: 2, b: 2 });
  });

  it('a reader who leaves before the commit frees the probe', async () => {
    const streams = await openStreams(face, {
      candidates: [{ name: 'a', plays: inTurn([fail(down)], [stall], ['a1']) }, b],
      options: { breaker },
    });
    await streams.read();
    await streams.clock.advance(1_000);
    const probe = streams.begin();
    await streams.clock.advance(10);
    probe.leave();
    await settle();
    expect((await streams.read()).elements).toEqual(['a1']);
    expect(streams.circuits.a).toBe('closed 0');
  });

  it('a failure after a commit that closed the circuit counts toward the new period', async () => {
    const streams = await openStreams(face, {
      candidates: [{ name: 'a', plays: inTurn([fail(down)], ['a1', wait(50), fail(down)]) }, b],
      options: { breaker },
    });
    await streams.read();
    await streams.clock.advance(1_000);
    const reader = await streams.read(50);
    expect(reader.error).toBe(down);
    expect(streams.circuits.a).toMatch(/^open /);
    expect((await streams.read()).elements).toEqual(['b1']);
  });

  it('three streams that break in the middle open the circuit, though each had committed', async () => {
    const streams = await openStreams(face, { candidates: [{ name: 'a', plays: ['a1', fail(down)] }, b] });
    for (let time = 0; time < 3; time++) expect((await streams.read()).error).toBe(down);
    expect(streams.circuits.a).toBe('open 3');
    expect((await streams.read()).elements).toEqual(['b1']);
    expect(streams.counts('a')).toMatchObject({ transient: 3 });
    expect(streams.counts('a').ok ?? 0).toBe(0);
  });

  it('advice after the commit is taken', async () => {
    const slowDown = rateLimited('slow down', { retryAfter: 7_000 });
    const streams = await openStreams(face, { candidates: [{ name: 'a', plays: ['a1', fail(slowDown)] }, b] });
    expect((await streams.read()).error).toBe(slowDown);
    expect(streams.health[0]).toMatchObject({ state: 'open', coolingFor: 7_000 });
  });

  it('a stream that outlived an opening and a closing says nothing about the new period', async () => {
    const streams = await openStreams(face, {
      candidates: [{ name: 'a', plays: inTurn(['a1', wait(2_000), fail(down)], [fail(down)], ['a2']) }, b],
      options: { breaker },
    });
    const old = streams.begin();
    await streams.clock.advance(10);
    await streams.read();
    expect(streams.circuits.a).toBe('open 1');
    await streams.clock.advance(1_000);
    await streams.read();
    expect(streams.circuits.a).toBe('closed 0');
    await streams.clock.advance(1_000);
    expect(old.error).toBe(down);
    expect(streams.circuits.a).toBe('closed 0');
  });

  it('F48 empty never trips a circuit', async () => {
    const streams = await openStreams(face, {
      candidates: [{ name: 'a', plays: [] }, b],
      options: { breaker, onEmpty: 'continue' },
    });
    for (let time = 0; time < 3; time++) expect((await streams.read()).elements).toEqual(['b1']);
    expect(streams.circuits.a).toBe('closed 0');
    expect(streams.counts('a')).toMatchObject({ empty: 3 });
  });

  it('a candidate that is cooling is passed over', async () => {
    const streams = await openStreams(face, {
      candidates: [{ name: 'a', plays: [fail(down)] }, b],
      options: { breaker },
    });
    for (let time = 0; time < 2; time++) await streams.read();
    expect(streams.stage.calls).toEqual({ a: 1, b: 2 });
  });

  it('gates: what b does not answer is thrown as it is', async () => {
    const streams = await openStreams(face, {
      candidates: [
        { name: 'a', plays: [fail(down)] },
        { ...b, on: ['timeout'] },
      ],
    });
    expect((await streams.read()).error).toBe(down);
    expect(streams.stage.calls).toEqual({ a: 1 });
  });

  it('retries, before the first element only: one attempt, one count', async () => {
    const streams = await openStreams(face, {
      candidates: [{ name: 'a', plays: inTurn([fail(down)], [fail(down)], ['a1', fail(down)]), retries: 5 }, b],
    });
    const reader = streams.begin();
    await streams.clock.advance(1_000);
    expect(reader.elements).toEqual(['a1']);
    expect(reader.error).toBe(down);
    expect(streams.stage.calls).toEqual({ a: 3 });
    expect(streams.stage.log).toEqual(['a opened', 'a closed', 'a opened', 'a closed', 'a opened', 'a closed']);
    expect(streams.attempts).toEqual(['a:transient']);
    expect(streams.circuits.a).toBe('closed 1');
  });
});

describe.each(DECORATED)('%s', (face) => {
  it('order of what is told when a probe commits: the circuit closes with the commit', async () => {
    const streams = await openDecorated(face, {
      candidates: [{ name: 'a', plays: inTurn([fail(down)], ['a1', wait(50), 'a2']) }, b],
      options: { breaker },
    });
    await streams.read();
    await streams.clock.advance(1_000);
    streams.events.length = 0;
    streams.begin();
    await streams.clock.advance(10);
    const names = streams.events.map(({ name }) => name);
    expect(names.filter((name) => name === 'circuit.closed')).toHaveLength(1);
    expect(names.filter((name) => name === 'stream.committed')).toHaveLength(1);
    expect(names).not.toContain('attempt.settled');
    await streams.clock.advance(40);
    expect(streams.events.filter(({ name }) => name === 'circuit.closed')).toHaveLength(1);
  });
});
