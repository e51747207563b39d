import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Keyv } from 'keyv';
import { FallbackService } from '../../lib/index.js';
import type { ValueStore } from '../../lib/index.js';
import { boot, closeAll } from '../support/apps.js';
import { known, quotes } from '../support/quotes.js';

afterEach(closeAll);

describe('what start-up says of stores', () => {
  const TABLE = Symbol('table');
  const faultsOf = async (parts: Parameters<typeof boot>[0]): Promise<unknown> => {
    const error = await boot(parts).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return (error as { faults?: unknown } | undefined)?.faults;
  };

  it.each([
    ['a token of nobody', TABLE, [], 'Symbol(table) is not available here'],
    ['a class of nobody', Keyv, [], 'Keyv is not available here'],
    ['no store', TABLE, [{ provide: TABLE, useValue: { get: () => 1, set: () => 1 } }], 'give a store with'],
    ['a number', 5 as never, [], 'give a store with'],
    ['half a store', { get: () => 1, delete: () => 1 } as never, [], 'give a store with'],
  ])('%s as lastKnownGood.store', async (_what, store, providers, message) => {
    expect(await faultsOf({ providers: [quotes({ ...known, store }), ...providers] })).toEqual([
      { where: 'Quotes.quote', option: 'lastKnownGood.store', message: expect.stringContaining(message) as unknown },
    ]);
  });

  it.each([
    [{ valueStore: {} as never }, 'valueStore'],
    [{ valueStore: 'CACHE_MANAGER' as never }, 'valueStore'],
    [{ storeTimeout: 0 }, 'storeTimeout'],
    [{ storeTimeout: NaN }, 'storeTimeout'],
    [{ storeTimeout: '250' as never }, 'storeTimeout'],
  ])('%p', async (fallback, option) => {
    expect(await faultsOf({ fallback })).toMatchObject([{ where: 'FallbackModule.forRoot', option }]);
  });

  it('B22: an address in place of a store is not quoted: it may hold a password', async () => {
    const fallback = { valueStore: 'redis://:hunter2@cache' as never, healthStore: 'redis://:hunter2@cache' as never };
    const faults = await faultsOf({ fallback });
    expect(faults).toMatchObject([{ option: 'valueStore' }, { option: 'healthStore' }]);
    expect(JSON.stringify(faults)).not.toContain('hunter2');
  });

  it('version is a string', async () => {
    expect(await faultsOf({ providers: [quotes({ ...known, version: 2 as never })] })).toMatchObject([
      { where: 'Quotes.quote', option: 'lastKnownGood.version' },
    ]);
  });
});

describe('forget', () => {
  it('reaches what an earlier process has stored, before any call', async () => {
    const store = new Map<string, unknown>();
    const Quotes = quotes(known);
    const earlier = await boot({ providers: [Quotes], fallback: { valueStore: store } });
    await earlier.get(Quotes).quote('a');
    const app = await boot({ providers: [Quotes], fallback: { valueStore: store } });
    await app.get(FallbackService).forget('Quotes.quote', ['a']);
    expect(store.size).toBe(0);
  });

  it('also a value that is being written, and is at once due again', async () => {
    const store = new Map<string, unknown>();
    let isSlow = true;
    const slow: ValueStore = {
      get: (key) => store.get(key),
      set: async (key, value) => {
        if (isSlow) await sleep(30);
        store.set(key, value);
      },
      delete: (key) => store.delete(key),
    };
    const Quotes = quotes({ maxAge: '1h', refreshAfter: '1h' });
    const app = await boot({ providers: [Quotes], fallback: { valueStore: slow } });
    await app.get(Quotes).quote('a');
    await app.get(FallbackService).forget('Quotes.quote', ['a']);
    await sleep(80);
    expect(store.size).toBe(0);
    isSlow = false;
    await app.get(Quotes).quote('a');
    expect(store.size).toBe(1);
  });

  it.each([
    ['rejects', () => Promise.reject(new Error('secret'))],
    ['hangs', () => new Promise(() => {})],
  ])('says so when the store %s', async (_how, fails) => {
    const store: ValueStore = { get: () => undefined, set: () => true, delete: fails };
    const Quotes = quotes(known);
    const app = await boot({ providers: [Quotes], fallback: { valueStore: store, storeTimeout: 20 } });
    const error: unknown = await app
      .get(FallbackService)
      .forget('Quotes.quote', ['a'])
      .catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('try again');
    expect(String(error)).not.toContain('secret');
  });
});
