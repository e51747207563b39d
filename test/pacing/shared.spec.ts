import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { FallbackChain, createFallbackChain, fallback, from } from '../../lib/index.js';
import type { CandidateOptions, FallbackConfigurationError } from '../../lib/index.js';
import { candidateIn, closeApps, startApp } from '../support/nest-app.js';
import { TestClock, settle } from '../support/test-clock.js';

const S = 1_000;
const clocked = () => {
  const clock = new TestClock();
  const times: number[] = [];
  const vendor = async () => {
    times.push(clock.now() - 1_000);
    await clock.sleep(300);
    return 'vendor';
  };
  return { clock, times, vendor };
};

describe('runs with options of their own share slots and permits', () => {
  it('F40 slots', async () => {
    const { clock, times, vendor } = clocked();
    const chain = createFallbackChain([vendor], { clock, minInterval: S });
    void chain.run();
    void chain.run({ timeout: '5s' });
    void chain.run({ minInterval: 2 * S }); // at 3000, but for the next, which may be called before
    void chain.run();
    await clock.advance(10 * S);
    expect(times).toEqual([0, S, 2 * S, 4 * S]);
  });

  it('permits, whichever limit each of them says', async () => {
    const { clock, vendor } = clocked();
    const chain = createFallbackChain([vendor, () => 'backup'], { clock, maxConcurrent: 2 });
    const answers = [
      chain.run(),
      chain.run({ deadline: '5s' }),
      chain.run({ timeout: '5s' }),
      chain.run({ maxConcurrent: 3 }),
    ];
    await clock.advance(300);
    expect(await Promise.all(answers)).toEqual(['vendor', 'vendor', 'backup', 'vendor']);
  });

  it('values and streams', async () => {
    const { clock, vendor } = clocked();
    const chain = createFallbackChain<unknown>([async () => [await vendor()], () => ['backup']], {
      clock,
      maxConcurrent: 1,
    });
    const value = chain.run();
    const stream = chain.stream().next();
    await clock.advance(300);
    expect([await value, await stream]).toEqual([['vendor'], { value: 'backup', done: false }]);
  });

  it('reset does not forget who is in flight, nor when the candidate was called', async () => {
    const { clock, times, vendor } = clocked();
    const chain = createFallbackChain([vendor, () => 'backup'], { clock, maxConcurrent: 1, minInterval: S });
    void chain.run();
    await settle();
    chain.reset();
    expect(await chain.run()).toBe('backup');
    await clock.advance(300);
    void chain.run();
    await clock.advance(700);
    expect(times).toEqual([0, S]);
    await clock.advance(300);
  });

  it('`fallback` keeps no memory, so every call is the first', async () => {
    const { clock, times, vendor } = clocked();
    const calls = [1, 2].map(() => fallback([vendor], { clock, maxConcurrent: 1, minInterval: S }));
    await clock.advance(300);
    expect(await Promise.all(calls)).toEqual(['vendor', 'vendor']);
    expect(times).toEqual([0, 0]);
  });

  it('Infinity is none', async () => {
    const { clock, times, vendor } = clocked();
    const quick: CandidateOptions & { run: typeof vendor } = {
      run: vendor,
      minInterval: Infinity,
      maxConcurrent: Infinity,
    };
    const chain = createFallbackChain([quick], { clock, maxConcurrent: 1, minInterval: S });
    const calls = [chain.run(), chain.run()];
    await clock.advance(300);
    expect(await Promise.all(calls)).toEqual(['vendor', 'vendor']);
    expect(times).toEqual([0, 0]);
  });
});

