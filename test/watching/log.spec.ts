import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { createFallbackChain, denied } from '../../lib/index.js';
import { MemoryHealthStore } from '../../lib/testing/index.js';
import { boot, closeAll } from '../support/apps.js';
import { open } from '../support/ladder.js';
import type { Setup } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';
import { TestClock } from '../support/test-clock.js';

const secret = Object.assign(new Error('key sk-12345 refused'), { apiKey: 'sk-12345' });

let said: string[];

beforeEach(() => {
  said = [];
  for (const level of ['log', 'warn', 'error'] as const) {
    jest.spyOn(Logger.prototype, level).mockImplementation((...line: unknown[]) => {
      said.push(`${level} ${line.join(' ')}`);
    });
  }
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** What the log says of a ladder's calls; Nest's own lines are not about it, and what is said at start-up is no call's. */
const lines = (): string[] => said.filter((line) => /^\w+ ladder: (?!a candidate that hangs)/.test(line));

const logged = { isWatched: false, module: { logger: undefined as never } } satisfies Partial<Setup>;

describe('the default log', () => {
  it('a degraded answer is one line, and the next only after 10 s', async () => {
    const ladder = await open({
      rungs: [{ name: 'a', plays: fails(secret), whenOpen: 'ignore' }],
      degraded: { substitute: 's' },
      ...logged,
    });
    for (let call = 0; call < 50; call++) await ladder.call();
    expect(lines()).toEqual(['warn ladder: degraded answer (static, after transient)']);
    await ladder.goTo(9_999);
    await ladder.call();
    expect(lines()).toHaveLength(1);
    await ladder.goTo(10_000);
    await ladder.call();
    expect(lines()).toHaveLength(2);
  });

  it('each kind has its own line', async () => {
    const ladder = await open({
      rungs: [
        {
          name: 'a',
          plays: [fails(secret), fails(Object.assign(new Error(), { status: 429 })), fails(secret)],
          whenOpen: 'ignore',
        },
      ],
      degraded: { substitute: 's' },
      ...logged,
    });
    for (let call = 0; call < 3; call++) await ladder.call();
    expect(lines()).toEqual([
      'warn ladder: degraded answer (static, after transient)',
      'warn ladder: degraded answer (static, after rate-limited)',
    ]);
  });

  it('a wall clock that is set back silences nothing', async () => {
    const ladder = await open({ rungs: [{ name: 'a', plays: fails(secret), whenOpen: 'ignore' }], ...logged });
    await ladder.call();
    ladder.clock.setWall(0);
    await ladder.call();
    expect(lines()).toEqual(Array(2).fill('error ladder: nobody answered (last: transient)'));
  });

  it.each([
    ['with a circuit', {}],
    ['without one', { whenOpen: 'ignore' as const }],
  ])('a denial is an error, %s', async (_how, own) => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: fails(denied('sk-12345 refused')), ...own },
        { name: 'b', plays: gives('b') },
      ],
      ...logged,
    });
    for (let call = 0; call < 3; call++) await ladder.call();
    expect(lines()).toEqual(['error ladder: a denies us; somebody must fix its credentials or account']);
  });

  it('healthy calls, and calls that another candidate answered, say nothing', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: [gives('a'), fails(secret)] },
        { name: 'b', plays: gives('b') },
      ],
      ...logged,
    });
    for (let call = 0; call < 3; call++) await ladder.call();
    expect(lines()).toEqual([]);
  });

  it('says nothing of what anybody said', async () => {
    const ladder = await open({
      rungs: [
        {
          name: 'a',
          plays: fails(secret),
          supports: () => {
            throw secret;
          },
        },
        {
          name: 'b',
          plays: fails(secret),
          accept: () => {
            throw secret;
          },
          breaker: { threshold: 1 },
        },
      ],
      degraded: {
        substitute: () => {
          throw secret;
        },
      },
      ...logged,
      module: {
        logger: undefined as never,
        observers: [
          () => {
            throw secret;
          },
        ],
      },
    });
    for (let call = 0; call < 3; call++) await ladder.call();
    await ladder.goTo(100_000);
    expect(lines().length).toBeGreaterThan(3);
    expect(said.join('\n')).not.toContain('sk-12345');
  });

  it('logger: false turns it off', async () => {
    const ladder = await open({
      rungs: [{ name: 'a', plays: fails(denied()) }],
      degraded: { substitute: 's' },
      isWatched: false,
      module: { logger: false },
    });
    for (let call = 0; call < 3; call++) await ladder.call();
    await ladder.goTo(100_000);
    expect(lines()).toEqual([]);
  });

  it('of an opening that a process only learns of, it says no kind', async () => {
    const clock = new TestClock();
    const healthStore = new MemoryHealthStore({ clock });
    const breaker = { threshold: 1, cooldown: 5_000, factor: 2, maxCooldown: 300_000, mode: 'consecutive' } as const;
    const outcome = { epoch: 0, health: 'failure', kind: 'transient' } as const;
    await healthStore.record('sums/a', { ...outcome, breaker: { ...breaker, window: 0, volume: 0, share: 0 } });
    const chain = createFallbackChain([{ name: 'a', run: () => 1 }], { name: 'sums' });
    await boot({ fallback: { healthStore, clock, chains: [chain], logger: undefined as never } });
    expect(said).toContain('warn sums: a is cooling');
    await closeAll();
  });
});
