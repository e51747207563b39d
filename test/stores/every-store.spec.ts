/** B19-B21, B27, F50 and F51 against every store that is supported; the cases in full, with the default, stand in test/faults and test/behaviour. */
import { Injectable } from '@nestjs/common';
import type { TestingModule } from '@nestjs/testing';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Degraded, Fallback, FallbackService } from '../../lib/index.js';
import type { FallbackEvent, Receipt } from '../../lib/index.js';
import { boot, closeAll } from '../support/apps.js';
import { LOCAL_STORES, REDIS_STORES, Watched } from '../support/every-store.js';
import type { Hurdle } from '../support/every-store.js';
import { describeWithRedis, startRedis } from '../support/redis-server.js';
import { unhandledDuring } from '../support/rejections.js';
import { TestClock } from '../support/test-clock.js';

const down = (): never => {
  throw new Error('down');
};

@Injectable()
class Shop {
  a: (question: unknown) => unknown = () => ({ items: ['i'], at: new Date(0), size: 7n });
  b: () => unknown = down;

  @Fallback(
    {
      method: 'fromB',
      assess: (value: unknown) => (value === 'thin' ? 'thin' : undefined),
      accept: (value: unknown) => value !== 'vetoed',
    },
    { breaker: { threshold: 1_000_000 } },
  )
  @Degraded({ lastKnownGood: { maxAge: 60_000 }, substitute: 'static', mark: 'receipt' })
  async find(question: unknown): Promise<any> {
    return this.a(question);
  }

  async fromB(): Promise<unknown> {
    return this.b();
  }

  @Degraded({ lastKnownGood: { maxAge: 60_000, key: (user: any) => user }, mark: 'receipt' })
  async mine(user: unknown): Promise<any> {
    return this.a(user);
  }
}

type Opened = { readonly store: Watched | undefined; close(): unknown };

