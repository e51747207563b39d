import { Injectable } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Degraded, Fallback } from '../../lib/index.js';
import type { Receipt } from '../../lib/index.js';
import { candidateIn, closeApps, startApp } from '../support/nest-app.js';
import type { StartedApp } from '../support/nest-app.js';
import { TestClock } from '../support/test-clock.js';

interface Profile {
  name: string;
  tags: string[];
}

@Injectable()
class Profiles {
  /** the objects that A gave */
  readonly given: Profile[] = [];

  @Degraded({ lastKnownGood: { maxAge: '1h' }, mark: 'receipt' })
  async load(): Promise<Profile> {
    if (this.given.length > 0) throw new Error('A is down');
    const profile = { name: 'x', tags: ['a'] };
    this.given.push(profile);
    return profile;
  }
}

function vandalise(profile: Profile): void {
  profile.name = 'changed';
  profile.tags.push('changed');
}

afterEach(closeApps);

describe('B21: the caller edits the cached object', () => {
  it('B21: every last known good is whole and nobody shares one', async () => {
    const { app, fallback } = await startApp({ providers: [Profiles] });
    const profiles = app.get(Profiles);

    const healthy = await profiles.load();
    expect(healthy).toBe(profiles.given[0]);
    vandalise(healthy);

    const results: Profile[] = [];
    const expectWhole = (profile: Profile): void => {
      expect(profile).toStrictEqual({ name: 'x', tags: ['a'] });
      results.push(profile);
    };
    for (let call = 0; call < 2; call++) {
      const { value, receipt } = await fallback.withReceipt(() => profiles.load());
      expect(receipt).toMatchObject({ source: 'last-known-good', degraded: true });
      expectWhole(value);
      vandalise(value);
    }
    const [one, other] = await Promise.all([profiles.load(), profiles.load()]);
    expectWhole(one);
    vandalise(one);
    expectWhole(other);
    expectWhole(await profiles.load());

    const all = [healthy, ...results];
    expect(new Set(all).size).toBe(all.length);
    expect(new Set(all.map(({ tags }) => tags)).size).toBe(all.length);
    expect(profiles.given).toHaveLength(1);
  });
});

@Injectable()
class Rates {
  a: () => string = () => 'v1';
  b: () => string = fails('B is down');

  @Fallback(
    {
      method: 'fromB',
      assess: (value: string) => (value.startsWith('thin') ? 'thin' : undefined),
    },
    { breaker: { threshold: 1_000_000 } },
  )
  @Degraded({ lastKnownGood: { maxAge: 60_000 }, substitute: 'static', mark: 'receipt' })
  async current(): Promise<string> {
    return this.a();
  }

  async fromB(): Promise<string> {
    return this.b();
  }
}

function fails(message: string): () => never {
  return () => {
    throw new Error(message);
  };
}

describe('B27: the substitute becomes the truth', () => {
  let clock: TestClock;
  let started: StartedApp;
  let rates: Rates;
  let startedAt: number;

  const call = (): Promise<{ value: string; receipt: Receipt | undefined }> =>
    started.fallback.withReceipt(() => rates.current());

  const advanceTo = (time: number): Promise<void> => clock.advance(startedAt + time - clock.wall());

  beforeEach(async () => {
    clock = new TestClock();
    startedAt = clock.wall();
    started = await startApp({ providers: [Rates], options: { clock } });
    rates = started.app.get(Rates);
  });

  const LAST_KNOWN_GOOD = { source: 'last-known-good', servedBy: null, degraded: true, reason: 'transient' };
  const STATIC = { source: 'static', servedBy: null, degraded: true, reason: 'transient' };

  it('B27: neither a substitute nor a thin answer is ever stored, and serving renews nothing', async () => {
    expect((await call()).value).toBe('v1');
    rates.a = fails('A is down');

    await advanceTo(30_000);
    const at30 = await call();
    expect(at30.value).toBe('v1');
    expect(at30.receipt).toMatchObject({ ...LAST_KNOWN_GOOD, age: 30_000 });

    await advanceTo(45_000);
    rates.b = () => 'thin from B';
    const at45 = await call();
    expect(at45.value).toBe('thin from B');
    expect(at45.receipt).toMatchObject({ source: 'candidate', servedBy: 'fromB', degraded: true, reason: 'thin' });
    rates.b = fails('B is down');
    // Not stored: the same moment, the same arguments.
    const again = await call();
    expect(again.value).toBe('v1');
    expect(again.receipt).toMatchObject({ ...LAST_KNOWN_GOOD, age: 45_000 });

    await advanceTo(59_999);
    const at59 = await call();
    expect(at59.value).toBe('v1');
    expect(at59.receipt).toMatchObject({ ...LAST_KNOWN_GOOD, age: 59_999 });

    await advanceTo(60_001);
    for (let twice = 0; twice < 2; twice++) {
      const at60 = await call();
      expect(at60.value).toBe('static');
      expect(at60.receipt).toMatchObject(STATIC);
      expect(at60.receipt).not.toHaveProperty('age');
    }

    rates.a = () => 'v2';
    const recovered = await call();
    expect(recovered.value).toBe('v2');
    expect(recovered.receipt).toMatchObject({ source: 'candidate', servedBy: 'current', degraded: false });

    rates.a = fails('A is down');
    await advanceTo(70_001);
    const stored = await call();
    expect(stored.value).toBe('v2');
    expect(stored.receipt).toMatchObject({ ...LAST_KNOWN_GOOD, age: 10_000 });
    expect(candidateIn(started.health, 'Rates.current', 'current').state).toBe('closed');
    expect(candidateIn(started.health, 'Rates.current', 'fromB').state).toBe('closed');
  });

  it('B27: the bound is inclusive', async () => {
    await call();
    rates.a = fails('A is down');
    await advanceTo(60_000);
    expect((await call()).receipt).toMatchObject({ ...LAST_KNOWN_GOOD, age: 60_000 });
  });
});
