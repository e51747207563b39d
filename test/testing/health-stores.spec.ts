import { Redis } from 'ioredis';
import { createClient } from 'redis';
import type { HealthStore } from '../../lib/index.js';
import { RedisHealthStore } from '../../lib/redis/index.js';
import {
  MemoryHealthStore,
  StoreCheckError,
  TestClock,
  assertHealthStore,
  checkHealthStore,
} from '../../lib/testing/index.js';
import { describeWithRedis, startRedis } from '../support/redis-server.js';
import { brokenStore } from './broken/breaking.js';
import { BROKEN } from './broken/health-stores.js';
import { ownFindings } from './broken/own-findings.js';

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

  it('a store that leaves out what is optional, and says so', async () => {
    const clock = new TestClock();
    const full = new MemoryHealthStore({ clock });
    const bare: HealthStore = {
      admit: async (key, options) => {
        const { granted, probe, epoch, retryIn } = await full.admit(key, options);
        return { granted, probe, epoch, retryIn };
      },
      record: async (key, { id: _, ...outcome }) => {
        const { state, epoch, openUntil } = await full.record(key, outcome);
        return { state, epoch, openUntil };
      },
      control: (key, action) => full.control(key, action),
    };
    const { store, findings, unchecked } = await checkHealthStore(bare, { wait: (ms) => clock.advance(ms) });
    expect({ store, findings }).toEqual({ store: 'The store', findings: [] });
    expect(unchecked).toEqual([
      'id-counts-twice',
      'id-hides-others',
      'id-answers-past',
      'last-success-lost',
      'last-success-wrong',
      'failures-wrong',
      'kind-wrong',
      'insists-unsaid',
      'change-untold',
      'change-told-twice',
      'change-invented',
      'change-differs',
      'told-after-leaving',
    ]);
  });
});

describeWithRedis('checkHealthStore has nothing against a store in Redis', () => {
  it.each(['ioredis', 'node-redis'] as const)('of two processes with %s', async (kind) => {
    const { url } = await startRedis();
    const ends: (() => unknown)[] = [];
    const make = async (): Promise<HealthStore> => {
      const client = kind === 'ioredis' ? new Redis(url) : await createClient({ url }).connect();
      const store = new RedisHealthStore(client);
      ends.push(async () => {
        store.disconnect();
        await client.quit();
      });
      return store;
    };
    const report = await checkHealthStore(make);
    for (const end of ends) await end();
    expect(report).toMatchObject({ store: 'RedisHealthStore', findings: [], unchecked: [] });
  });
});

describe('checkHealthStore finds a store that', () => {
  it.each(BROKEN)('%s: %j', async (_, codes, make) => {
    const clock = new TestClock();
    const { findings } = await checkHealthStore(brokenStore(make, { clock }), {
      wait: (ms) => clock.advance(ms),
      patience: 300,
    });
    expect(ownFindings(findings, codes)).toEqual(codes);
  });

  it('does not answer is not asked again', async () => {
    let asked = 0;
    const silent = brokenStore(() => ({
      control: () => {
        asked++;
        return new Promise<void>(() => {});
      },
    }));
    const { findings, checked } = await checkHealthStore(silent, { patience: 50 });
    expect(findings).toEqual([
      { code: 'silent', message: "control('isolate') does not settle within 50 ms: let every operation end" },
    ]);
    expect({ asked, checked }).toEqual({ asked: 2, checked: [] });
  });

  it('breaks any rule', async () => {
    const clock = new TestClock();
    const { checked } = await checkHealthStore(new MemoryHealthStore({ clock }), { wait: (ms) => clock.advance(ms) });
    const broken = new Set<string>(BROKEN.flatMap(([, codes]) => codes));
    expect(checked.filter((code) => !broken.has(code))).toEqual(['not-shared']);
  });

  it('is two stores: a function must make handles of one', async () => {
    const clock = new TestClock();
    const make = () => new MemoryHealthStore({ clock });
    const { findings, checked } = await checkHealthStore(make, { wait: (ms) => clock.advance(ms) });
    expect(findings.map(({ code }) => code)).toEqual(['not-shared']);
    expect(checked).toContain('two-probes');
  });
});

describe('assertHealthStore', () => {
  it('throws everything that was found, with what to do', async () => {
    const clock = new TestClock();
    const [, , make] = BROKEN.find(([what]) => what === 'lets everybody in who asks at once')!;
    const asserted = assertHealthStore(brokenStore(make, { clock }), { wait: (ms) => clock.advance(ms) });
    const error = await asserted.catch((thrown: unknown) => thrown as StoreCheckError);
    expect(error).toBeInstanceOf(StoreCheckError);
    expect(error).toMatchObject({
      code: 'STORE_CHECK',
      message:
        'The store is no good store yet:\n' +
        '- two-probes: 20 of 20 who ask at once are let in: grant the probe atomically, to one asker of the whole fleet',
    });
  });
});
