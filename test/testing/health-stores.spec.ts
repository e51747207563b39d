import { MemoryHealthStore, TestClock, assertHealthStore, checkHealthStore } from '../../lib/testing/index.js';
import { BROKEN, brokenStore } from './broken-health-stores.js';

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

describe('checkHealthStore finds a store that', () => {
  it.each(BROKEN)('%s: %j', async (_, codes, make) => {
    const clock = new TestClock();
    const { findings } = await checkHealthStore(brokenStore(make, { clock }), {
      wait: (ms) => clock.advance(ms),
      patience: 300,
    });
    const found = findings.map(({ code }) => code);
    const own = codes.filter((code) => code !== '…');
    expect(found).toEqual(own.length === codes.length ? own : expect.arrayContaining(own));
  });
});
