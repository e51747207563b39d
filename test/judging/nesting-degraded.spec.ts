import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Degraded, FallbackChain, from, receiptOf } from '../../lib/index.js';
import type { DegradedOptions, Served } from '../../lib/index.js';
import { Ended } from '../support/core-call.js';
import { closeApps, startApp } from '../support/nest-app.js';
import { TestClock } from '../support/test-clock.js';

const down = new Error('down');
interface Answer {
  n: number;
}

/** An outer chain whose second candidate is an inner one that serves its substitute with this mark. */
async function start(innerMark: DegradedOptions['mark'], outerMark: DegradedOptions['mark']) {
  const clock = new TestClock();
  let hasSubstitute = true;

  @Injectable()
  class Inner {
    @FallbackChain([], { name: 'inner' })
    @Degraded({ substitute: () => ({ n: 1 }), enabled: () => hasSubstitute, mark: innerMark } as DegradedOptions & {
      mark: 'receipt';
    })
    read(): Promise<Answer> {
      return Promise.reject(down);
    }
  }

  @Injectable()
  class Outer {
    @FallbackChain([from(Inner, 'read') as never], { name: 'outer' })
    @Degraded({
      lastKnownGood: { maxAge: '1h' },
      mark: outerMark,
    } as DegradedOptions & { mark: 'receipt' })
    read(): Promise<Answer> {
      return Promise.reject(down);
    }
  }
  const { app, fallback, events } = await startApp({ providers: [Inner, Outer], options: { clock } });
  return { clock, events, fallback, stop: () => (hasSubstitute = false), read: () => app.get(Outer).read() };
}

describe('an inner chain that serves its substitute makes the outer degraded', () => {
  afterEach(closeApps);

  it.each([
    ['receipt', 'receipt', { n: 1 }],
    ['property', 'receipt', { n: 1, degraded: true }],
    ['receipt', 'property', { n: 1, degraded: true }],
    ['property', 'property', { n: 1, degraded: true }],
  ] as const)("mark '%s' inside, '%s' outside", async (inner, outer, value) => {
    const { fallback, read } = await start(inner, outer);
    const answer = await fallback.withReceipt(read);
    expect(answer.value).toEqual(value);
    expect(answer.receipt).toMatchObject({
      chain: 'outer',
      servedBy: 'Inner.read',
      source: 'static',
      degraded: true,
      failedOver: true,
    });
    expect(receiptOf(answer.value)).toMatchObject({ chain: 'outer', degraded: true });
    expect(answer.receipts.map(({ chain, degraded }) => [chain, degraded])).toEqual([
      ['inner', true],
      ['outer', true],
    ]);
  });

  it.each(['served', 'receipt'] as const)("known by its envelope: 'served' inside, '%s' outside", async (outer) => {
    const { fallback, read } = await start('served', outer);
    const { value, receipt } = await fallback.withReceipt(read);
    expect(receipt).toMatchObject({ chain: 'outer', degraded: true, source: 'static' });
    expect(value as unknown as Served<Answer>).toMatchObject({ value: { n: 1 }, degraded: true, source: 'static' });
  });

  it('and the outer one does not keep it as its last known good', async () => {
    const { clock, stop, read, events } = await start('receipt', 'receipt');
    await read();
    await clock.advance(2_000);
    stop();
    await expect(read()).rejects.toMatchObject({ code: 'FALLBACK_EXHAUSTED', chain: 'outer' });
    expect(events.filter(({ source }) => source === 'last-known-good')).toEqual([]);
  });
});

describe('an inner chain with a reserve and no deadline of its own', () => {
  afterEach(closeApps);

  it('keeps the reserve from what the outer deadline leaves', async () => {
    const clock = new TestClock();

    @Injectable()
    class Pages {
      @FallbackChain(['inner'], { name: 'outer', deadline: 100 })
      read(): Promise<string> {
        return Promise.reject(down);
      }

      @FallbackChain([], { name: 'inner', reserve: 30 })
      @Degraded({ substitute: () => clock.sleep(20).then(() => 'computed'), mark: 'receipt' })
      inner(): Promise<string> {
        return new Promise(() => {});
      }
    }
    const { app } = await startApp({ providers: [Pages], options: { clock } });
    const call = new Ended(app.get(Pages).read(), clock);
    await clock.advance(200);
    expect(call).toMatchObject({ outcome: { value: 'computed' }, took: 90 });
  });
});
