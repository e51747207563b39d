import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { FallbackChain, FallbackConfigurationError, FallbackModule } from '../../lib/index.js';
import type { Duration } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import { gives, hangs } from '../support/plays.js';
import { TestClock } from '../support/test-clock.js';

describe('F08 a timeout that is none', () => {
  const quiet = () => {};
  const ran = jest.fn(() => Promise.resolve('a'));

  async function boot(primary: unknown, candidate?: unknown, override?: unknown) {
    @Injectable()
    class Weather {
      @FallbackChain([{ name: 'b', run: ran, ...(candidate !== undefined && { timeout: candidate as Duration }) }], {
        name: 'weather',
        ...(primary !== undefined && { timeout: primary as Duration }),
      })
      forecast(): Promise<string> {
        return ran();
      }
    }
    const overrides = override === undefined ? {} : { overrides: { weather: { timeout: override as Duration } } };
    const testing = await Test.createTestingModule({
      imports: [FallbackModule.forRoot({ clock: new TestClock(), logger: false, ...overrides })],
      providers: [Weather],
    })
      .setLogger({ log: quiet, warn: quiet, error: quiet })
      .compile();
    const app = testing.createNestApplication();
    try {
      await app.init();
      await app.get(Weather).forecast();
    } finally {
      await app.close();
    }
  }

  const places: readonly (readonly [string, (timeout: unknown) => Promise<void>, string])[] = [
    ['of the chain', (timeout) => boot(timeout), 'timeout'],
    ['of a candidate', (timeout) => boot(undefined, timeout), 'timeout'],
    ['in the overrides', (timeout) => boot(undefined, undefined, timeout), 'overrides.weather.timeout'],
  ];

  describe.each(places)('%s', (_where, start, option) => {
    it.each([[-1], [NaN], ['5'], [0]])('F08 %p: the application does not start and nothing runs', async (timeout) => {
      ran.mockClear();
      const error: unknown = await start(timeout).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(FallbackConfigurationError);
      expect(error).toBeInstanceOf(TypeError);
      const { faults, message, code } = error as FallbackConfigurationError;
      expect(code).toBe('FALLBACK_CONFIGURATION');
      expect(faults).toHaveLength(1);
      expect(faults[0]).toMatchObject({ where: expect.stringContaining('Weather.forecast'), option });
      expect(message).toContain('Weather.forecast');
      expect(message).toContain(option);
      expect(ran).not.toHaveBeenCalled();
    });
  });

  it.each([['5ms'], [5], [Infinity], [3e9]])('F08 %p is one', async (timeout) => {
    ran.mockClear();
    await boot(timeout, timeout, timeout);
    expect(ran).toHaveBeenCalledTimes(1);
  });
});

describe('F08 a timeout beyond what setTimeout keeps', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it("F08 3e9 ms on the machine's clock: not after 1 ms, but after 3e9", async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });

    class Slow {
      @FallbackChain([{ name: 'b', run: () => Promise.resolve('b') }], { timeout: 3e9 })
      ask(): Promise<string> {
        return new Promise(() => {});
      }
    }
    const testing = await Test.createTestingModule({
      imports: [FallbackModule.forRoot({ logger: false })],
      providers: [Slow],
    }).compile();
    const app = testing.createNestApplication();
    await app.init();
    let answer: unknown;
    void app
      .get(Slow)
      .ask()
      .then((value) => (answer = value));

    await jest.advanceTimersByTimeAsync(1);
    expect(answer).toBeUndefined();
    await jest.advanceTimersByTimeAsync(3e9 - 2);
    expect(answer).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(answer).toBe('b');
    await app.close();
  });

  it('F08 3e9 ms on the test clock', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: hangs },
        { name: 'b', plays: gives('b') },
      ],
      options: { timeout: 3e9 },
    });
    const call = await ladder.call(undefined, 1);
    expect(call.isSettled).toBe(false);
    await ladder.clock.advance(3e9 - 1);
    expect(call).toMatchObject({ outcome: { value: 'b' }, took: 3e9 });
    expect(call.attempts).toEqual(['a:timeout', 'b:ok']);
  });
});
