import { describe, expect, it } from '@jest/globals';
import { createFallbackChain, fallbackStream } from '../../lib/core/index.js';
import { FallbackConfigurationError } from '../../lib/index.js';
import { FACES, openStreams } from '../support/stream-faces.js';
import { fail, inTurn, wait } from '../support/stream-sources.js';
import { TestClock, settle } from '../support/test-clock.js';
import { down } from './commit-cases.js';

const setup = {
  candidates: [
    { name: 'a', plays: [wait(5), fail(down)] },
    { name: 'b', plays: ['b1', wait(5), 'b2'] },
  ],
  options: { timeout: 1_000, deadline: 5_000, supports: () => true },
};

describe.each(FACES)('%s', (face) => {
  it('F41 nothing runs before the first pull or subscription: no candidate, no timer, no event', async () => {
    const streams = await openStreams(face, setup);
    streams.stream();
    await streams.clock.advance(10_000);
    expect(streams.stage.calls).toEqual({});
    expect(streams.stage.log).toEqual([]);
    expect(streams.clock.timers).toBe(0);
    expect(streams.attempts).toEqual([]);
    expect(streams.events).toEqual([]);
  });

  it('the deadline begins with the first pull, not with the call of the method', async () => {
    const streams = await openStreams(face, { ...setup, options: { deadline: 20 } });
    const stream = streams.stream();
    streams.stream = () => stream;
    await streams.clock.advance(100);
    const reader = await streams.read(10);
    expect(reader.elements).toEqual(['b1', 'b2']);
    expect(reader.end).toBe('complete');
  });

  it('each call of the method is a walk of its own', async () => {
    const streams = await openStreams(face, setup);
    const readers = [streams.begin(), streams.begin()];
    await streams.clock.advance(10);
    expect(readers.map(({ elements }) => elements)).toEqual([
      ['b1', 'b2'],
      ['b1', 'b2'],
    ]);
    expect(streams.stage.calls).toEqual({ a: 2, b: 2 });
  });
});

describe('Observable', () => {
  it('each subscription walks the ladder anew', async () => {
    const streams = await openStreams('Observable', {
      candidates: [
        { name: 'a', plays: inTurn([fail(down)], ['a1'], ['a2', 'a3']) },
        { name: 'b', plays: ['b1'] },
      ],
    });
    const stream = streams.stream();
    streams.stream = () => stream;
    const seen: unknown[][] = [];
    for (let time = 0; time < 3; time++) seen.push([...(await streams.read()).elements]);
    expect(seen).toEqual([['b1'], ['a1'], ['a2', 'a3']]);
    expect(streams.attempts).toEqual(['a:transient', 'b:ok', 'a:ok', 'a:ok']);
  });

  it('two subscriptions at once do not disturb each other: one leaves, the other reads on', async () => {
    const streams = await openStreams('Observable', { candidates: [{ name: 'a', plays: ['a1', wait(5), 'a2'] }] });
    const stream = streams.stream();
    streams.stream = () => stream;
    const one = streams.begin({ take: 1 });
    const other = streams.begin();
    await streams.clock.advance(5);
    expect([one.end, one.elements]).toEqual(['left', ['a1']]);
    expect([other.end, other.elements]).toEqual(['complete', ['a1', 'a2']]);
    expect(streams.stage.calls).toEqual({ a: 2 });
  });
});

describe('async iterable', () => {
  const open = async (): Promise<{ stream: AsyncGenerator; calls: Record<string, number> }> => {
    const streams = await openStreams('async iterable', setup);
    return { stream: streams.stream() as AsyncGenerator, calls: streams.stage.calls };
  };

  it('B17 (e) return() before any next(): nobody is called, and it is over', async () => {
    const { stream, calls } = await open();
    await expect(stream.return(undefined)).resolves.toEqual({ value: undefined, done: true });
    await expect(stream.next()).resolves.toEqual({ value: undefined, done: true });
    expect(calls).toEqual({});
  });

  it('throw() before any next(): the same error, nobody is called, and it is over', async () => {
    const { stream, calls } = await open();
    await expect(stream.throw(down)).rejects.toBe(down);
    await expect(stream.next()).resolves.toEqual({ value: undefined, done: true });
    expect(calls).toEqual({});
  });

  it('after its end it stays at its end', async () => {
    const { fn, clock } = plain();
    const stream = fn();
    const first = stream.next();
    await clock.advance(0);
    await expect(first).resolves.toEqual({ value: 'x', done: false });
    for (let time = 0; time < 3; time++) {
      await expect(stream.next()).resolves.toEqual({ value: undefined, done: true });
    }
    await expect(stream.return()).resolves.toEqual({ value: undefined, done: true });
  });

  it('after an error it is over: the error is thrown once', async () => {
    const stream = fallbackStream([() => Promise.reject(down)], { rethrow: 'last' });
    await expect(stream.next()).rejects.toBe(down);
    await expect(stream.next()).resolves.toEqual({ value: undefined, done: true });
  });
});

function plain() {
  const clock = new TestClock();
  let runs = 0;
  const fn = () =>
    fallbackStream(
      [
        () => {
          runs++;
          return ['x'];
        },
      ],
      { clock },
    );
  return { fn, clock, runs: () => runs };
}

describe('plain functions', () => {
  it('fallbackStream runs nothing before the first next(), and candidates get ctx, then args', async () => {
    const seen: unknown[] = [];
    const stream = fallbackStream<string>(
      [
        (ctx, ...args) => {
          seen.push(ctx.candidate, ...args);
          return ['x', 'y'];
        },
      ],
      { args: [1, 'two'] },
    );
    await settle();
    expect(seen).toEqual([]);
    const elements: string[] = [];
    for await (const element of stream) elements.push(element);
    expect(elements).toEqual(['x', 'y']);
    expect(seen).toEqual(['candidate0', 1, 'two']);
  });

  it('what cannot work is thrown at once', () => {
    expect(() => fallbackStream([])).toThrow(FallbackConfigurationError);
    expect(() => fallbackStream([() => ['x']], { timeout: 0 })).toThrow(FallbackConfigurationError);
    expect(() => fallbackStream([() => ['x']], { idleTimeout: -1 })).toThrow(FallbackConfigurationError);
    expect(() => fallbackStream([() => ['x']], { streamDeadline: NaN })).toThrow(FallbackConfigurationError);
    const chain = createFallbackChain<string>([() => ['x']]);
    expect(() => chain.stream({ timeout: 0 })).toThrow(FallbackConfigurationError);
  });

  it('fallbackStream keeps no memory, stream() of a chain does', async () => {
    const clock = new TestClock();
    const calls: string[] = [];
    const candidates = [
      () => {
        calls.push('a');
        return Promise.reject(down);
      },
      () => ['x'],
    ];
    const options = { clock, breaker: { threshold: 1 } };
    for (let time = 0; time < 2; time++) await fallbackStream<string>(candidates, options).next();
    expect(calls).toEqual(['a', 'a']);
    const chain = createFallbackChain<string>(candidates, options);
    for (let time = 0; time < 2; time++) await chain.stream().next();
    expect(calls).toEqual(['a', 'a', 'a']);
  });
});
