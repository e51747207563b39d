import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { FallbackChain } from '../../lib/index.js';
import type { CandidateOptions } from '../../lib/index.js';
import { candidateIn, closeApps, startApp } from '../support/nest-app.js';
import { TestClock, settle } from '../support/test-clock.js';

const down = () => Promise.reject(new Error('down'));
const shared: CandidateOptions = { healthKey: 'vendor', breaker: { threshold: 2 } };

/** what the vendor does next */
let vendor: () => Promise<string>;
let calls: number;

@Injectable()
class Quotes {
  @FallbackChain(['backup'], { name: 'quotes', primary: shared })
  quote(): Promise<string> {
    calls++;
    return vendor();
  }

  async backup(): Promise<string> {
    return 'backup';
  }
}

@Injectable()
class Rates {
  @FallbackChain([{ name: 'vendor', run: () => (calls++, vendor()), ...shared }], { name: 'rates' })
  rate(): Promise<string> {
    return down();
  }
}

@Injectable()
class Careless {
  @FallbackChain(['backup'], { name: 'careless', primary: { healthKey: 'vendor', whenOpen: 'ignore' } })
  ask(): Promise<string> {
    calls++;
    return vendor();
  }

  async backup(): Promise<string> {
    return 'backup';
  }
}

describe('a healthKey shares a circuit between chains', () => {
  afterEach(closeApps);

  async function start() {
    const clock = new TestClock();
    calls = 0;
    vendor = down;
    const { app, health, events } = await startApp({
      providers: [Quotes, Rates, Careless],
      options: { clock, logger: false },
    });
    const states = () => [
      candidateIn(health, 'quotes', 'quote').state,
      candidateIn(health, 'rates', 'vendor').state,
      candidateIn(health, 'careless', 'ask').state,
    ];
    const named = (name: string) => events.filter((event) => event.name === name && event.candidate !== 'rate');
    return {
      clock,
      health,
      named,
      states,
      quotes: app.get(Quotes),
      rates: app.get(Rates),
      careless: app.get(Careless),
    };
  }

  it('F25 failures in one and in the other open it together, with one event', async () => {
    const { quotes, rates, states, named } = await start();
    await quotes.quote();
    await rates.rate().catch(() => {});
    expect(states()).toEqual(['open', 'open', 'closed']);
    expect(named('circuit.opened')).toHaveLength(1);
    expect(await quotes.quote()).toBe('backup');
    expect(calls).toBe(2);
  });

  it('F36 one probe for both, and its success closes both, with one event', async () => {
    const { quotes, rates, states, named, clock } = await start();
    for (let call = 1; call <= 2; call++) await quotes.quote();
    await clock.advance(5_000);
    let answer = (_value: string): void => {};
    vendor = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const probe = rates.rate();
    await settle();
    expect(calls).toBe(3);
    expect(await quotes.quote()).toBe('backup');
    expect(calls).toBe(3);
    answer('back');
    expect(await probe).toBe('back');
    expect(states()).toEqual(['closed', 'closed', 'closed']);
    expect(named('circuit.half-opened')).toHaveLength(1);
    expect(named('circuit.closed')).toHaveLength(1);
  });

  it('a candidate that ignores its circuit neither opens it nor is kept by it', async () => {
    const { careless, quotes, states } = await start();
    for (let call = 1; call <= 5; call++) await careless.ask();
    expect(states()).toEqual(['closed', 'closed', 'closed']);
    for (let call = 1; call <= 2; call++) await quotes.quote();
    expect(states()).toEqual(['open', 'open', 'closed']);
    vendor = async () => 'fine';
    expect(await careless.ask()).toBe('fine');
    expect(states()).toEqual(['open', 'open', 'closed']);
  });

  it('isolation through one is isolation in all, with one event; restored through another', async () => {
    const { health, states, named, careless, quotes } = await start();
    vendor = async () => 'fine';
    health.isolate('quotes', 'quote');
    health.isolate('rates', 'vendor');
    expect(states()).toEqual(['isolated', 'isolated', 'isolated']);
    expect([await careless.ask(), await quotes.quote()]).toEqual(['backup', 'backup']);
    health.restore('careless', 'ask');
    expect(states()).toEqual(['closed', 'closed', 'closed']);
    expect(named('circuit.isolated')).toHaveLength(1);
    expect(named('circuit.restored')).toHaveLength(1);
    expect(await quotes.quote()).toBe('fine');
  });

  it('F26 reset of one chain resets it for all', async () => {
    const { health, states, quotes } = await start();
    for (let call = 1; call <= 2; call++) await quotes.quote();
    health.reset('rates');
    expect(states()).toEqual(['closed', 'closed', 'closed']);
  });
});