function cases(open: () => Opened | Promise<Opened>, isMemory = false): void {
  let opened: Opened;
  let app: TestingModule;
  let shop: Shop;
  let clock: TestClock;
  let events: FallbackEvent[];

  beforeEach(async () => {
    opened = await open();
    clock = new TestClock();
    events = [];
    const observers = [(event: FallbackEvent) => void events.push(event)];
    const { store } = opened;
    const options = { clock, observers, storeTimeout: 100, ...(store !== undefined && { valueStore: store }) };
    app = await boot({ providers: [Shop], fallback: options });
    shop = app.get(Shop);
  });

  afterEach(async () => {
    await closeAll();
    await opened.close();
  });

  /** A whole call, and what its store still had to do. */
  const ask = async (
    call: () => Promise<any> = () => shop.find('u-1'),
  ): Promise<{ value: any; receipt: Receipt | undefined }> => {
    const asked = await app
      .get(FallbackService)
      .withReceipt(() => call().catch((error: { code: string }) => error.code));
    await opened.store?.isIdle();
    return asked;
  };
  const named = (name: string): FallbackEvent[] => events.filter((event) => event.name === name);
  const stale = (age: number) => ({ source: 'last-known-good', degraded: true, age });

  it('F50 fresh, then the same and marked, and somebody else gets the static default', async () => {
    const fresh = await ask();
    expect(fresh.receipt).toMatchObject({ source: 'candidate', degraded: false });
    shop.a = down;
    await clock.advance(5_000);
    const served = await ask();
    expect(served.value).toStrictEqual(fresh.value);
    expect(served.receipt).toMatchObject(stale(5_000));
    expect(await ask(() => shop.find('u-2'))).toMatchObject({
      value: 'static',
      receipt: { source: 'static', degraded: true },
    });
    expect(named('call.served').filter(({ degraded }) => degraded)).toHaveLength(2);
  });

  it('F51 as old as maxAge is served, a moment more is a miss', async () => {
    await ask();
    shop.a = down;
    await clock.advance(60_000);
    expect((await ask()).receipt).toMatchObject(stale(60_000));
    await clock.advance(1);
    expect((await ask()).value).toBe('static');
  });

  it('F51 B27 what is degraded, vetoed or a substitute is never kept, and serving renews nothing', async () => {
    shop.a = () => 'v1';
    await ask();
    shop.a = down;
    await clock.advance(45_000);
    shop.b = () => 'thin';
    expect((await ask()).value).toBe('thin');
    shop.b = () => 'vetoed';
    expect(await ask()).toMatchObject({ value: 'v1', receipt: stale(45_000) });
    shop.b = down;
    await clock.advance(14_999);
    expect(await ask()).toMatchObject({ value: 'v1', receipt: stale(59_999) });
    await clock.advance(2);
    for (let turn = 0; turn < 2; turn++) expect((await ask()).value).toBe('static');
    shop.a = () => 'v2';
    expect(await ask()).toMatchObject({ value: 'v2', receipt: { degraded: false } });
    shop.a = down;
    await clock.advance(10_000);
    expect(await ask()).toMatchObject({ value: 'v2', receipt: stale(10_000) });
  });

  it('B20 F51 everybody gets his own, whatever the keys look like', async () => {
    shop.a = (user) => `page of ${JSON.stringify(user)}`;
    const users: unknown[] = ['Ann', ['a:b', 'c'], ['a', 'b:c'], 7, '7', [7], 'ann', '{"a":1}', true, 'true'];
    for (const user of users) await ask(() => shop.mine(user));
    const nobody = [undefined, null, '', NaN, [], ['']];
    for (const user of nobody) await ask(() => shop.mine(user));
    shop.a = down;
    for (const user of users) expect((await ask(() => shop.mine(user))).value).toBe(`page of ${JSON.stringify(user)}`);
    for (const user of [...nobody, 'Carl', 'null', 'undefined', 'NaN']) {
      expect((await ask(() => shop.mine(user))).value).toBe('FALLBACK_EXHAUSTED');
    }
    // The same key in another chain.
    expect((await ask(() => shop.find('Ann'))).value).toBe('static');
  });

  it('B21 what a caller does with an answer is nobody else’s', async () => {
    const vandalise = (value: any): void => {
      value.items.push('changed');
      value.at.setTime(1);
    };
    const whole = { items: ['i'], at: new Date(0), size: 7n };
    vandalise((await ask()).value);
    shop.a = down;
    const served: unknown[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const { value } = await ask();
      expect(value).toStrictEqual(whole);
      served.push(value);
      vandalise(value);
    }
    expect(new Set(served).size).toBe(3);
  });

  it('forgets one, and nobody else’s', async () => {
    shop.a = (user) => `page of ${String(user)}`;
    for (const user of ['Ann', 'Bob']) await ask(() => shop.mine(user));
    await app.get(FallbackService).forget('Shop.mine', 'Ann');
    shop.a = down;
    expect((await ask(() => shop.mine('Ann'))).value).toBe('FALLBACK_EXHAUSTED');
    expect((await ask(() => shop.mine('Bob'))).value).toBe('page of Bob');
  });

  // Nothing stands between a process and its memory.
  if (isMemory) return;

  const lost: unknown[] = [];
  const hurdles: readonly (readonly [string, Hurdle])[] = [
    ['(a) never settles', () => new Promise(() => {})],
    ['(b) throws', down],
    ['(c) rejects', () => Promise.reject(new Error('lost'))],
    [
      '(e) answers after 5 s',
      (_operation, asked) => {
        const late = clock.sleep(5_000).then(asked);
        lost.push(late);
        return late;
      },
    ],
    [
      'loses the answer',
      (_operation, asked) => {
        lost.push(asked());
        return new Promise(() => {});
      },
    ],
  ];

  it.each(hurdles)(
    'B19 %s: healthy calls do not notice, failing ones get the substitute in time, it heals',
    async (_how, hurdle) => {
      const store = opened.store!;
      const unhandled = await unhandledDuring(async () => {
        store.hurdle = hurdle;
        shop.a = () => 'v1';
        expect((await ask()).value).toBe('v1');
        await clock.advance(100);
        expect(named('store.failed')).toMatchObject([{ operation: 'set' }]);
        shop.a = down;
        const failing = ask();
        await clock.advance(100);
        expect((await failing).value).toBe('static');
        expect(named('store.failed')).toMatchObject([{ operation: 'set' }, { operation: 'get' }]);
        await clock.advance(5_000);
        await Promise.all(lost);
        store.hurdle = null;
        shop.a = () => 'v2';
        expect((await ask()).value).toBe('v2');
        shop.a = down;
        expect(await ask()).toMatchObject({ value: 'v2', receipt: stale(0) });
        expect(named('store.recovered')).toHaveLength(1);
      });
      expect(unhandled).toEqual([]);
    },
  );
}

describe.each(LOCAL_STORES)('%s', (_name, make) => {
  cases(() => {
    const store = make();
    return { store: store && new Watched(store), close: () => {} };
  }, make() === undefined);
});

describeWithRedis('in a real Redis', () => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await startRedis());
  });

  describe.each(REDIS_STORES)('%s', (_name, make) => {
    cases(async () => {
      const opened = await make(url);
      return { store: new Watched(opened.store), close: () => opened.close() };
    });
  });
});
