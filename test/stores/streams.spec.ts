import { describe, expect, it } from '@jest/globals';
import { DECORATED, openDecorated } from '../support/stream-faces.js';
import { fail, inTurn } from '../support/stream-sources.js';
import { FaultyStore } from '../support/value-stores.js';
import type { Fault } from '../support/value-stores.js';

const hung: Fault = () => new Promise(() => {});

describe.each(DECORATED)('%s', (face) => {
  const open = async (store: FaultyStore, elements: readonly unknown[] = ['a1', new Date(2), undefined]) =>
    openDecorated(face, {
      candidates: [{ name: 'a', plays: inTurn(elements, [fail(new Error('down'))]) }],
      degraded: { lastKnownGood: { maxAge: '1h', collect: 3, store }, substitute: ['s1'] },
      options: { whenOpen: 'ignore' },
    });

  it('what a stream gave is replayed from a store, types kept', async () => {
    const store = new FaultyStore();
    const streams = await open(store);
    await streams.read();
    expect(store.kept.size).toBe(1);
    const reader = await streams.read();
    expect([reader.elements, reader.end]).toEqual([['a1', new Date(2), undefined], 'complete']);
    expect(reader.receipt).toMatchObject({ source: 'last-known-good', degraded: true });
  });

  it('B19 a store that hangs delays no healthy stream, and costs a failing one storeTimeout', async () => {
    const streams = await open(new FaultyStore(hung));
    const healthy = await streams.read();
    expect([healthy.elements.length, healthy.end]).toEqual([3, 'complete']);
    const reader = await streams.read(250);
    expect([reader.elements, reader.end]).toEqual([['s1'], 'complete']);
    const told = streams.events.filter(({ name }) => name === 'store.failed');
    expect(told.map(({ operation, because }) => [operation, because])).toEqual([
      ['set', 'timeout'],
      ['get', 'timeout'],
    ]);
  });

  it('B19 a reader who leaves while the store is asked leaves no timer', async () => {
    const streams = await open(new FaultyStore(hung));
    await streams.read(1_000);
    const leaving = new AbortController();
    const reader = streams.begin({ signal: leaving.signal });
    await streams.clock.advance(10);
    leaving.abort(new Error('gone'));
    await streams.clock.advance(0);
    expect(reader.elements).toEqual([]);
    expect(streams.clock.refd).toBe(0);
  });
});
