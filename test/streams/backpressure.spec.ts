import { describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import { openStreams } from '../support/stream-faces.js';
import type { StreamSetup } from '../support/stream-faces.js';
import { fail, wait } from '../support/stream-sources.js';
import { settle } from '../support/test-clock.js';
import { down } from './commit-cases.js';

describe.each(['plain functions', 'async iterable'] as const)('%s', (face) => {
  const open = async (setup: StreamSetup) => {
    const streams = await openStreams(face, setup);
    return { streams, stream: streams.stream() as AsyncGenerator };
  };

  it('a slow reader: next() of the source is never called ahead', async () => {
    const { streams, stream } = await open({ candidates: [{ name: 'a', plays: ['a1', 'a2', 'a3'] }] });
    for (let nth = 1; nth <= 3; nth++) {
      await expect(stream.next()).resolves.toEqual({ value: `a${nth}`, done: false });
      await streams.clock.advance(1_000);
      expect(streams.stage.pulls.a).toBe(nth);
    }
    await expect(stream.next()).resolves.toEqual({ value: undefined, done: true });
    expect(streams.stage.pulls.a).toBe(4);
  });

  it.each(['iterator', 'generator', 'web'] as const)('nor of any other that is pulled: %s', async (form) => {
    const { streams, stream } = await open({ candidates: [{ name: 'a', plays: ['a1', 'a2', fail(down)], form }] });
    await stream.next();
    await streams.clock.advance(1_000);
    await expect(stream.next()).resolves.toEqual({ value: 'a2', done: false });
    await streams.clock.advance(1_000);
    // It has not been asked for its third word.
    expect(streams.stage.log).toEqual(['a opened']);
    await expect(stream.next()).rejects.toBe(down);
  });

  it('elements that are held back are pulled one by one, and then given without a pull', async () => {
    const { streams, stream } = await open({
      candidates: [{ name: 'a', plays: ['', '', 'Hel', 'lo'] }],
      options: { commitWhen: (element) => element !== '' },
    });
    await expect(stream.next()).resolves.toEqual({ value: '', done: false });
    await streams.clock.advance(1_000);
    expect(streams.stage.pulls.a).toBe(3);
    await stream.next();
    await stream.next();
    expect(streams.stage.pulls.a).toBe(3);
    await expect(stream.next()).resolves.toEqual({ value: 'lo', done: false });
    expect(streams.stage.pulls.a).toBe(4);
  });

  it('while accept takes its time nothing is pulled', async () => {
    const { streams, stream } = await open({
      candidates: [{ name: 'a', plays: ['a1', 'a2'], accept: () => streams.clock.sleep(10).then(() => true) }],
    });
    const first = stream.next();
    await streams.clock.advance(5);
    expect(streams.stage.pulls.a).toBe(1);
    await streams.clock.advance(5);
    await expect(first).resolves.toEqual({ value: 'a1', done: false });
    expect(streams.stage.pulls.a).toBe(1);
  });

  it('several next() at once are answered in order, one pull at a time', async () => {
    const { streams, stream } = await open({ candidates: [{ name: 'a', plays: [wait(5), 'a1', wait(5), 'a2'] }] });
    const results = [stream.next(), stream.next(), stream.next(), stream.next()];
    await streams.clock.advance(5);
    expect(streams.stage.pulls.a).toBe(2);
    await streams.clock.advance(5);
    await expect(Promise.all(results)).resolves.toEqual([
      { value: 'a1', done: false },
      { value: 'a2', done: false },
      { value: undefined, done: true },
      { value: undefined, done: true },
    ]);
  });

  it('B17 (b) return() settles every next() under way', async () => {
    const { streams, stream } = await open({ candidates: [{ name: 'a', plays: ['a1', wait(60), 'late'] }] });
    await stream.next();
    const pending = [stream.next(), stream.next()];
    await streams.clock.advance(5);
    await expect(stream.return(undefined)).resolves.toEqual({ value: undefined, done: true });
    await expect(Promise.all(pending)).resolves.toEqual([
      { value: undefined, done: true },
      { value: undefined, done: true },
    ]);
    expect(streams.stage.log).toEqual(['a opened', 'a closed']);
  });

  it('throw() closes the source and rejects with the same error', async () => {
    const { streams, stream } = await open({ candidates: [{ name: 'a', plays: ['a1', 'a2'] }] });
    await stream.next();
    await expect(stream.throw(down)).rejects.toBe(down);
    expect(streams.stage.log).toEqual(['a opened', 'a closed']);
    expect(streams.attempts).toEqual(['a:ok']);
    expect(streams.circuits.a).toBe('closed 0');
    await expect(stream.next()).resolves.toEqual({ value: undefined, done: true });
  });

  it('throw() in silence before the first element reaches the source at once', async () => {
    const { streams, stream } = await open({
      candidates: [
        { name: 'a', plays: [wait(60), 'late'] },
        { name: 'b', plays: ['b1'] },
      ],
    });
    const pending = stream.next();
    await streams.clock.advance(5);
    await expect(stream.throw(down)).rejects.toBe(down);
    await expect(pending).resolves.toEqual({ value: undefined, done: true });
    expect(streams.stage.log).toEqual(['a opened', 'a closed']);
    expect(streams.stage.calls).toEqual({ a: 1 });
  });

  it('a second return() is harmless', async () => {
    const { streams, stream } = await open({ candidates: [{ name: 'a', plays: ['a1', 'a2'] }] });
    await stream.next();
    await Promise.all([stream.return(undefined), stream.return(undefined)]);
    expect(streams.stage.log).toEqual(['a opened', 'a closed']);
  });

  it('a reader that takes its time is no silence of the source', async () => {
    const { streams, stream } = await open({
      candidates: [{ name: 'a', plays: ['a1', wait(5), 'a2'] }],
      options: { idleTimeout: 10 },
    });
    await stream.next();
    await streams.clock.advance(1_000);
    const second = stream.next();
    await streams.clock.advance(5);
    await expect(second).resolves.toEqual({ value: 'a2', done: false });
  });

  it('what is pushed is kept in order for a slow reader, to its end', async () => {
    const subject = new Subject<string>();
    const { stream } = await open({ candidates: [{ name: 'a', plays: () => subject }] });
    const first = stream.next();
    await settle();
    for (const element of ['x', 'y', 'z']) subject.next(element);
    subject.error(down);
    await expect(first).resolves.toEqual({ value: 'x', done: false });
    await settle();
    await expect(stream.next()).resolves.toEqual({ value: 'y', done: false });
    await expect(stream.next()).resolves.toEqual({ value: 'z', done: false });
    await expect(stream.next()).rejects.toBe(down);
    await expect(stream.next()).resolves.toEqual({ value: undefined, done: true });
  });
});

describe('Observable', () => {
  it('a source that is pulled is read as fast as it gives', async () => {
    const streams = await openStreams('Observable', { candidates: [{ name: 'a', plays: ['a1', 'a2', 'a3'] }] });
    const reader = await streams.read();
    expect(reader.elements).toEqual(['a1', 'a2', 'a3']);
    expect(streams.stage.pulls.a).toBe(4);
  });
});
