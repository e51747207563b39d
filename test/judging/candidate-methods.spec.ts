import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Attempt, Degraded, FallbackChain, FallbackExhaustedError } from '../../lib/index.js';
import type { AttemptContext } from '../../lib/index.js';
import { closeApps, startApp } from '../support/nest-app.js';
import { open } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';
import { TestClock } from '../support/test-clock.js';

const first = new Error('first');
const nope = new Error('nope');
const clock = new TestClock();
const seen: { args: unknown[]; self: unknown; ctx: AttemptContext; errors: readonly unknown[] }[] = [];

@Injectable()
class Prices {
  @FallbackChain(['cached', 'guessed'], { primary: { timeout: 20 }, name: 'prices' })
  @Degraded({ substitute: undefined, mark: 'receipt', enabled: () => withSubstitute })
  async priceOf(sku: string, _options: object, _ctx?: string): Promise<string | undefined> {
    if (sku === 'slow') {
      await clock.sleep(60);
      return 'late';
    }
    throw first;
  }

  async cached(...args: [sku: string, options: object]): Promise<string | undefined> {
    seen.push({ args, self: this, ctx: undefined as never, errors: [] });
    if (args[0] === 'nope') throw nope;
    return 'cached';
  }

  async guessed(sku: string, options: object, _third?: string, @Attempt() ctx?: AttemptContext): Promise<string> {
    seen.push({ args: [sku, options], self: this, ctx: ctx!, errors: [...ctx!.errors] });
    if (sku === 'nope' || sku === 'slow') throw nope;
    return 'guessed';
  }
}

let withSubstitute = false;

describe('F52 a fallback method', () => {
  const start = async () => {
    seen.length = 0;
    withSubstitute = false;
    const started = await startApp({ providers: [Prices], options: { clock } });
    return { ...started, prices: started.app.get(Prices) };
  };

  afterEach(closeApps);

  it('F52 gets the original arguments, the very same, and `this`', async () => {
    const { prices } = await start();
    const options = { currency: 'EUR' };
    await expect(prices.priceOf('x', options)).resolves.toBe('cached');
    expect(seen).toHaveLength(1);
    expect(seen[0]!.args).toEqual(['x', options]);
    expect(seen[0]!.args[1]).toBe(options);
    expect(seen[0]!.self).toBe(prices);
  });

  it('F52 through @Attempt() it gets the context with the errors so far', async () => {
    const { prices } = await start();
    const error: unknown = await prices.priceOf('nope', {}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(FallbackExhaustedError);
    expect(seen).toHaveLength(2);
    const { ctx, errors } = seen[1]!;
    expect(errors).toHaveLength(2);
    expect(errors[0]).toBe(first);
    expect(errors[1]).toBe(nope);
    expect(ctx).toMatchObject({ chain: 'prices', candidate: 'guessed', index: 2, attempt: 2 });
    expect(ctx.signal).toBeInstanceOf(AbortSignal);
  });

  it('F52 is called exactly once, also when the abandoned action settles later', async () => {
    const { prices, fallback } = await start();
    const call = fallback.withReceipt(() => prices.priceOf('slow', {}));
    await clock.advance(20);
    expect((await call).value).toBe('cached');
    expect((await call).receipt?.attempts.map(({ candidate, kind }) => `${candidate}:${kind}`)).toEqual([
      'priceOf:timeout',
      'cached:ok',
    ]);
    await clock.advance(100);
    expect(seen).toHaveLength(1);
  });

  it("F52 one that throws 'nope' and nobody else: `failures()` gives all raw errors", async () => {
    const { prices } = await start();
    const error = await prices.priceOf('nope', {}).catch((thrown: unknown) => thrown as FallbackExhaustedError);
    expect((error as FallbackExhaustedError).failures().map(({ error: raw }) => raw)).toEqual([first, nope, nope]);
  });

  it('F52 one that throws gives way to the substitute, and `undefined` is one', async () => {
    const { prices, fallback } = await start();
    withSubstitute = true;
    const { value, receipt } = await fallback.withReceipt(() => prices.priceOf('nope', {}));
    expect(value).toBeUndefined();
    expect(receipt).toMatchObject({ source: 'static', degraded: true, servedBy: null });
  });
});

describe('F54 three candidates, each fails', () => {
  it('F54 every one is called once, and classified exactly once', async () => {
    const asked: unknown[] = [];
    const errors = ['a', 'b', 'c'].map((name) => new Error(name));
    const ladder = await open({
      rungs: errors.map((error) => ({ name: error.message, plays: fails(error) })),
      options: { classify: (error) => void asked.push(error) },
    });
    expect((await ladder.call()).error).toMatchObject({
      message: 'All 3 fallback candidates failed (a: transient; b: transient; c: transient)',
    });
    expect(ladder.calls).toEqual({ a: 1, b: 1, c: 1 });
    expect(asked).toEqual(errors);
  });

  it('F54 options of a candidate lie over those of the chain and do not leak to the next', async () => {
    const down = new Error('down');
    const ladder = await open({
      rungs: [
        { name: 'a', plays: fails(down), breaker: { threshold: 1 }, classify: () => 'timeout' },
        { name: 'b', plays: gives('no'), accept: (value: unknown) => value !== 'no' },
        { name: 'c', plays: gives('no'), breaker: { cooldown: '1s' } },
      ],
      options: { breaker: { threshold: 2, cooldown: '30s' }, classify: () => 'rate-limited' },
    });
    const call = await ladder.call();
    expect(call.attempts).toEqual(['a:timeout', 'b:rejected', 'c:ok']);
    expect(ladder.circuits).toEqual({ a: 'open 1 for 30000', b: 'closed 1', c: 'closed 0' });
  });

  it('F54 two calls at once do not disturb each other', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: [fails(new Error('1a'), 10), fails(new Error('2a'), 30)] },
        { name: 'b', plays: [fails(new Error('1b'), 10), fails(new Error('2b'), 30)] },
      ],
    });
    const [one, two] = [ladder.begin('one'), ladder.begin('two')];
    await ladder.clock.advance(100);
    expect([one.took, two.took]).toEqual([20, 60]);
    const saidBy = (error: unknown) => (error as FallbackExhaustedError).failures().map((each) => String(each.error));
    expect(saidBy(one.error)).toEqual(['Error: 1a', 'Error: 1b']);
    expect(saidBy(two.error)).toEqual(['Error: 2a', 'Error: 2b']);
  });
});
