import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Observable, range } from 'rxjs';
import { Degraded, FallbackChain, FallbackExhaustedError, createFallbackChain } from '../../lib/index.js';
import type { FallbackEvent } from '../../lib/index.js';
import { boot, closeAll } from '../support/apps.js';
import { TestClock, settle } from '../support/test-clock.js';

afterEach(closeAll);

const all = async (stream: AsyncIterable<unknown>): Promise<unknown[]> => {
  const seen: unknown[] = [];
  for await (const element of stream) seen.push(element);
  return seen;
};

describe('sources', () => {
  it('a generator that is not asynchronous may give promises', async () => {
    const down = () => Promise.reject(new Error('down'));
    const failing = createFallbackChain<string>([
      function* () {
        yield down();
      } as never,
      () => ['spare'],
    ]);
    expect(await all(failing.stream())).toEqual(['spare']);
  });

  it('a result that is a thenable and settles twice is heard once', async () => {
    let place = 0;
    class Twice {
      // oxlint-disable-next-line unicorn/no-thenable -- that is what is tested
      then(resolve: (result: unknown) => void) {
        place++;
        resolve(place > 2 ? { done: true } : { done: false, value: place });
        resolve({ done: false, value: 'again' });
      }
    }
    const source = { next: () => new Twice() };
    expect(await all(createFallbackChain<unknown>([() => source as never]).stream())).toEqual([1, 2]);
  });

  it('a hundred thousand elements that came at once are read one by one, in a time that grows with their number', async () => {
    const pushed = createFallbackChain<number>([() => range(0, 100_000)]);
    let sum = 0;
    for await (const element of pushed.stream()) sum += element;
    expect(sum).toBe((99_999 * 100_000) / 2);
  });
});

/** What a substitute gives, as a stream of its own. */
const substitutes = {
  list: () => [Promise.resolve({ n: 1 }), { n: 2 }],
  async *generator() {
    yield { n: 1 };
    yield { n: 2 };
  },
  observable: () =>
    new Observable((subscriber) => {
      subscriber.next({ n: 1 });
      subscriber.next({ n: 2 });
      subscriber.complete();
    }),
  *endless() {
    for (let n = 1; ; n++) yield { n };
  },
  breaksFirst: () => ({
    *[Symbol.iterator]() {
      yield* [];
      throw new Error('the substitute is down');
    },
  }),
  async *hangs() {
    await new Promise(() => {});
    yield { n: 1 };
  },
  async *stalls() {
    yield { n: 1 };
    await new Promise(() => {});
  },
  async *unmarkable() {
    yield { n: 1 };
    yield 5;
  },
};

async function served(name: keyof typeof substitutes, options = {}) {
  const clock = new TestClock();
  const events: FallbackEvent[] = [];
  const substitute = substitutes[name] as () => unknown;

  @Injectable()
  class Host {
    @FallbackChain([], { name: 'chain', ...options })
    @Degraded({ substitute })
    async *read(): AsyncGenerator<{ n: number; degraded?: boolean }> {
      yield* [];
      throw new Error('down');
    }
  }
  const app = await boot({ providers: [Host], fallback: { clock, observers: [(event) => void events.push(event)] } });
  const names = () => events.map((event) => event.name);
  return { clock, names, stream: app.get(Host).read() };
}

describe('a substitute that is a stream', () => {
  it.each(['list', 'generator', 'observable'] as const)('%s: every element is marked', async (name) => {
    const { stream, names } = await served(name);
    expect(await all(stream)).toEqual([
      { n: 1, degraded: true },
      { n: 2, degraded: true },
    ]);
    expect(names()).toContain('call.served');
  });

  it('one without an end is read as far as its reader goes', async () => {
    const { stream } = await served('endless');
    const { value } = await stream.next();
    expect(value).toEqual({ n: 1, degraded: true });
    await stream.return(undefined);
  });

  it('one that fails before its first element is a substitute that failed', async () => {
    const { stream, names } = await served('breaksFirst');
    await expect(stream.next()).rejects.toBeInstanceOf(FallbackExhaustedError);
    expect(names()).toEqual(['attempt.settled', 'hook.failed', 'call.exhausted']);
  });

  it('its first element comes within the deadline, or it does not serve', async () => {
    const { stream, clock, names } = await served('hangs', { deadline: 80 });
    const first = stream.next();
    first.catch(() => {});
    await clock.advance(80);
    await expect(first).rejects.toBeInstanceOf(FallbackExhaustedError);
    expect(names()).not.toContain('call.served');
  });

  it.each([{ idleTimeout: 40 }, { streamDeadline: 60 }])('%j bounds it from then on', async (options) => {
    const { stream, clock } = await served('stalls', options);
    expect((await stream.next()).value).toMatchObject({ n: 1 });
    const second = stream.next();
    second.catch(() => {});
    await clock.advance(60);
    await expect(second).rejects.toThrow(/40 ms|60 ms/);
  });

  it('an element that cannot carry its mark ends it, with one event', async () => {
    const { stream, names } = await served('unmarkable');
    expect((await stream.next()).value).toMatchObject({ n: 1 });
    await expect(stream.next()).rejects.toThrow('cannot carry its mark');
    expect(names().filter((name) => name === 'substitute.unmarkable')).toHaveLength(1);
  });

  it('a reader who leaves while the first element is waited for closes it', async () => {
    const { stream, names } = await served('hangs');
    const first = stream.next();
    await settle();
    await stream.return(undefined);
    expect(await first).toEqual({ done: true, value: undefined });
    await settle();
    expect(names()).toContain('call.stopped');
  });
});
