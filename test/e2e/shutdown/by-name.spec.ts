import { afterEach, describe, expect, it } from '@jest/globals';
import { FallbackModule, FallbackService, ShuttingDownError, createFallbackChain } from '../../../lib/index.js';
import { boot, closeAll } from '../../support/apps.js';
import { Desk, Fate, openDesk } from '../../support/desk.js';
import { closeApps, startApp } from '../../support/nest-app.js';
import { TestClock, settle } from '../../support/test-clock.js';

const DRAIN = 200;

afterEach(closeApps);
afterEach(closeAll);

describe('B26: chains that are called by name while the application shuts down', () => {
  it.each([{}, { signal: new AbortController().signal }, { deadline: '1h' } as const])(
    "B26: a decorated method's, with %j",
    async (overrides) => {
      const { clock, desk, fallback } = await openDesk({ drain: DRAIN });
      const call = new Fate(fallback.run('unlimited', ['q'], overrides));
      await settle();
      const drained = new Fate(fallback.drain());
      await expect(fallback.run('unlimited', ['q'], overrides)).rejects.toThrow(ShuttingDownError);
      await clock.advance(DRAIN - 1);
      expect(call.isSettled).toBe(false);
      await clock.advance(1);
      expect(call.error).toBeInstanceOf(ShuttingDownError);
      expect([drained.isSettled, desk.calls, desk.spares, clock.timers]).toEqual([true, 1, 0, 0]);
    },
  );

  it.each([{}, { signal: new AbortController().signal }, { timeout: '1h' } as const])(
    'B26: one of plain functions that the application has registered, with %j',
    async (overrides) => {
      const clock = new TestClock();
      const signals: AbortSignal[] = [];
      const chain = createFallbackChain<string>(
        [
          ({ signal }) => {
            signals.push(signal);
            return new Promise<never>(() => {});
          },
          () => 'spare',
        ],
        { name: 'functions' },
      );
      const { fallback } = await startApp({ options: { clock, drain: DRAIN, chains: [chain] } });
      const call = new Fate(fallback.run('functions', [], overrides));
      await settle();
      const drained = fallback.drain();
      await expect(fallback.run(chain, [], overrides)).rejects.toThrow(ShuttingDownError);
      await clock.advance(DRAIN);
      await drained;
      expect(call.error).toBeInstanceOf(ShuttingDownError);
      expect(signals.map(({ reason }) => reason as unknown)).toEqual([call.error]);
      expect(clock.timers).toBe(0);
    },
  );

  it('B26: two imports of the module have one drain', async () => {
    const clock = new TestClock();
    const options = { clock, drain: DRAIN, logger: false } as const;
    const app = await boot({ providers: [Desk], fallback: options, imports: [FallbackModule.forRoot(options)] });
    const call = new Fate(app.get(Desk).unlimited('q'));
    await settle();
    const closed = new Fate(app.close());
    const drained = new Fate(app.get(FallbackService).drain());
    await clock.advance(DRAIN - 1);
    expect([call, closed, drained].map(({ isSettled }) => isSettled)).toEqual([false, false, false]);
    await clock.advance(1);
    expect([call, closed, drained].map(({ isSettled }) => isSettled)).toEqual([true, true, true]);
    expect(clock.timers).toBe(0);
  });
});
