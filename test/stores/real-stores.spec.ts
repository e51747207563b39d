import { Injectable, Module } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createCache } from 'cache-manager';
import { Keyv } from 'keyv';
import { Degraded, FallbackService } from '../../lib/index.js';
import type { CacheLike, DegradedOptions, FallbackEvent, ValueStore } from '../../lib/index.js';
import { boot, closeAll } from '../support/apps.js';

const CACHE_MANAGER = 'CACHE_MANAGER';
const known = { maxAge: '1h', refreshAfter: 1 } as const;
const VALUE = { at: new Date(5), by: new Map([[1n, Buffer.from('x')]]), nothing: undefined };

/** A class with one method whose answers are kept as said. */
function quotes(lastKnownGood: DegradedOptions['lastKnownGood']) {
  @Injectable()
  class Quotes {
    isDown = false;

    @Degraded({ lastKnownGood: lastKnownGood!, mark: 'receipt' })
    async quote(_id: string): Promise<unknown> {
      if (this.isDown) throw new Error('down');
      return VALUE;
    }
  }
  return Quotes;
}

afterEach(closeAll);

/** Stores under their real types, and an error that they swallow: Keyv tells of it by an event alone. */
const broken = () => {
  const adapter = new Map<string, unknown>();
  const state = { isDown: false };
  const guard =
    <A extends unknown[], R>(work: (...args: A) => R) =>
    async (...args: A): Promise<R> => {
      if (state.isDown) throw new Error('connection lost');
      return work(...args);
    };
  const store = {
    opts: {},
    get: guard((key: string) => adapter.get(key)),
    set: guard((key: string, value: unknown) => void adapter.set(key, value)),
    delete: guard((key: string) => adapter.delete(key)),
    clear: guard(() => adapter.clear()),
    on: () => store,
  };
  return { state, keyv: new Keyv({ store: store as never }) };
};

describe.each([
  ['a Keyv', (keyv: Keyv): ValueStore | CacheLike => keyv],
  ['a cache of cache-manager', (keyv: Keyv): ValueStore | CacheLike => createCache({ stores: [keyv] })],
])('%s', (_which, over) => {
  it('keeps values with their types, and forgets its own alone', async () => {
    const keyv = new Keyv();
    const store = over(keyv);
    await store.set('mine', 1);
    const Quotes = quotes(known);
    const app = await boot({ providers: [Quotes], fallback: { valueStore: store } });
    const host = app.get(Quotes);
    expect(await host.quote('a')).toBe(VALUE);
    await host.quote('b');
    host.isDown = true;
    expect(await host.quote('a')).toStrictEqual(VALUE);
    await app.get(FallbackService).forget('Quotes.quote', ['a']);
    await expect(host.quote('a')).rejects.toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
    expect(await host.quote('b')).toStrictEqual(VALUE);
    expect(await store.get('mine')).toBe(1);
  });

  it('B19 errors that it swallows are told of, and healthy calls go on', async () => {
    const { state, keyv } = broken();
    const events: FallbackEvent[] = [];
    const Quotes = quotes(known);
    const observers = [(event: FallbackEvent) => void events.push(event)];
    const app = await boot({ providers: [Quotes], fallback: { valueStore: over(keyv), observers } });
    const host = app.get(Quotes);
    const told = () =>
      events.filter(({ name }) => name.startsWith('store.')).map(({ name, operation }) => [name, operation]);
    state.isDown = true;
    expect(await host.quote('a')).toBe(VALUE);
    await new Promise(setImmediate);
    expect(told()).toEqual([['store.failed', 'set']]);
    host.isDown = true;
    await expect(host.quote('a')).rejects.toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
    state.isDown = host.isDown = false;
    await host.quote('a');
    await new Promise(setImmediate);
    // Keyv says nothing at all of a `get` that failed.
    expect(told()).toEqual([
      ['store.failed', 'set'],
      ['store.recovered', undefined],
    ]);
    host.isDown = true;
    expect(await host.quote('a')).toStrictEqual(VALUE);
  });

  it('a value is not kept for ever', async () => {
    const keyv = new Keyv();
    const Quotes = quotes(known);
    const app = await boot({ providers: [Quotes], fallback: { valueStore: over(keyv) } });
    await app.get(Quotes).quote('a');
    await new Promise(setImmediate);
    const [entry] = [...(keyv.store as Map<string, string | { expires?: number }>).values()];
    const { expires } = (typeof entry === 'string' ? JSON.parse(entry) : entry) as { expires?: number };
    expect(expires).toBeGreaterThan(Date.now() + 3_500_000);
    expect(expires).toBeLessThan(Date.now() + 3_700_000);
  });
});

