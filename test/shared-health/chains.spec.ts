import { Injectable } from '@nestjs/common';
import { afterEach, expect, it } from '@jest/globals';
import { ChainHealthService, FallbackChain, FallbackService } from '../../lib/index.js';
import type { FallbackEvent } from '../../lib/index.js';
import { createFallbackChain } from '../../lib/core/index.js';
import { MemoryHealthStore } from '../../lib/testing/index.js';
import { boot, closeAll } from '../support/apps.js';
import { hear, namesOf } from '../support/fleet.js';
import { TestClock } from '../support/test-clock.js';

afterEach(closeAll);

const state = { isDown: false, calls: 0 };
const asked = async (): Promise<string> => {
  state.calls++;
  if (state.isDown) throw new Error('down');
  return 'primary';
};
const backup = { name: 'backup', run: () => Promise.resolve('backup') };

@Injectable()
class Shop {
  @FallbackChain([backup], { name: 'values', timeout: 1_000, primary: { healthKey: 'model' } })
  async value(): Promise<string> {
    return asked();
  }

  @FallbackChain([backup], { name: 'others', timeout: 1_000, primary: { healthKey: 'model' } })
  async other(): Promise<string> {
    return asked();
  }

  @FallbackChain(
    [
      {
        name: 'backup',
        async *run() {
          yield 'backup';
        },
      },
    ],
    { name: 'streams', timeout: 1_000, primary: { healthKey: 'model' } },
  )
  async *stream(): AsyncGenerator<string> {
    yield await asked();
  }

  @FallbackChain([backup], {
    name: 'hedged',
    timeout: 1_000,
    cost: 0,
    hedge: { after: 100 },
    primary: { healthKey: 'model' },
  })
  async hedged(): Promise<string> {
    return asked();
  }
}

async function pair() {
  state.isDown = false;
  const clock = new TestClock();
  const healthStore = new MemoryHealthStore({ clock });
  const functions = () =>
    createFallbackChain([{ name: 'primary', run: asked, healthKey: 'model' }, backup], {
      name: 'functions',
      timeout: 1_000,
    });
  const events: FallbackEvent[] = [];
  const observers = [(event: FallbackEvent) => void events.push(event)];
  const chains = [functions(), functions()] as const;
  const one = await boot({ providers: [Shop], fallback: { clock, healthStore, chains: [chains[0]] } });
  const two = await boot({ providers: [Shop], fallback: { clock, healthStore, observers, chains: [chains[1]] } });
  await hear();
  return { one, two, clock, events };
}

const first = async (stream: AsyncIterable<string>): Promise<string> => {
  for await (const element of stream) return element;
  return 'nothing';
};

const ways: readonly [string, (app: Awaited<ReturnType<typeof boot>>) => Promise<unknown>][] = [
  ['a method', (app) => app.get(Shop).value()],
  ['a stream', (app) => first(app.get(Shop).stream())],
  ['a hedged method', (app) => app.get(Shop).hedged()],
  ['a chain of functions', (app) => app.get(FallbackService).run('functions')],
  ['a call with options of its own', (app) => app.get(FallbackService).run('values', [], { timeout: 500 })],
];

it.each(ways)('%s finds it out, and probes, for every kind of chain in every process', async (_what, ask) => {
  const { one, two, clock, events } = await pair();
  state.isDown = true;
  for (let turn = 0; turn < 3; turn++) expect(await ask(one)).toBe('backup');
  await hear();
  state.calls = 0;
  for (const [, other] of ways) expect(await other(two)).toBe('backup');
  expect(state.calls).toBe(0);
  expect(namesOf(events, 'circuit.opened')).toEqual(['circuit.opened']);
  const { candidates } = two.get(ChainHealthService).snapshot('others');
  expect(candidates[0]).toMatchObject({ state: 'open' });

  await clock.advance(5_000);
  state.isDown = false;
  expect(await ask(two)).toBe('backup');
  await hear();
  expect(await ask(two)).toBe('primary');
  await hear();
  expect(state.calls).toBe(1);
  for (const [, other] of ways) expect(await other(one)).toBe('primary');
});

it('a health key of one call alone is known to the fleet, too', async () => {
  const { one, two } = await pair();
  const own = { primary: { healthKey: 'own' } };
  state.isDown = true;
  for (let turn = 0; turn < 3; turn++) await one.get(FallbackService).run('values', [], own);
  await hear();
  state.calls = 0;
  for (let turn = 0; turn < 2; turn++) {
    expect(await two.get(FallbackService).run('values', [], own)).toBe('backup');
    await hear();
  }
  expect(state.calls).toBe(1);
  state.isDown = false;
  expect(await two.get(Shop).value()).toBe('primary');
});

it('a breaker of one call is judged by in the store, too', async () => {
  const { one, two } = await pair();
  await one.get(Shop).value();
  state.isDown = true;
  await one.get(FallbackService).run('values', [], { breaker: { threshold: 1, cooldown: '1h', maxCooldown: '1h' } });
  await hear();
  for (const app of [one, two]) {
    const { candidates } = app.get(ChainHealthService).snapshot('values');
    expect(candidates[0]).toMatchObject({ state: 'open', coolingFor: 3_600_000 });
  }
});
