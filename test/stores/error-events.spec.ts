import { describe, expect, it } from '@jest/globals';
import { FaultyStore, keeping } from '../support/value-stores.js';

describe('errors that a store tells of by events', () => {
  it('many at rest are one event; the next proof is the recovery', async () => {
    const store = new FaultyStore();
    const { ladder } = await keeping(store, { refreshAfter: 1 });
    store.fault = () => Promise.resolve('OK'); // says nothing that proves it
    await ladder.call('q');
    for (let n = 0; n < 5; n++) store.emit('error', new Error('reconnecting'));
    expect(ladder.eventsNamed('store.failed')).toHaveLength(1);
    store.fault = null;
    await ladder.call('q', 1);
    expect(ladder.eventsNamed('store.recovered')).toHaveLength(1);
    for (let n = 0; n < 5; n++) store.emit('error', new Error('reconnecting'));
    expect(ladder.eventsNamed('store.failed')).toHaveLength(1);
  });

  it('a value that comes in spite of an error is served', async () => {
    const store = new FaultyStore();
    const { ladder, state } = await keeping(store);
    await ladder.call('q');
    state.give = null;
    store.fault = async () => {
      await ladder.clock.sleep(10);
      return [...store.kept.values()][0];
    };
    const call = ladder.begin('q');
    await ladder.clock.advance(5);
    store.emit('error', new Error('another connection'));
    await ladder.clock.advance(5);
    expect(call.value).toBe('v1');
    expect(ladder.eventsNamed('store.failed')).toEqual([]);
  });

  it('one listener, however many applications come and go', async () => {
    const store = new FaultyStore();
    for (let n = 0; n < 12; n++) {
      const { ladder } = await keeping(store);
      await ladder.close();
    }
    expect(store.listenerCount('error')).toBe(1);
  });
});
