import { describe, expect, it, jest } from '@jest/globals';
import type { FallbackEvent } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import type { Setup } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';
import { settle } from '../support/test-clock.js';

const broken = new Error('the hook is broken');
const hooks = [
  [
    'throws',
    () => {
      throw broken;
    },
  ],
  ['rejects', () => Promise.reject(broken)],
] as const;

const down: Setup = {
  rungs: [
    { name: 'a', plays: fails(new Error('down')) },
    { name: 'b', plays: gives(2) },
  ],
};
const healthy: Setup = {
  rungs: [
    { name: 'a', plays: gives('a') },
    { name: 'b', plays: gives(2) },
  ],
};

describe.each(hooks)('F13 an observer that %s on every event', (_how, fault) => {
  it.each([
    ['a fails', down, 2, ['a', 'b']],
    ['a answers', healthy, 'a', ['a']],
  ] as const)('F13 changes nothing where %s', async (_case, setup, value, ran) => {
    const hook = jest.fn((_event: FallbackEvent) => fault());
    const twin = await open({ ...setup, isWatched: false });
    const ladder = await open({ ...setup, module: { observers: [hook] } });
    for (let calls = 1; calls <= 2; calls++) {
      hook.mockClear();
      const call = await ladder.call();
      expect(call.value).toBe(value);
      const settled = hook.mock.calls.map(([event]) => event).filter(({ name }) => name === 'attempt.settled');
      expect(settled.map(({ candidate, attempt }) => [candidate, attempt])).toEqual(
        ran.map((name, place) => [name, place]),
      );
      expect((await twin.call()).value).toBe(value);
      expect(ladder.calls).toEqual({ a: calls, b: ran.length === 1 ? 0 : calls });
      expect(ladder.calls).toEqual(twin.calls);
      expect(ladder.health.snapshot()).toEqual(twin.health.snapshot());
    }
    // The observer after it still hears everything, and its failures are logged once.
    expect(ladder.eventsNamed('attempt.settled')).toHaveLength(2 * ran.length);
    expect(ladder.warnings).toHaveLength(1);
    expect(ladder.warnings[0]).toContain('observer');
    // The runner fails a test that leaves a rejection unhandled.
    await settle();
  });
});
