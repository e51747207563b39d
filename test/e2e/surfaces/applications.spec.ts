import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ChainHealthService, Degraded, FallbackChain, FallbackService } from '../../../lib/index.js';
import type { FallbackEvent, FallbackModuleOptions } from '../../../lib/index.js';
import { boot, closeAll } from '../../support/apps.js';
import { TestClock } from '../../support/test-clock.js';

@Injectable()
class Quotes {
  @FallbackChain(['b'], { name: 'quotes', breaker: { cooldown: '1m', factor: 1 } })
  async a(isUp: boolean): Promise<string> {
    if (!isUp) throw new Error('A is down');
    return 'a';
  }

  async b(_isUp: boolean): Promise<string> {
    return 'b';
  }

  @Degraded({ lastKnownGood: { maxAge: '10m', key: (key: string) => key }, substitute: 'nothing', mark: 'receipt' })
  async kept(_key: string, value?: string): Promise<string> {
    if (value === undefined) throw new Error('the upstream is down');
    return value;
  }
}

describe('B25 (c): two applications in one process, with one decorated class', () => {
  afterEach(closeAll);

  const start = async (options: FallbackModuleOptions) => {
    const clock = new TestClock();
    const events: FallbackEvent[] = [];
    const observers = [(event: FallbackEvent) => void events.push(event)];
    const module = await boot({ providers: [Quotes], fallback: { ...options, clock, observers } });
    const stateOfA = () => module.get(ChainHealthService).snapshot('quotes').candidates[0]!;
    const sourceOf = async (key: string) =>
      (await module.get(FallbackService).withReceipt(() => module.get(Quotes).kept(key))).receipt!.source;
    return { module, clock, events, stateOfA, sourceOf, quotes: module.get(Quotes) };
  };
  const startBoth = async () => ({
    one: await start({ overrides: { quotes: { breaker: { threshold: 1 } } } }),
    two: await start({ overrides: { quotes: { breaker: { threshold: 2 } } } }),
  });

  it('each has its own options, circuits and counts', async () => {
    const { one, two } = await startBoth();
    for (const each of [one, two]) expect(await each.quotes.a(false)).toBe('b');
    expect(one.stateOfA()).toMatchObject({ state: 'open', coolingFor: 60_000, counts: { transient: 1 } });
    expect(two.stateOfA()).toMatchObject({ state: 'closed', consecutiveFailures: 1, counts: { transient: 1 } });
    expect([await one.quotes.a(true), await two.quotes.a(true)]).toEqual(['b', 'a']);
  });

  it('each has its own clock', async () => {
    const { one, two } = await startBoth();
    for (const each of [one, two, two]) await each.quotes.a(false);
    await two.clock.advance(60_000);
    expect([one.stateOfA().state, two.stateOfA().state]).toEqual(['open', 'half-open']);
    expect([await one.quotes.a(true), await two.quotes.a(true)]).toEqual(['b', 'a']);
  });

  it('each has its own store, and observers that hear of it alone', async () => {
    const { one, two } = await startBoth();
    await one.quotes.kept('key', 'of one');
    expect([await one.sourceOf('key'), await two.sourceOf('key')]).toEqual(['last-known-good', 'static']);
    const served = ({ events }: typeof one) =>
      events.filter(({ name, degraded }) => name === 'call.served' && degraded === true).map(({ source }) => source);
    expect([served(one), served(two)]).toEqual([['last-known-good'], ['static']]);
  });

  it('the second works on when the first is closed', async () => {
    const { one, two } = await startBoth();
    await two.quotes.kept('key', 'of two');
    await two.quotes.a(false);
    await one.module.close();
    expect(await two.quotes.a(false)).toBe('b');
    expect(two.stateOfA()).toMatchObject({ state: 'open', coolingFor: 60_000 });
    expect(await two.sourceOf('key')).toBe('last-known-good');
    await two.clock.advance(60_000);
    expect(await two.quotes.a(true)).toBe('a');
  });
});
