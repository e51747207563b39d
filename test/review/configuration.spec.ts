import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { FallbackChain, FallbackConfigurationError, createFallbackChain } from '../../lib/index.js';
import type { ChainOptions } from '../../lib/index.js';
import { boot, closeAll } from '../support/apps.js';
import { Ended } from '../support/core-call.js';
import { faultsOf, hostWith } from '../support/faulty.js';
import { TestClock } from '../support/test-clock.js';

const HUGE = `${'9'.repeat(400)}s`;

describe('what cannot work is told at start-up', () => {
  afterEach(closeAll);

  const cases: readonly (readonly [string, object, string, RegExp])[] = [
    ['a longest cooldown below the default one', { breaker: { maxCooldown: '1s' } }, 'breaker.maxCooldown', /5000/],
    ['an unknown key in retries', { retries: { times: 2, onn: ['timeout'] } }, 'retries', /onn/],
    ['a number of tries under another name', { retries: { time: 2 } }, 'retries', /time/],
    ['a timeout of 400 digits', { timeout: HUGE }, 'timeout', /^give /],
    ['a deadline of 400 digits', { deadline: HUGE }, 'deadline', /^give /],
    ['a cooldown of 400 digits', { breaker: { cooldown: HUGE } }, 'breaker.cooldown', /^give /],
  ];

  it.each(cases)('%s, of a decorated method', async (_what, options, option, message) => {
    const faults = await faultsOf(() => boot({ providers: [hostWith({ candidates: ['backup'], options })] }));
    expect(faults.length).toBeGreaterThan(0);
    for (const fault of faults) {
      expect(fault).toMatchObject({ option, message: expect.stringMatching(message) });
      expect(fault.where).toContain('Host.read');
    }
  });

  it.each(cases)('%s, of functions', async (_what, options, option, message) => {
    const faults = await faultsOf(() => createFallbackChain([() => 'a'], options as ChainOptions));
    for (const fault of faults) expect(fault).toMatchObject({ option, message: expect.stringMatching(message) });
  });

  it.each(cases)('%s, of one run', async (_what, options) => {
    const chain = createFallbackChain([() => 'a'], { clock: new TestClock() });
    expect(() => chain.run(options as ChainOptions)).toThrow(FallbackConfigurationError);
  });

  it('a longest cooldown at the default one is none', async () => {
    for (const maxCooldown of ['5s', 5_000, Infinity]) {
      const options = { breaker: { maxCooldown } };
      expect(await boot({ providers: [hostWith({ candidates: ['backup'], options })] })).toBeDefined();
    }
    const both = { breaker: { cooldown: '1s', maxCooldown: '2s' } };
    expect(await boot({ providers: [hostWith({ candidates: ['backup'], options: both })] })).toBeDefined();
  });
});

describe('names that every object has', () => {
  afterEach(closeAll);

  const NAMES = ['constructor', 'toString', 'hasOwnProperty', '__proto__'];

  const hostCalled = (name: string, clock: TestClock) => {
    @Injectable()
    class Slow {
      @FallbackChain([{ method: 'spare', name: 'valueOf' }], { name, primary: { name: 'toLocaleString' } })
      read(): Promise<string> {
        return clock.sleep(50).then(() => 'slow');
      }
      async spare(): Promise<string> {
        return 'spare';
      }
    }
    return Slow;
  };

  it.each(NAMES)('a chain called %s is not taken for one with overrides', async (name) => {
    const clock = new TestClock();
    @Injectable()
    class Other {
      @FallbackChain([], { name: 'other' })
      async read(): Promise<string> {
        return 'other';
      }
    }
    const Host = hostCalled(name, clock);
    const module = await boot({
      providers: [Host, Other],
      fallback: { clock, overrides: { other: { timeout: 10, candidates: {} } } },
    });
    const call = new Ended(module.get(Host).read(), clock);
    await clock.advance(50);
    expect(call).toMatchObject({ outcome: { value: 'slow' }, took: 50 });
  });

  it.each(NAMES.slice(0, 3))('and one called %s has its own, by name', async (name) => {
    const clock = new TestClock();
    const Host = hostCalled(name, clock);
    const overrides = { [name]: { candidates: { toLocaleString: { timeout: 10 } } } };
    const module = await boot({ providers: [Host], fallback: { clock, overrides } });
    const call = new Ended(module.get(Host).read(), clock);
    await clock.advance(50);
    expect(call).toMatchObject({ outcome: { value: 'spare' }, took: 10 });
  });
});
