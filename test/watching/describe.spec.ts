import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ChainHealthService, Degraded, Fallback, FallbackChain } from '../../lib/index.js';
import type { FallbackModuleOptions } from '../../lib/index.js';
import { boot, closeAll } from '../support/apps.js';

afterEach(closeAll);

@Injectable()
class Things {
  @FallbackChain(
    [
      { method: 'backup', timeout: '2s', retries: 2, cost: 0.5, breaker: { threshold: 1 } },
      { method: 'archive', degraded: true, on: ['timeout'], whenOpen: 'skip' },
    ],
    { name: 'things', timeout: '300ms', deadline: '2s', primary: { cost: 0.25 }, breaker: { cooldown: '1m' } },
  )
  @Degraded({ lastKnownGood: { maxAge: '15m', refreshAfter: '1m' }, substitute: () => 's', mark: 'receipt' })
  async load(): Promise<string> {
    return 'a';
  }

  async backup(): Promise<string> {
    return 'b';
  }

  async archive(): Promise<string> {
    return 'c';
  }

  @Fallback('backup', { name: 'bare' })
  async bare(): Promise<string> {
    return 'a';
  }

  @Fallback({ method: 'backup', timeout: () => 5 }, { name: 'computed' })
  @Degraded({ skip: true })
  async computed(): Promise<string | undefined> {
    return 'a';
  }
}

async function healthWith(fallback: FallbackModuleOptions = {}): Promise<ChainHealthService> {
  return (await boot({ providers: [Things], fallback })).get(ChainHealthService);
}

