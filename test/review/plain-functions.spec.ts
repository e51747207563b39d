import { getEventListeners } from 'node:events';
import { describe, expect, it, jest } from '@jest/globals';
import { createFallbackChain, fallback } from '../../lib/core/index.js';
import type { AttemptContext } from '../../lib/core/index.js';
import { Ended } from '../support/core-call.js';
import { TestClock } from '../support/test-clock.js';

const down = new Error('down');
const gone = new Error('gone');
const off = { enabled: () => false };

describe('a chain of functions that is switched off', () => {
  it.each([
    ['chain', {}],
    ['call', {}],
    ['chain', { timeout: 5, deadline: 500 }],
    ['call', { timeout: 5, deadline: 500 }],
  ] as const)('follows the signal of the %s, with %j', async (where, options) => {
    const clock = new TestClock();
    const caller = new AbortController();
    const given = { signal: caller.signal };
    let own: AbortSignal | undefined;
    const deaf = (ctx: AttemptContext) => ((own = ctx.signal), new Promise<string>(() => {}));
    const b = jest.fn(() => 'b');
    const chain = createFallbackChain<string>([deaf, b], {
      ...options,
      ...off,
      clock,
      ...(where === 'chain' && given),
    });
    const call = new Ended(chain.run(where === 'call' ? given : undefined), clock);
    await clock.advance(20);
    expect(call.outcome).toBeUndefined();
    caller.abort(gone);
    await clock.advance(0);
    expect(call).toMatchObject({ outcome: { error: gone }, took: 20 });
    expect(own?.reason).toBe(gone);
    expect(b).not.toHaveBeenCalled();
    expect(getEventListeners(caller.signal, 'abort')).toEqual([]);
  });

  it('already aborted: nobody is called', async () => {
    const a = jest.fn(() => 'a');
    await expect(fallback<string>([a], { ...off, signal: AbortSignal.abort(gone) })).rejects.toBe(gone);
    expect(a).not.toHaveBeenCalled();
  });

  it('its failures are no business of its circuits, and its hooks are not asked', async () => {
    let isOn = false;
    const hook = jest.fn(() => false);
    const chain = createFallbackChain<string>([() => Promise.reject(down), () => 'b'], {
      enabled: () => isOn,
      supports: hook,
      accept: hook,
      breaker: { threshold: 1 },
      clock: new TestClock(),
    });
    await expect(chain.run()).rejects.toBe(down);
    await expect(chain.run({ timeout: 10, args: [1] })).rejects.toBe(down);
    expect(hook).not.toHaveBeenCalled();
    expect(
      chain.health().map(({ state, consecutiveFailures, counts }) => [state, consecutiveFailures, counts]),
    ).toEqual([
      ['closed', 0, {}],
      ['closed', 0, {}],
    ]);
    isOn = true;
    expect(await chain.run({ supports: () => true, accept: () => true })).toBe('b');
  });

  it('inside another it still follows the outer attempt', async () => {
    const clock = new TestClock();
    let own: AbortSignal | undefined;
    const inner = createFallbackChain<string>([(ctx) => ((own = ctx.signal), new Promise(() => {}))], {
      ...off,
      clock,
    });
    const call = new Ended(fallback<string>([inner, () => 'b'], { timeout: 20, clock }), clock);
    await clock.advance(20);
    expect(call.value).toBe('b');
    expect(own?.aborted).toBe(true);
  });
});