describe('a store by injection', () => {
  @Injectable()
  class TableStore extends Map<string, unknown> {}
  const TABLE = Symbol('table');

  it.each([
    ['the token of cache-manager', CACHE_MANAGER, { provide: CACHE_MANAGER, useFactory: async () => createCache() }],
    ['a symbol', TABLE, { provide: TABLE, useFactory: () => new Keyv() }],
    ['a class', TableStore, TableStore],
  ])('%s', async (_what, store, provider) => {
    const Quotes = quotes({ ...known, store });
    const app = await boot({ providers: [Quotes, provider] });
    const host = app.get(Quotes);
    await host.quote('a');
    host.isDown = true;
    expect(await host.quote('a')).toStrictEqual(VALUE);
    await app.get(FallbackService).forget('Quotes.quote', ['a']);
    await expect(host.quote('a')).rejects.toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
  });

  it('is that of the module where the host lives', async () => {
    const [near, far] = [new Map<string, unknown>(), new Map<string, unknown>()];
    const Quotes = quotes({ ...known, store: TABLE });
    const moduleOf = (token: string, store: object) => {
      @Module({
        providers: [
          { provide: TABLE, useValue: store },
          { provide: token, useClass: Quotes },
        ],
        exports: [token],
      })
      class Part {}
      return Part;
    };
    const app = await boot({ imports: [moduleOf('near', near), moduleOf('far', far)] });
    await app.get<InstanceType<typeof Quotes>>('near', { strict: false }).quote('a');
    expect([near.size, far.size]).toEqual([1, 0]);
    await app.get<InstanceType<typeof Quotes>>('far', { strict: false }).quote('b');
    expect([near.size, far.size]).toEqual([1, 1]);
    await app.get(FallbackService).forget('Quotes.quote', ['b']);
    expect([near.size, far.size]).toEqual([1, 0]);
  });

  it('hosts that a factory made get it too', async () => {
    const store = new Map<string, unknown>();
    const Quotes = quotes({ ...known, store: TABLE });
    const app = await boot({
      providers: [
        { provide: TABLE, useValue: store },
        { provide: Quotes, useFactory: () => new Quotes() },
      ],
    });
    await app.get(Quotes).quote('a');
    expect(store.size).toBe(1);
  });

  it('request-scoped hosts get it too', async () => {
    const store = new Map<string, unknown>();
    const Quotes = quotes({ ...known, store: TABLE, key: (id: string) => id });
    const app = await boot({
      providers: [
        { provide: TABLE, useValue: store },
        { provide: Quotes, useClass: Quotes, scope: 2 },
      ],
    });
    const host = await app.resolve(Quotes);
    await host.quote('a');
    host.isDown = true;
    expect(await host.quote('a')).toStrictEqual(VALUE);
    await app.get(FallbackService).forget('Quotes.quote', 'a');
    expect(store.size).toBe(0);
  });
});

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
        if (isSlow) await new Promise((resolve) => setTimeout(resolve, 30));
        store.set(key, value);
      },
      delete: (key) => store.delete(key),
    };
    const Quotes = quotes({ maxAge: '1h', refreshAfter: '1h' });
    const app = await boot({ providers: [Quotes], fallback: { valueStore: slow } });
    await app.get(Quotes).quote('a');
    await app.get(FallbackService).forget('Quotes.quote', ['a']);
    await new Promise((resolve) => setTimeout(resolve, 80));
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