describe('describe(chain)', () => {
  it('says each number, and which layer gave it', async () => {
    const health = await healthWith({
      defaults: { maxRetryAfter: '5m', unknown: 'terminal', deadline: '9s', primary: { retries: 1 } },
      overrides: {
        things: {
          reserve: '100ms',
          breaker: { factor: 3 },
          primary: { timeout: '200ms' },
          candidates: { archive: { timeout: '50ms', breaker: { threshold: 7 } } },
        },
      },
    });
    const plan = health.describe('things');
    expect(plan).toMatchObject({
      chain: 'things',
      deadline: { value: 2_000, origin: 'chain options' },
      reserve: { value: 100, origin: 'overrides' },
      rethrow: { value: 'aggregate', origin: 'built-in default' },
      unknown: { value: 'terminal', origin: 'forRoot defaults' },
      substitutes: {
        lastKnownGood: {
          maxAge: { value: 900_000, origin: '@Degraded' },
          refreshAfter: { value: 60_000, origin: '@Degraded' },
          maxBytes: { value: 262_144, origin: 'built-in default' },
        },
        substitute: 'computed',
      },
    });
    expect(plan.candidates).toMatchObject([
      {
        candidate: 'load',
        index: 0,
        timeout: { value: 200, origin: 'overrides' },
        retries: { value: 1, origin: 'forRoot defaults' },
        cost: { value: 0.25, origin: 'chain options' },
        onEmpty: { value: 'stop', origin: 'built-in default' },
        whenOpen: { value: 'defer', origin: 'built-in default' },
        maxRetryAfter: { value: 300_000, origin: 'forRoot defaults' },
        breaker: {
          threshold: { value: 3, origin: 'built-in default' },
          cooldown: { value: 60_000, origin: 'chain options' },
          factor: { value: 3, origin: 'overrides' },
          maxCooldown: { value: 300_000, origin: 'built-in default' },
        },
      },
      {
        candidate: 'backup',
        timeout: { value: 2_000, origin: 'candidate options' },
        retries: { value: 2, origin: 'candidate options' },
        breaker: { threshold: { value: 1, origin: 'candidate options' } },
      },
      {
        candidate: 'archive',
        timeout: { value: 50, origin: 'candidate overrides' },
        retries: { value: 0, origin: 'built-in default' },
        cost: { value: null, origin: 'built-in default' },
        whenOpen: { value: 'skip', origin: 'candidate options' },
        breaker: { threshold: { value: 7, origin: 'candidate overrides' } },
        degraded: true,
        isGated: true,
      },
    ]);
  });

  it('says the worst that a call can take and cost, with the arithmetic', async () => {
    const health = await healthWith();
    expect(health.describe('things').worstCase).toEqual({
      latency: 2_000,
      arithmetic: 'load 300 ms + backup 2000 ms + archive 300 ms = 2600 ms, cut at the deadline of 2000 ms',
      price: 0.25 + 3 * 0.5,
    });
    expect(health.describe('bare').worstCase).toEqual({
      latency: null,
      arithmetic: 'bare (no limit) + backup (no limit) = (no limit)',
      price: 0,
    });
    expect(health.describe('computed').worstCase.arithmetic).toBe(
      'computed (no limit) + backup (computed timeout) = (no limit)',
    );
  });

  it('a substitute that is computed takes the rest of the deadline, a reserve is left to it', async () => {
    const health = await healthWith({
      overrides: { things: { timeout: 10, candidates: { backup: { timeout: 10 } } } },
    });
    expect(health.describe('things').worstCase).toMatchObject({
      latency: 2_000,
      arithmetic: 'load 10 ms + backup 10 ms + archive 10 ms = 30 ms, then a computed substitute',
    });
    const other = await healthWith({ overrides: { bare: { timeout: '1s', deadline: '1s', reserve: '200ms' } } });
    expect(other.describe('bare').worstCase).toMatchObject({
      latency: 800,
      arithmetic: 'bare 1000 ms + backup 1000 ms = 2000 ms, cut at the deadline of 1000 ms less a reserve of 200 ms',
    });
  });

  it('a deadline that is never reached cuts nothing', async () => {
    const health = await healthWith({ defaults: { timeout: 10 }, overrides: { bare: { deadline: '1m' } } });
    expect(health.describe('bare').worstCase).toMatchObject({
      latency: 20,
      arithmetic: 'bare 10 ms + backup 10 ms = 20 ms',
    });
  });

  it('what there is none of is null, and everything is plain JSON', async () => {
    const health = await healthWith({ overrides: { bare: { timeout: Infinity, maxRetryAfter: Infinity } } });
    const plan = health.describe('bare');
    expect(plan.deadline).toEqual({ value: null, origin: 'built-in default' });
    expect(plan.substitutes).toBeNull();
    expect(plan.candidates[0]).toMatchObject({
      timeout: { value: null, origin: 'overrides' },
      maxRetryAfter: { value: null, origin: 'overrides' },
    });
    for (const chain of ['things', 'bare', 'computed']) {
      expect(JSON.parse(JSON.stringify(health.describe(chain)))).toStrictEqual(health.describe(chain));
    }
    expect(health.describe('computed').substitutes).toEqual({ lastKnownGood: null, substitute: 'skipped' });
    expect(health.describe('computed').candidates[1]).toMatchObject({
      timeout: { value: 'computed', origin: 'candidate options' },
    });
  });

  it('a breaker in rate mode has its numbers too, one that is ignored has none', async () => {
    const health = await healthWith({
      defaults: { breaker: { volume: 7 } },
      overrides: { bare: { breaker: { mode: 'rate', share: 0.5 }, candidates: { backup: { whenOpen: 'ignore' } } } },
    });
    const [first, second] = health.describe('bare').candidates;
    expect(first!.breaker).toMatchObject({
      mode: { value: 'rate', origin: 'overrides' },
      window: { value: 60_000, origin: 'built-in default' },
      volume: { value: 7, origin: 'forRoot defaults' },
      share: { value: 0.5, origin: 'overrides' },
    });
    expect(second).toMatchObject({ breaker: null, whenOpen: { value: 'ignore', origin: 'candidate overrides' } });
    expect(health.describe('things').candidates[0]!.breaker).not.toHaveProperty('window');
  });

  it('the reader cannot change the plan', async () => {
    const health = await healthWith();
    const before = health.describe('things');
    Object.assign(health.describe('things').deadline, { value: 1 });
    expect(health.describe('things')).toEqual(before);
  });

  it('an unknown chain is an error that names those that there are', async () => {
    const health = await healthWith();
    expect(() => health.describe('thing')).toThrow("no chain is called 'thing'; there are: things, bare, computed");
    expect(() => health.describe('toString')).toThrow("no chain is called 'toString'");
  });
});
