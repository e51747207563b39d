import type { CircuitOutcome, CircuitReading } from '../../lib/index.js';
import { MemoryHealthStore, TestClock } from '../../lib/testing/index.js';

const BREAKER: CircuitOutcome['breaker'] = {
  threshold: 2,
  cooldown: 1_000,
  factor: 2,
  maxCooldown: 60_000,
  mode: 'consecutive',
  window: 60_000,
  volume: 20,
  share: 0.3,
};
const LEASE = { lease: 500 };

function outcome(health: CircuitOutcome['health'], epoch: number, more: Partial<CircuitOutcome> = {}): CircuitOutcome {
  const kind = health === 'success' ? 'ok' : health === 'failure' ? 'transient' : 'cancelled';
  return { health, epoch, kind, breaker: BREAKER, ...more };
}

describe('MemoryHealthStore', () => {
  let clock: TestClock;
  let store: MemoryHealthStore;
  let told: (CircuitReading & { key: string })[];

  beforeEach(() => {
    clock = new TestClock();
    store = new MemoryHealthStore({ clock });
    told = [];
    store.subscribe((change) => told.push(change));
  });

  const fail = (more?: Partial<CircuitOutcome>) => store.record('a', outcome('failure', 0, more));
  const open = async () => {
    await fail();
    return fail();
  };

  it('asking and succeeding begin no period; a success is remembered', async () => {
    const fresh = { granted: true, probe: false, epoch: 0, retryIn: 0, state: 'closed' };
    await expect(store.admit('a', LEASE)).resolves.toEqual(fresh);
    await expect(store.record('a', outcome('success', 0))).resolves.toMatchObject({ state: 'closed', epoch: 0 });
    await expect(store.admit('a', LEASE)).resolves.toEqual({ ...fresh, lastServedAt: clock.wall() });
    expect(told).toEqual([]);
  });

  it('opens, lets one probe in, gives it on when its lease is over, and closes', async () => {
    const { epoch, ...opened } = await open();
    expect(epoch).toBeGreaterThan(clock.wall());
    expect(opened).toEqual({
      state: 'open',
      openUntil: clock.wall() + 1_000,
      retryIn: 1_000,
      insists: false,
      failures: 2,
      kind: 'transient',
    });
    await clock.advance(400);
    await expect(store.admit('a', LEASE)).resolves.toMatchObject({ granted: false, state: 'open', retryIn: 600 });
    await clock.advance(600);
    const first = await store.admit('a', LEASE);
    expect(first).toMatchObject({ granted: true, probe: true, state: 'half-open' });
    await expect(store.admit('a', LEASE)).resolves.toMatchObject({ granted: false, state: 'half-open', retryIn: 500 });
    await clock.advance(500);
    const second = await store.admit('a', LEASE);
    expect(second).toMatchObject({ granted: true, probe: true });
    await expect(store.record('a', outcome('success', first.epoch))).resolves.toMatchObject({ state: 'half-open' });
    await expect(store.record('a', outcome('success', second.epoch))).resolves.toMatchObject({ state: 'closed' });
    expect(told.map(({ state, failures }) => [state, failures])).toEqual([
      ['closed', 1],
      ['open', 2],
      ['closed', 0],
    ]);
  });

  it('a key that had an earlier life is in a later period than ever', async () => {
    const { epoch } = await open();
    await store.control('a', 'reset');
    const permit = await store.admit('a', LEASE);
    expect(permit).toMatchObject({ granted: true, state: 'closed' });
    expect(permit.epoch).toBeGreaterThan(epoch);
    await clock.advance(1);
    const other = new MemoryHealthStore({ clock });
    const born = await other.record('a', outcome('failure', 0));
    expect(born.epoch).toBe(clock.wall());
  });

  it('a correction of the wall clock moves no deadline', async () => {
    await open();
    clock.setWall(0);
    await expect(store.admit('a', LEASE)).resolves.toMatchObject({ retryIn: 1_000 });
  });

  it('counts shares of failures where the breaker says so', async () => {
    const breaker = { ...BREAKER, threshold: 100, mode: 'rate', window: 1_000, volume: 4, share: 0.5 } as const;
    const { epoch } = await fail({ breaker });
    for (const health of ['success', 'success'] as const) await store.record('a', outcome(health, epoch, { breaker }));
    await expect(fail({ breaker })).resolves.toMatchObject({ state: 'open' });
  });

  it('an outcome that is told again counts once', async () => {
    await fail({ id: 'x' });
    await expect(fail({ id: 'x' })).resolves.toMatchObject({ state: 'closed', failures: 1 });
    await expect(fail({ id: 'y' })).resolves.toMatchObject({ state: 'open' });
    await clock.advance(600_000);
    await store.control('a', 'reset');
    await expect(fail({ id: 'x' })).resolves.toMatchObject({ failures: 1 });
  });

  it('isolated by hand, and put back for the delay that was advised meanwhile', async () => {
    await store.control('a', 'isolate');
    const isolated = await store.admit('a', LEASE);
    expect(isolated).toMatchObject({ granted: false, state: 'isolated', retryIn: Infinity });
    await store.record('a', outcome('failure', isolated.epoch, { kind: 'rate-limited', openFor: 9_000 }));
    await store.control('a', 'isolate');
    await store.control('a', 'restore');
    await expect(store.admit('a', LEASE)).resolves.toMatchObject({ state: 'open', insists: true, retryIn: 9_000 });
    expect(told.map(({ state }) => state)).toEqual(['isolated', 'open']);
  });

  it('restoring what it knows nothing of changes nothing; so does an ignored outcome', async () => {
    await store.control('a', 'restore');
    await store.record('a', outcome('ignore', 0));
    await expect(store.admit('a', LEASE)).resolves.toMatchObject({ epoch: 0 });
    expect(told).toEqual([]);
  });

  it('goes by the machine’s clock, and whoever has left is told nothing', async () => {
    const real = new MemoryHealthStore();
    const heard: string[] = [];
    const leave = real.subscribe(({ state }) => heard.push(state));
    const before = Date.now();
    const { epoch } = await real.record('a', outcome('failure', 0));
    expect(Math.abs(epoch - before)).toBeLessThan(1_000);
    leave();
    await real.control('a', 'isolate');
    expect(heard).toEqual(['closed']);
  });
});
