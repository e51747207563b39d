import { Injectable, Module, Scope } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createCache } from 'cache-manager';
import { Keyv } from 'keyv';
import { FallbackService } from '../../lib/index.js';
import type { CacheLike, FallbackEvent, ValueStore } from '../../lib/index.js';
import { boot, closeAll } from '../support/apps.js';
import { VALUE, known, quotes } from '../support/quotes.js';

const CACHE_MANAGER = 'CACHE_MANAGER';
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
        { provide: Quotes, useClass: Quotes, scope: Scope.REQUEST },
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
