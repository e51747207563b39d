import { describe, expect, it } from '@jest/globals';
import { createFallbackChain, fallback } from '../../lib/core/index.js';
import type { AttemptContext } from '../../lib/core/index.js';
import { Ended, Heard } from '../support/core-call.js';
import { TestClock, settle } from '../support/test-clock.js';

const FREE = { cost: 0, hedge: { after: 20 } } as const;

describe('hedged chains of plain functions', () => {
  it('a chain without limits is hedged too: its first candidate can be cut', async () => {
    const clock = new TestClock();
    let signal: AbortSignal | undefined;
    const slow = (ctx: AttemptContext): Promise<string> => {
      ({ signal } = ctx);
      return new Promise(() => {});
    };
    const call = new Ended(fallback([slow, async () => 'b'], { ...FREE, clock }), clock);
    await clock.advance(20);
    expect([call.value, call.took]).toEqual(['b', 20]);
    expect(signal!.aborted).toBe(true);
    expect(clock.refd).toBe(0);
  });

  it('onAttempt hears each attempt once, losers with their reason', async () => {
    const clock = new TestClock();
    const heard = new Heard();
    const chain = createFallbackChain<string>(
      [
        { name: 'a', run: () => clock.sleep(90).then(() => 'a') },
        { name: 'b', run: () => clock.sleep(10).then(() => 'b') },
      ],
      { ...FREE, clock, onAttempt: heard.onAttempt },
    );
    const call = new Ended(chain.run(), clock);
    await clock.advance(200);
    expect(call.value).toBe('b');
    expect(heard.kinds).toEqual(['a:cancelled', 'b:ok']);
    expect(heard.raws).toEqual([{ error: expect.objectContaining({ name: 'AbortError' }) as unknown }, { value: 'b' }]);
    expect(chain.health()).toMatchObject([
      { state: 'closed', consecutiveFailures: 0, counts: { cancelled: 1 } },
      { state: 'closed', consecutiveFailures: 0, counts: { ok: 1 } },
    ]);
  });

  it('an inner chain that loses is ended with all that runs in it', async () => {
    const clock = new TestClock();
    const signals: AbortSignal[] = [];
    const hang = ({ signal }: AttemptContext): Promise<string> => {
      signals.push(signal);
      return new Promise(() => {});
    };
    const inner = createFallbackChain<string>([hang, hang], { ...FREE, name: 'inner', clock });
    const outer = fallback([inner, () => clock.sleep(30).then(() => 'b')], {
      cost: 0,
      hedge: { after: 25 },
      clock,
    });
    const call = new Ended(outer, clock);
    await clock.advance(55);
    expect(call.value).toBe('b');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(inner.health()).toMatchObject([{ consecutiveFailures: 0 }, { consecutiveFailures: 0 }]);
    expect(clock.refd).toBe(0);
  });

  it('switched off, it is the first candidate alone', async () => {
    const clock = new TestClock();
    const chain = createFallbackChain<string>([() => clock.sleep(90).then(() => 'a'), async () => 'b'], {
      ...FREE,
      clock,
      enabled: () => false,
    });
    const call = new Ended(chain.run(), clock);
    await clock.advance(90);
    expect(call.value).toBe('a');
  });

  it('a thousand calls at once wait on one timer, and leave nothing', async () => {
    const clock = new TestClock();
    const chain = createFallbackChain<string>([() => clock.sleep(90).then(() => 'a'), async () => 'b'], {
      ...FREE,
      clock,
    });
    const before = clock.timers;
    const calls = Array.from({ length: 1_000 }, () => chain.run());
    expect(clock.timers - before).toBe(1_000 + 1);
    await clock.advance(100);
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['b']));
    await settle();
    expect(clock.timers).toBe(0);
  });
});
