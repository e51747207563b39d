import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Degraded, FallbackChain, createFallbackChain, deferred, receiptOf, served } from '../../lib/index.js';
import type { DegradedOptions, Served } from '../../lib/index.js';
import { down } from '../support/answers.js';
import { open } from '../support/ladder.js';
import { closeApps, startApp } from '../support/nest-app.js';
import { fails, gives } from '../support/plays.js';
import { TestClock } from '../support/test-clock.js';

interface Answer {
  n: number;
  degraded?: boolean;
}

describe('an inner degraded answer that a candidate puts into an envelope of its own', () => {
  afterEach(closeApps);

  const start = async (innerMark: DegradedOptions['mark']) => {
    const clock = new TestClock();
    let isUp = true;
    let isOuterUp = true;

    @Injectable()
    class Pages {
      @FallbackChain([], { name: 'inner', whenOpen: 'ignore' })
      @Degraded({ substitute: () => ({ n: 0 }), mark: innerMark } as DegradedOptions & { mark: 'receipt' })
      async inner(): Promise<Answer> {
        return isUp ? { n: 1 } : down();
      }

      @FallbackChain([], { name: 'outer', whenOpen: 'ignore' })
      @Degraded({ lastKnownGood: { maxAge: '1h' }, mark: 'served' })
      async outer(): Promise<Served<Answer>> {
        return isOuterUp ? served(await this.inner()) : down();
      }
    }
    const { app, fallback } = await startApp({ providers: [Pages], options: { clock } });
    const read = () => fallback.withReceipt(() => app.get(Pages).outer());
    return { clock, read, fall: () => (isUp = false), stop: () => (isOuterUp = false) };
  };

  it.each(['receipt', 'property'] as const)("known by its %s: stays degraded and isn't stored", async (mark) => {
    const { read, fall, stop } = await start(mark);
    fall();
    const { value, receipt } = await read();
    expect(value).toMatchObject({ value: { n: 0 }, degraded: true });
    expect(receipt).toMatchObject({ chain: 'outer', degraded: true });
    stop();
    await expect(read()).rejects.toMatchObject({ code: 'FALLBACK_EXHAUSTED', chain: 'outer' });
  });

  it('a full one stays full and is stored', async () => {
    const { read, stop } = await start('receipt');
    expect(await read()).toMatchObject({ value: { value: { n: 1 }, degraded: false }, receipt: { degraded: false } });
    stop();
    expect((await read()).value).toMatchObject({ value: { n: 1 }, degraded: true, source: 'last-known-good' });
  });
});

