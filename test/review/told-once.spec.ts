/** What was written down stays as it was; what is held can be served; times of events are times of the wall clock. */
import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { FallbackChain } from '../../lib/index.js';
import type { FallbackEvent } from '../../lib/index.js';
import { classifyFailure, createFallbackChain } from '../../lib/core/index.js';
import type { FailureKind } from '../../lib/core/index.js';
import { boot, closeAll } from '../support/apps.js';
import { TestClock } from '../support/test-clock.js';

afterEach(closeAll);

const collect = async (stream: AsyncIterable<unknown>): Promise<unknown[]> => {
  const elements: unknown[] = [];
  for await (const element of stream) elements.push(element);
  return elements;
};

describe('a stream that is held although its kind is a failure', () => {
  it.each<FailureKind>(['rejected', 'transient', 'timeout'])(
    '%s: it is served when nobody does better',
    async (kind) => {
      const chain = createFallbackChain<number>([
        {
          name: 'a',
          async *run() {
            yield 1;
            yield 2;
          },
          assess: () => ({ kind, next: 'hold' }),
        },
        {
          name: 'b',
          run(): never {
            throw new Error('down');
          },
        },
      ]);
      expect(await collect(chain.stream())).toEqual([1, 2]);
    },
  );

  it('its failure stays what it was when its stream fails afterwards', async () => {
    const later = new Error('the connection broke');
    const chain = createFallbackChain<number>(
      [
        {
          name: 'a',
          async *run() {
            yield 1;
            throw later;
          },
          assess: () => ({ kind: 'rejected', next: 'hold' }),
        },
        {
          name: 'b',
          run(ctx: { errors: readonly unknown[] }): never {
            seen.push(ctx);
            throw new Error('down');
          },
        },
      ],
      { clock: new TestClock() },
    );
    const seen: { errors: readonly unknown[] }[] = [];
    await expect(collect(chain.stream())).rejects.toBe(later);
    expect(seen[0]?.errors).toEqual([expect.objectContaining({ name: 'RejectedResultError' }), expect.any(Error)]);
  });
});

describe('errors that only look like somebody else’s', () => {
  const named = (name: string, message: string): Error => new { [name]: class extends Error {} }[name]!(message);

  it.each([
    ['SimpleError', 'GET /rates failed', 'transient'],
    ['SimpleError', 'A server closed the connection', 'transient'],
    ['BlobError', 'HTTP 503 from storage', 'transient'],
    ['SimpleError', 'WRONGTYPE Operation against a key', 'terminal'],
    ['SimpleError', 'LOADING Redis is loading the dataset in memory', 'transient'],
    ['InvalidTimeoutError', 'give a positive number', 'transient'],
  ])('%s: %s', (name, message, kind) => {
    expect(classifyFailure(named(name, message)).kind).toBe(kind);
  });

  it('a timeout that was given wrongly is no timeout', () => {
    expect(classifyFailure(Object.assign(new Error('no'), { code: 'ERR_INVALID_TIMEOUT' })).kind).toBe('terminal');
  });
});

it('events have the time of the wall clock, whole ms, in the order in which they were told', async () => {
  const events: FallbackEvent[] = [];

  @Injectable()
  class Host {
    @FallbackChain([{ name: 'open', method: 'open', on: ['denied'] }, 'other'])
    async read(): Promise<object> {
      throw new Error('down');
    }

    async open(): Promise<object> {
      return {};
    }

    async other(): Promise<object> {
      return {};
    }
  }
  // No other clock gives fractions of a ms beside whole ones.
  const module = await boot({
    providers: [Host],
    fallback: { logger: false, observers: [(event) => events.push(event)] },
  });
  for (let call = 0; call < 20; call++) await module.get(Host).read();

  const times = events.map(({ at }) => at);
  expect(events.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['attempt.settled', 'attempt.skipped', 'call.served']),
  );
  expect(times.filter((at) => !Number.isInteger(at))).toEqual([]);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
});