describe('chains in chains', () => {
  it('an inner candidate waits for its slot within what the outer call has left', async () => {
    const { clock, times, vendor } = clocked();
    const inner = createFallbackChain([vendor], { name: 'inner', clock, minInterval: S });
    const outer = createFallbackChain([inner, () => 'backup'], { clock, deadline: 1_500 });
    const calls = [outer.run(), outer.run(), outer.run()];
    await clock.advance(2 * S);
    expect(await Promise.all(calls)).toEqual(['vendor', 'vendor', 'backup']);
    expect(times).toEqual([0, S]);
  });

  it('an outer timeout cuts an inner wait, and its slot is free', async () => {
    const { clock, times, vendor } = clocked();
    const inner = createFallbackChain([vendor], { name: 'inner', clock, minInterval: S });
    const outer = createFallbackChain([inner, () => 'backup'], { clock, timeout: 400 });
    const calls = [outer.run(), outer.run()];
    await clock.advance(400);
    expect(await Promise.all(calls)).toEqual(['vendor', 'backup']);
    void inner.run();
    await clock.advance(600);
    expect(times).toEqual([0, S]);
    await clock.advance(300);
    expect(clock.refd).toBe(0);
  });
});

const bounds: CandidateOptions = { healthKey: 'vendor', maxConcurrent: 1, minInterval: 200 };
let vendor: () => Promise<string>;

@Injectable()
class Vendor {
  ask(): Promise<string> {
    return vendor();
  }
}

@Injectable()
class Quotes {
  @FallbackChain(['backup'], { name: 'quotes', primary: bounds })
  quote(): Promise<string> {
    return vendor();
  }

  async backup(): Promise<string> {
    return 'backup';
  }
}

@Injectable()
class Rates {
  @FallbackChain([from(Vendor, 'ask', bounds)], { name: 'rates', deadline: '1s' })
  async rate(): Promise<string> {
    throw new Error('down');
  }
}

describe('a healthKey shares slots and permits between decorated methods', () => {
  afterEach(closeApps);

  it('F40 and tells of both as of every skip, in describe and in health', async () => {
    const { clock, times, vendor: real } = clocked();
    vendor = real;
    const { app, health, events } = await startApp({
      providers: [Vendor, Quotes, Rates],
      options: { clock, logger: false },
    });
    const rate = app.get(Rates).rate();
    await settle();
    expect(await app.get(Quotes).quote()).toBe('backup');
    expect(events.filter(({ name }) => name === 'attempt.skipped')).toEqual([
      expect.objectContaining({ chain: 'quotes', candidate: 'quote', reason: 'saturated' }),
    ]);
    expect(candidateIn(health, 'quotes', 'quote').counts).toEqual({ saturated: 1 });
    await clock.advance(300);
    expect(await rate).toBe('vendor');
    const quote = app.get(Quotes).quote();
    await clock.advance(300);
    expect(await quote).toBe('vendor');
    expect(times).toEqual([0, 300]);
    expect(health.describe('rates').candidates).toMatchObject([
      { minInterval: { value: null, origin: 'built-in default' }, maxConcurrent: { value: null } },
      {
        minInterval: { value: 200, origin: 'candidate options' },
        maxConcurrent: { value: 1, origin: 'candidate options' },
      },
    ]);
  });

  it('two applications share nothing', async () => {
    const { clock, times, vendor: real } = clocked();
    vendor = real;
    const parts = { providers: [Quotes], options: { clock, logger: false as const } };
    const apps = [await startApp(parts), await startApp(parts)];
    const quotes = apps.map(({ app }) => app.get(Quotes).quote());
    await clock.advance(300);
    expect(await Promise.all(quotes)).toEqual(['vendor', 'vendor']);
    expect(times).toEqual([0, 0]);
  });

  it('one key with two bounds does not start, and names both', async () => {
    @Injectable()
    class Other {
      @FallbackChain([], { name: 'other', primary: { healthKey: 'vendor', minInterval: '2s' } })
      async quote(): Promise<string> {
        return 'other';
      }
    }
    const starting = startApp({ providers: [Quotes, Other], options: { logger: false } });
    const { faults } = (await starting.catch((error: unknown) => error)) as FallbackConfigurationError;
    expect(faults).toEqual([
      {
        where: 'Other.quote (candidate quote)',
        option: 'healthKey',
        message:
          "Quotes.quote (candidate quote) has the healthKey 'vendor' too, with another minInterval or maxConcurrent; give both the same minInterval or maxConcurrent, or two keys",
      },
    ]);
  });
});