describe('marks of chains that have one name', () => {
  afterEach(closeApps);

  it('chains of functions without names, the inner one candidate 0', async () => {
    const thin = { n: 1 };
    const inner = createFallbackChain<Answer>([() => thin], { assess: () => 'thin' });
    // Not a candidate itself, so that both are called by the name that unnamed chains have.
    const outer = createFallbackChain<Answer>([() => inner.run()]);
    expect(outer.name).toBe(inner.name);
    const value = await outer.run();
    expect(value).toBe(thin);
    expect(receiptOf(value)).toMatchObject({ servedBy: 'candidate0', degraded: true, reason: 'thin' });
  });

  it('a decorated method that calls itself with other arguments', async () => {
    @Injectable()
    class Tree {
      @FallbackChain([], { name: 'tree', whenOpen: 'ignore' })
      @Degraded({ lastKnownGood: { maxAge: '1h' }, substitute: { n: 9 }, mark: 'receipt' })
      async read(depth: number): Promise<Answer> {
        return depth === 0 ? down() : this.read(depth - 1);
      }
    }
    const { app, fallback, events } = await startApp({ providers: [Tree] });
    const { value, receipt, receipts } = await fallback.withReceipt(() => app.get(Tree).read(2));
    expect(value).toEqual({ n: 9 });
    expect(receipt).toMatchObject({ chain: 'tree', servedBy: 'read', source: 'static', degraded: true });
    expect(receipts.map(({ degraded }) => degraded)).toEqual([true, true, true]);
    await app.get(Tree).read(1);
    expect(events.filter(({ source }) => source === 'last-known-good')).toEqual([]);
  });

  it('an object that is answered healthily later loses its old mark', async () => {
    const one = Object.freeze({ n: 1 });
    const thin = { kind: 'thin' } as const;
    let said: typeof thin | undefined = thin;
    const chain = createFallbackChain<Answer>([() => one], { name: 'same', assess: () => said });
    expect(receiptOf(await chain.run())).toMatchObject({ degraded: true });
    said = undefined;
    expect(await chain.run()).toBe(one);
    expect(receiptOf(one)).toBeUndefined();
    said = thin;
    expect(receiptOf(await chain.run())).toMatchObject({ degraded: true });
  });

  it('and its receipt says so, of a decorated method too', async () => {
    const one = { n: 1 };
    const ladder = await open({
      rungs: [
        { name: 'a', plays: [fails(new Error('down')), gives(one)] },
        { name: 'b', degraded: true, plays: gives(one) },
      ],
      degraded: { lastKnownGood: { maxAge: '1h' } },
    });
    expect((await ladder.call()).receipt).toMatchObject({ servedBy: 'b', degraded: true });
    expect((await ladder.call()).receipt).toMatchObject({ servedBy: 'a', degraded: false });
    expect(receiptOf(one)).toBeUndefined();
  });
});

describe('skip: true', () => {
  it.each([undefined, 'property', 'receipt'] as const)("with mark '%s' serves undefined", async (mark) => {
    const ladder = await open({
      rungs: [{ name: 'a', plays: fails(new Error('down')) }],
      degraded: { skip: true, ...(mark && { mark }) },
    });
    const call = await ladder.call();
    expect(call.outcome).toEqual({ value: undefined });
    expect(call.receipt).toMatchObject({ source: 'skipped', degraded: true });
    expect(ladder.eventsNamed('substitute.unmarkable')).toEqual([]);
  });
});

describe("a good answer that is held: { kind: 'ok', next: 'hold' }", () => {
  const held = { kind: 'ok', next: 'hold' } as const;

  it('is served degraded when no better one comes, and is not stored', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: [gives({ n: 1 }), fails(new Error('down'))], assess: () => held },
        { name: 'b', plays: fails(new Error('down too')) },
      ],
      options: { whenOpen: 'ignore' },
      degraded: { lastKnownGood: { maxAge: '1h' }, mark: 'property' },
    });
    const call = await ladder.call();
    expect(call.value).toEqual({ n: 1, degraded: true });
    expect(call.attempts).toEqual(['a:ok', 'b:transient']);
    expect(call.receipt).toMatchObject({ servedBy: 'a', source: 'candidate', degraded: true });
    expect((await ladder.call()).error).toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
  });

  it('gives way to a better one', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: gives({ n: 1 }), assess: () => held },
        { name: 'b', plays: gives({ n: 2 }) },
      ],
    });
    expect(await ladder.call()).toMatchObject({ value: { n: 2 }, receipt: { servedBy: 'b', degraded: false } });
  });
});

describe('a static substitute that was deferred', () => {
  it('is a fresh copy each time', async () => {
    const queued = { jobs: [1] };
    const ladder = await open({
      rungs: [{ name: 'a', plays: fails(new Error('down')) }],
      degraded: { substitute: deferred(queued), mark: 'receipt' },
    });
    const first = (await ladder.call()).value as typeof queued;
    expect(first).toEqual({ jobs: [1] });
    first.jobs.push(2);
    const call = await ladder.call();
    expect(call.value).toEqual({ jobs: [1] });
    expect(call.value).not.toBe(first);
    expect(call.receipt).toMatchObject({ source: 'deferred' });
    expect(queued).toEqual({ jobs: [1] });
  });
});
