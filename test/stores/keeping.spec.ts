import { describe, expect, it } from '@jest/globals';
import { open } from '../support/ladder.js';
import type { Ladder } from '../support/ladder.js';
import { hangs } from '../support/plays.js';
import { FaultyStore, NotingStore, keeping } from '../support/value-stores.js';

const HOUR = 3_600_000;
const exhausted = { code: 'FALLBACK_EXHAUSTED' };
const texts = (store: Map<string, unknown>): unknown[] => [...store.values()];

describe('a store of somebody else', () => {
  it('holds one text per value, under a key that says nothing of the arguments', async () => {
    const store = new NotingStore();
    const { ladder } = await keeping(store);
    await ladder.call('ann@example.org');
    expect([...store.keys()]).toEqual([expect.stringMatching(/^nestjs-fallback:[\w-]{43}$/)]);
    expect(texts(store)).toEqual([expect.any(String)]);
    expect(JSON.stringify([...store])).not.toContain('ann');
  });

  it('is not asked by healthy calls, and written once per key and refreshAfter', async () => {
    const store = new NotingStore();
    const { ladder } = await keeping(store, { refreshAfter: 1_000 });
    for (let call = 0; call < 3; call++) await ladder.call('q', 333);
    expect(store.asked).toEqual(['set']);
    await ladder.call('q', 1);
    await ladder.call('q');
    expect(store.asked).toEqual(['set', 'set']);
    await ladder.call('other');
    expect(store.asked).toHaveLength(3);
  });

  it('is written once while it has not answered', async () => {
    const store = new FaultyStore();
    let sets = 0;
    store.fault = () => {
      sets++;
      return ladder.clock.sleep(100);
    };
    const { ladder } = await keeping(store, { refreshAfter: 1 });
    await ladder.call('q', 50);
    await ladder.call('q', 50);
    expect(sets).toBe(1);
    await ladder.call('q');
    expect(sets).toBe(2);
  });

  it('a failed write does not start refreshAfter', async () => {
    const store = new FaultyStore(() => Promise.resolve(false));
    const { ladder, state } = await keeping(store, { refreshAfter: HOUR });
    await ladder.call('q');
    expect(ladder.eventsNamed('store.failed')).toMatchObject([{ operation: 'set', because: 'refused' }]);
    store.fault = null;
    await ladder.call('q');
    state.give = null;
    expect((await ladder.call('q')).value).toBe('v1');
  });

  it.each([
    [HOUR, HOUR],
    ['0.5ms', 1],
    ['3000d', 3_000 * 24 * HOUR],
  ] as const)('gets a whole ttl that is no less than maxAge: %s', async (maxAge, least) => {
    const store = new NotingStore();
    const { ladder } = await keeping(store, { maxAge });
    await ladder.call('q');
    expect(store.ttls).toHaveLength(1);
    expect(Number.isSafeInteger(store.ttls[0])).toBe(true);
    expect(store.ttls[0]).toBeGreaterThanOrEqual(least);
  });

  it('maxAge 0 is off: it is never asked', async () => {
    const store = new NotingStore();
    const { ladder, state } = await keeping(store, { maxAge: 0 });
    await ladder.call('q');
    state.give = null;
    expect((await ladder.call('q')).error).toMatchObject(exhausted);
    expect(store.asked).toEqual([]);
  });

  it('F51 age = maxAge is served, a moment more is a miss, whatever the store keeps', async () => {
    const store = new NotingStore();
    const { ladder, state } = await keeping(store);
    await ladder.call('q');
    state.give = null;
    await ladder.clock.advance(HOUR);
    const last = await ladder.call('q');
    expect(last.value).toBe('v1');
    expect(last.receipt).toMatchObject({ source: 'last-known-good', age: HOUR, degraded: true });
    expect(store.asked).toEqual(['set', 'get']); // never renewed by being served
    await ladder.clock.advance(1);
    expect((await ladder.call('q')).error).toMatchObject(exhausted);
  });

  it('a stamp more than 5 s in the future is a miss', async () => {
    const { ladder, state } = await keeping(new NotingStore());
    await ladder.call('q');
    state.give = null;
    ladder.clock.setWall(ladder.clock.wall() - 5_000);
    expect((await ladder.call('q')).receipt).toMatchObject({ age: 0 });
    ladder.clock.setWall(ladder.clock.wall() - 1);
    expect((await ladder.call('q')).error).toMatchObject(exhausted);
  });

  it('B21 a snapshot: what callers do to what they got is not served', async () => {
    const given = { name: 'x', tags: ['a'] };
    const { ladder, state } = await keeping(new NotingStore());
    state.give = () => given;
    const healthy = await ladder.call('q');
    expect(healthy.value).toBe(given);
    given.tags.push('changed');
    state.give = null;
    const [one, other] = [await ladder.call('q'), await ladder.call('q')];
    expect([one.value, other.value]).toStrictEqual([
      { name: 'x', tags: ['a'] },
      { name: 'x', tags: ['a'] },
    ]);
    expect(one.value).not.toBe(other.value);
  });

  it('types are kept', async () => {
    const value = {
      at: new Date(5),
      by: new Map([[1n, new Set([undefined])]]),
      bytes: Buffer.from([1, 2]),
      more: Float32Array.of(1.5),
      nothing: undefined,
      odd: [-0, NaN, Infinity],
    };
    const { ladder, state } = await keeping(new NotingStore());
    state.give = () => value;
    await ladder.call('q');
    state.give = null;
    expect((await ladder.call('q')).value).toStrictEqual(value);
  });

  class Money {
    constructor(readonly amount = 1) {}
  }
  class Wide extends Uint8Array {}
  it.each([new Money(), { price: new Money() }, () => 1, new Error('x'), Wide.of(1), [Promise.resolve()]])(
    'what cannot be kept faithfully is not kept at all: %p',
    async (value) => {
      const store = new NotingStore();
      const { ladder, state } = await keeping(store);
      state.give = () => ({ value });
      await ladder.call('q');
      expect(store.size).toBe(0);
      expect(ladder.eventsNamed('value.not-stored')).toMatchObject([{ because: 'value' }]);
      expect(ladder.eventsNamed('store.failed')).toEqual([]);
      state.give = null;
      expect((await ladder.call('q')).error).toMatchObject(exhausted);
    },
  );

  it('values over maxBytes are not kept', async () => {
    const store = new NotingStore();
    const { ladder, state } = await keeping(store, { maxBytes: 10 });
    state.give = () => 'x'.repeat(6);
    await ladder.call('q');
    expect(store.size).toBe(0);
    expect(ladder.eventsNamed('value.not-stored')).toMatchObject([{ because: 'size' }]);
  });

  it('B20 a store that mixes up its keys serves nobody what is another`s', async () => {
    const store = new NotingStore();
    const { ladder, state } = await keeping(store);
    state.give = () => 'of ann';
    await ladder.call('ann');
    const [ofAnn] = texts(store);
    store.get = () => ofAnn;
    state.give = null;
    expect((await ladder.call('bob')).error).toMatchObject(exhausted);
    expect((await ladder.call('ann')).value).toBe('of ann');
  });

  it.each([
    ['1', '1', true],
    ['1', '2', false],
    [undefined, '1', false],
    ['1', undefined, false],
  ])('what version %s stored, version %s is served: %s', async (one, other, isServed) => {
    const store = new NotingStore();
    const version = (of: string | undefined) => (of === undefined ? {} : { version: of });
    await (await keeping(store, version(one))).ladder.call('q');
    const { ladder, state } = await keeping(store, version(other));
    state.give = null;
    const call = await ladder.call('q');
    expect(call.outcome).toMatchObject(isServed ? { value: 'v1' } : { error: exhausted });
    expect(ladder.eventsNamed('store.failed')).toEqual([]);
  });

  it('another process is served what this one has stored', async () => {
    const store = new FaultyStore();
    await (await keeping(store)).ladder.call({ a: 1, b: 2 });
    const { ladder, state } = await keeping(store);
    state.give = null;
    const call = await ladder.call({ b: 2, a: 1 });
    expect(call.value).toBe('v1');
    expect(call.receipt).toMatchObject({ source: 'last-known-good' });
  });

  it('lastKnownGood.store wins over valueStore', async () => {
    const [own, standard] = [new NotingStore(), new NotingStore()];
    const { ladder, state } = await keeping(standard, { store: own });
    await ladder.call('q');
    state.give = null;
    expect((await ladder.call('q')).value).toBe('v1');
    expect([own.asked, standard.asked]).toEqual([['set', 'get'], []]);
  });

  it('a store that answers at once is asked also when no time is left', async () => {
    const store = new NotingStore();
    await (await keeping(store)).ladder.call('q');
    const late = await open({
      rungs: [{ name: 'a', plays: hangs }],
      options: { deadline: 10 },
      degraded: { lastKnownGood: { maxAge: HOUR } },
      module: { valueStore: store },
    });
    expect((await late.call('q', 10)).value).toBe('v1');
    expect(late.eventsNamed('hook.failed', 'store.failed')).toEqual([]);
  });

  it('a healthy answer is served in the same turn as without a store', async () => {
    const turns = async (ladder: Ladder): Promise<number> => {
      let count = 0;
      const call = ladder.begin('q');
      while (!call.isSettled && count < 100) {
        await Promise.resolve();
        count++;
      }
      return count;
    };
    const plain = await turns((await keeping(undefined)).ladder);
    expect(plain).toBeLessThan(100);
    for (const store of [new NotingStore(), new FaultyStore(), new FaultyStore(() => new Promise(() => {}))]) {
      expect(await turns((await keeping(store)).ladder)).toBe(plain);
    }
  });
});
