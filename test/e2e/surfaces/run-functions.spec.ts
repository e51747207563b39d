/** FallbackService.run with chains of plain functions, registered or not. */
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  ChainHealthService,
  FallbackConfigurationError,
  FallbackService,
  createFallbackChain,
} from '../../../lib/index.js';
import type { FallbackModuleOptions } from '../../../lib/index.js';
import { down } from '../../support/answers.js';
import { boot, closeAll } from '../../support/apps.js';
import { TestClock } from '../../support/test-clock.js';

const start = async (options: FallbackModuleOptions = {}) => {
  const module = await boot({ fallback: options });
  return { fallback: module.get(FallbackService), health: module.get(ChainHealthService) };
};

describe('FallbackService.run with a chain of functions', () => {
  afterEach(closeAll);

  const chain = createFallbackChain<string>(
    [(_ctx, id = '-') => down(id), (_ctx, id = '-') => `backup of ${String(id)}`],
    {
      name: 'functions',
      args: ['own'],
    },
  );

  it.each([
    ['registered', { chains: [chain] }],
    ['not registered', {}],
  ])('%s: runs with the given arguments, else with its own', async (_what, options) => {
    const { fallback } = await start(options);
    expect(await fallback.run(chain, ['7'])).toBe('backup of 7');
    expect(await fallback.run(chain, [])).toBe('backup of -');
    expect(await fallback.run(chain)).toBe('backup of own');
    const { receipt } = await fallback.withReceipt(() => fallback.run(chain, ['7']));
    expect(receipt).toMatchObject({ chain: 'functions', servedBy: 'candidate1' });
  });

  it.each([
    ['registered', true],
    ['not registered', false],
  ])('%s: signal and options of the call', async (_what, isRegistered) => {
    const clock = new TestClock();
    const hangs = createFallbackChain<string>([() => new Promise<string>(() => {})], { name: 'hangs-too', clock });
    const { fallback } = await start({ clock, chains: isRegistered ? [hangs] : [] });
    const controller = new AbortController();
    const reason = new Error('enough');
    const ended = fallback.run(hangs, [], { signal: controller.signal });
    controller.abort(reason);
    await expect(ended).rejects.toBe(reason);
    let error: unknown;
    void fallback.run(hangs, [], { deadline: 40 }).catch((thrown: unknown) => (error = thrown));
    await clock.advance(40);
    expect(error).toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
    await expect(fallback.run(hangs, [], { deadline: 0 })).rejects.toBeInstanceOf(FallbackConfigurationError);
  });

  it('not registered: no name, and a memory of its own', async () => {
    const { fallback, health } = await start();
    const own = createFallbackChain<string>([() => down(), () => 'b'], { name: 'own' });
    await fallback.run(own);
    expect(own.health()[0]!.counts).toEqual({ transient: 1 });
    expect(health.check('own')).toMatchObject({ own: { status: 'down' } });
    await expect(fallback.run('own')).rejects.toThrow(/no chain is called 'own'/);
  });
});
