import { MemoryHealthStore, TestClock, assertHealthStore } from '../../lib/testing/index.js';

describe('checkHealthStore has nothing against', () => {
  it('a store in the process, by the machine’s clock', async () => {
    const report = await assertHealthStore(new MemoryHealthStore());
    expect(report).toMatchObject({ store: 'MemoryHealthStore', findings: [], unchecked: [] });
  });

  it('a store in the process, by a test clock', async () => {
    const clock = new TestClock();
    const report = await assertHealthStore(new MemoryHealthStore({ clock }), { wait: (ms) => clock.advance(ms) });
    expect(report).toMatchObject({ findings: [], unchecked: [] });
  });
});
