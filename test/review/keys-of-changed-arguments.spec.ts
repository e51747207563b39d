/** F51, B20: whose value it is, is known when the call begins. What becomes of its arguments later is no business of the key. */
import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { AttemptSignal, Degraded, FallbackChain } from '../../lib/index.js';
import type { DegradedOptions } from '../../lib/index.js';
import { boot, closeAll } from '../support/apps.js';
import { TestClock } from '../support/test-clock.js';

interface Query {
  page: number;
  limit?: number;
}

afterEach(closeAll);

const keyed: DegradedOptions['lastKnownGood'] = { maxAge: '1h', key: ({ page }: Query) => page };

/** A host that reads pages until it is down. */
async function pages(lastKnownGood: NonNullable<DegradedOptions['lastKnownGood']>, timeout = Infinity) {
  const clock = new TestClock();
  const state = { isDown: false, takes: 10 };

  @Injectable()
  class Host {
    @FallbackChain([], { name: 'pages', timeout, breaker: { threshold: 1, cooldown: '1h' }, whenOpen: 'skip' })
    @Degraded({ lastKnownGood, mark: 'receipt' })
    async read(query: Query): Promise<string> {
      query.limit ??= 20;
      if (state.isDown) throw new Error('down');
      const { page } = query;
      await clock.sleep(state.takes);
      return `page ${page}`;
    }
  }
  const module = await boot({ providers: [Host], fallback: { clock, logger: false } });
  return { host: module.get(Host), clock, state };
}

const outcome = (read: Promise<string>): Promise<string> => read.catch(() => 'nothing');

describe.each([
  ['by the arguments', { maxAge: '1h' } as const],
  ['by a key function', keyed],
])('last known good %s', (_how, lastKnownGood) => {
  it('a caller that changes its argument meanwhile: kept for what was asked, and for nobody else', async () => {
    const { host, clock, state } = await pages(lastKnownGood);
    const query = { page: 1 };
    const read = host.read(query);
    query.page = 2;
    await clock.advance(10);
    expect(await read).toBe('page 1');

    state.isDown = true;
    expect(await outcome(host.read({ page: 2 }))).toBe('nothing');
    expect(await outcome(host.read({ page: 1 }))).toBe('page 1');
  });

  it('a late answer too', async () => {
    const { host, clock, state } = await pages(lastKnownGood, 5);
    const query = { page: 1 };
    const read = outcome(host.read(query));
    await clock.advance(5);
    expect(await read).toBe('nothing');
    query.page = 2;
    await clock.advance(5);

    state.isDown = true;
    expect(await outcome(host.read({ page: 2 }))).toBe('nothing');
    expect(await outcome(host.read({ page: 1 }))).toBe('page 1');
  });

  it('a candidate that completes its argument: found again, also where it is passed over', async () => {
    const { host, clock, state } = await pages(lastKnownGood);
    const read = host.read({ page: 1 });
    await clock.advance(10);
    expect(await read).toBe('page 1');

    state.isDown = true;
    expect(await outcome(host.read({ page: 1 }))).toBe('page 1');
    expect(await outcome(host.read({ page: 1 }))).toBe('page 1');
  });
});

it('a key function is asked once for a call, and not for one that its caller has given up before', async () => {
  const asked: string[] = [];
  const key = (id: string): string => {
    asked.push(id);
    return id;
  };

  @Injectable()
  class Host {
    @FallbackChain([], { timeout: '1s' })
    @Degraded({ lastKnownGood: { maxAge: '1h', key }, mark: 'receipt' })
    async read(id: string, @AttemptSignal() _signal?: AbortSignal): Promise<string> {
      if (id === 'down') throw new Error('down');
      return id;
    }
  }
  const module = await boot({ providers: [Host], fallback: { logger: false } });
  const host = module.get(Host);
  await host.read('a');
  await outcome(host.read('down'));
  await outcome(host.read('b', AbortSignal.abort()));
  expect(asked).toEqual(['a', 'down']);
});
