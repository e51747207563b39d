// What random programs of streams have found (test/model), each as small as it can be.
import { describe, expect, it, jest } from '@jest/globals';
import { budgetExhausted, createFallbackChain, receiptOf } from '../../lib/core/index.js';
import type { AttemptContext } from '../../lib/core/index.js';
import { TestClock, settle } from '../support/test-clock.js';

const down = new Error('down');

describe('streams, found by the model', () => {
  it('F45 a consumer who leaves before the commit of a stream that nothing else could cut settles its attempt', async () => {
    const kinds: string[] = [];
    const chain = createFallbackChain<string>([() => new ReadableStream<string>({})], {
      onAttempt: ({ kind }) => kinds.push(kind),
    });
    const stream = chain.stream();
    const pending = stream.next();
    await stream.return();
    expect(await pending).toEqual({ value: undefined, done: true });
    expect(kinds).toEqual(['cancelled']);
    expect(chain.health()[0]!.counts).toEqual({ cancelled: 1 });
  });

  it('F31 a last resort that breaks after its commit changes nothing: its circuit stays open as it was', async () => {
    const clock = new TestClock();
    let isBreaking = false;
    const chain = createFallbackChain<string>(
      [
        async function* () {
          if (isBreaking) yield 'first';
          throw down;
        },
      ],
      { clock, breaker: { threshold: 1, cooldown: 1_000 } },
    );
    await expect(chain.stream().next()).rejects.toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
    const { openUntil } = chain.health()[0]!;
    isBreaking = true;
    await clock.advance(100);
    const stream = chain.stream();
    expect(await stream.next()).toEqual({ value: 'first', done: false });
    await expect(stream.next()).rejects.toBe(down);
    expect(chain.health()[0]).toMatchObject({ state: 'open', openUntil });
  });

  it('B18 a thin stream that is served after a spent budget says so, as a thin answer does', async () => {
    const chain = createFallbackChain<object>([
      { run: () => [{ thin: true }], assess: () => 'thin' },
      {
        run: () => {
          throw budgetExhausted();
        },
      },
    ]);
    const { value } = await chain.stream().next();
    expect(receiptOf(value)).toMatchObject({ servedBy: 'candidate0', reason: 'thin', stoppedBy: 'budget' });
  });

  it('F45 a thin stream that was held and not needed is closed, and its signal aborted', async () => {
    let signal: AbortSignal | undefined;
    const returned = jest.fn(() => ({ done: true as const, value: undefined }));
    const thin = { next: () => ({ done: false as const, value: 'thin' }), return: returned };
    const chain = createFallbackChain<string>([
      {
        run: (ctx: AttemptContext) => {
          signal = ctx.signal;
          return { [Symbol.iterator]: () => thin };
        },
        assess: () => 'thin',
      },
      () => ['full'],
    ]);
    const got: string[] = [];
    for await (const element of chain.stream()) got.push(element);
    expect(got).toEqual(['full']);
    await settle();
    expect(returned).toHaveBeenCalledTimes(1);
    expect(signal!.aborted).toBe(true);
  });
});
