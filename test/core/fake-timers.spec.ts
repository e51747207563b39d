import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createFallbackChain } from '../../lib/core/index.js';

// The library is imported above; fake timers are installed afterwards.
describe('B15 (e): modern fake timers, no injected clock', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const down = new Error('down');
  const hang = () => new Promise<string>(() => {});

  it('B15 (e): 20 ms fire an attempt timeout of 20 ms, and no timer pends after it', async () => {
    const chain = createFallbackChain<string>([hang, () => 'b'], { timeout: 20 });
    let value: unknown;
    void chain.run().then((given) => (value = given));
    await jest.advanceTimersByTimeAsync(19);
    expect(value).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(value).toBe('b');
    await jest.advanceTimersByTimeAsync(20);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('B15 (e): an answer in time leaves at most one timer, and none once the clock has passed the timeout', async () => {
    const chain = createFallbackChain<string>([() => 'a'], { timeout: 20, deadline: 50 });
    for (let call = 0; call < 10; call++) expect(await chain.run()).toBe('a');
    // one per distinct time
    expect(jest.getTimerCount()).toBeLessThanOrEqual(2);
    await jest.advanceTimersByTimeAsync(50);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('B15 (e): 30 000 ms end the cooldown', async () => {
    const a = jest.fn(() => Promise.reject(down));
    const chain = createFallbackChain<string>([a, () => 'b'], { breaker: { threshold: 1, cooldown: '30s' } });
    await chain.run();
    await jest.advanceTimersByTimeAsync(29_999);
    await chain.run();
    expect(a).toHaveBeenCalledTimes(1);
    expect(chain.health()[0]).toMatchObject({ state: 'open', coolingFor: 1 });
    await jest.advanceTimersByTimeAsync(1);
    await chain.run();
    expect(a).toHaveBeenCalledTimes(2);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('B15 (e): deadlines, computed timeouts and pauses between tries obey too', async () => {
    const a = jest.fn(() => Promise.reject(down));
    const chain = createFallbackChain<string>(
      [
        { run: a, retries: 2 },
        { run: hang, timeout: () => 40 },
      ],
      {
        deadline: 10_000,
        rethrow: 'last',
      },
    );
    let error: unknown;
    void chain.run().catch((thrown: unknown) => (error = thrown));
    await jest.advanceTimersByTimeAsync(500);
    expect(a).toHaveBeenCalledTimes(3);
    expect(error).toMatchObject({ name: 'AttemptTimeoutError', timeout: 40 });
    await jest.advanceTimersByTimeAsync(10_000);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('B15 (e): a chain made under real timers obeys fake ones later, and the other way round', async () => {
    jest.useRealTimers();
    const chain = createFallbackChain<string>([hang, () => 'b'], { timeout: 25 });
    for (let round = 0; round < 2; round++) {
      jest.useFakeTimers();
      const run = chain.run();
      await jest.advanceTimersByTimeAsync(25);
      expect(await run).toBe('b');
      jest.useRealTimers();
      expect(await chain.run()).toBe('b');
    }
  });
});
