import { afterEach, describe, expect, it } from '@jest/globals';
import { ShuttingDownError } from '../../../lib/index.js';
import { gate } from '../../support/answers.js';
import { Fate, WAYS, chainOf, openDesk } from '../../support/desk.js';
import type { Opened } from '../../support/desk.js';
import { closeApps } from '../../support/nest-app.js';
import { settle } from '../../support/test-clock.js';

const DRAIN = 200;
const ways = Object.keys(WAYS);

/** A call that is in flight for `ms` of a drain that has begun. */
async function draining(ms: number): Promise<Opened & { readonly drained: Fate }> {
  const opened = await openDesk({ drain: DRAIN });
  const { clock, desk, fallback } = opened;
  desk.act = () => clock.sleep(ms).then(() => 'first');
  void desk.unlimited('q').catch(() => {});
  await settle();
  const drained = new Fate(fallback.drain());
  desk.act = () => 'answer';
  return { ...opened, drained };
}

afterEach(closeApps);

describe('B26: a new call once the shutdown has begun', () => {
  it.each(ways)('B26: %s, is rejected at once and nothing is invoked, during the drain and after it', async (way) => {
    const { app, clock, desk, events, fallback } = await draining(100);
    for (const time of [0, 100]) {
      await clock.advance(time);
      const before = events.length;
      const call = new Fate(WAYS[way]!(desk, fallback));
      await settle();
      expect(call.error).toBeInstanceOf(ShuttingDownError);
      expect(call.receipt).toMatchObject({ chain: chainOf(way), servedBy: null, stoppedBy: 'cancelled', attempts: [] });
      expect(events.slice(before)).toMatchObject([{ name: 'call.stopped', kind: 'cancelled' }]);
    }
    await app.close();
    await expect(WAYS[way]!(desk, fallback)).rejects.toThrow(ShuttingDownError);
    expect([desk.calls, desk.spares, clock.timers]).toEqual([1, 0, 0]);
  });

  it('B26: is made inside a scope that was open before, as long as the drain lasts', async () => {
    const { clock, desk, fallback } = await openDesk({ drain: DRAIN });
    desk.act = () => 'answer';
    const steps = [gate(), gate(), gate()] as const;
    const seen: unknown[] = [];
    const job = fallback.withReceipt(async () => {
      for (const step of steps) {
        await step.opened;
        // A scope of its own inside the old one is as good.
        const call = step === steps[1] ? fallback.withReceipt(() => desk.timed('q')) : desk.unlimited('q');
        await call.then(
          () => seen.push('answer'),
          (error: unknown) => seen.push(error),
        );
      }
    });
    await fallback.drain();
    steps[0].open();
    await settle();
    await clock.advance(DRAIN - 1);
    steps[1].open();
    await settle();
    await clock.advance(1);
    steps[2].open();
    await job;
    expect(seen).toEqual(['answer', 'answer', expect.any(ShuttingDownError)]);
    expect([desk.calls, clock.timers]).toEqual([2, 0]);
  });

  it('B26: made inside an old scope, has what is left of the drain, and the shutdown waits for it', async () => {
    const { app, clock, desk, fallback } = await openDesk({ drain: DRAIN });
    const go = gate();
    const job = new Fate(fallback.withReceipt(() => go.opened.then(() => desk.unlimited('q'))));
    await fallback.drain();
    await clock.advance(150);
    expect(clock.timers).toBe(0);
    go.open();
    await settle();
    const closed = new Fate(app.close());
    await clock.advance(49);
    expect([job.isSettled, closed.isSettled, desk.calls]).toEqual([false, false, 1]);
    await clock.advance(1);
    expect(job.error).toBeInstanceOf(ShuttingDownError);
    expect([closed.isSettled, desk.signals[0]!.aborted, clock.timers]).toEqual([true, true, 0]);
  });

  it('B26: a scope that is closed or was opened later admits nothing', async () => {
    const { desk, fallback } = await openDesk({ drain: DRAIN });
    const go = gate();
    let poller!: Promise<unknown>;
    await fallback.withReceipt(() => {
      poller = go.opened.then(() => desk.unlimited('q'));
    });
    await fallback.drain();
    go.open();
    await expect(poller).rejects.toThrow(ShuttingDownError);
    await expect(fallback.withReceipt(() => desk.unlimited('q'))).rejects.toThrow(ShuttingDownError);
    expect(desk.calls).toBe(0);
  });
});

describe('B26: how a shutdown begins and ends', () => {
  it.each(['drain', 'close'] as const)('B26: %s returns at once where nothing is in flight', async (how) => {
    const { app, clock, desk, fallback } = await openDesk();
    desk.act = () => 'answer';
    await desk.timed('q');
    await (how === 'drain' ? fallback.drain() : app.close());
    await expect(desk.timed('q')).rejects.toThrow(ShuttingDownError);
    expect(clock.timers).toBe(0);
  });

  it('B26: drain is begun once, however often it is asked for, and close waits for the same', async () => {
    const { app, clock, desk, fallback } = await openDesk({ drain: DRAIN });
    const call = new Fate(desk.unlimited('q'));
    await settle();
    const drains = [new Fate(fallback.drain())];
    await clock.advance(150);
    drains.push(new Fate(fallback.drain()), new Fate(app.close()));
    await clock.advance(49);
    expect([call, ...drains].map(({ isSettled }) => isSettled)).toEqual([false, false, false, false]);
    await clock.advance(1);
    expect(drains.map(({ isSettled }) => isSettled)).toEqual([true, true, true]);
    expect(call.error).toBeInstanceOf(ShuttingDownError);
    await fallback.drain();
  });

  it('B26: drain: 0 cancels at once', async () => {
    const { app, clock, desk, fallback } = await openDesk({ drain: 0 });
    const calls = ways.map((way) => new Fate(WAYS[way]!(desk, fallback)));
    await settle();
    await app.close();
    await settle();
    expect(calls.map(({ error }) => error instanceof ShuttingDownError)).toEqual(ways.map(() => true));
    expect(desk.signals.map(({ aborted }) => aborted)).toEqual(ways.map(() => true));
    expect([desk.spares, clock.timers]).toEqual([0, 0]);
  });

  it.each([
    [{}, 5_000],
    [{ drain: '3s' } as const, 3_000],
  ])('B26: with %j the drain lasts %d ms', async (options, ms) => {
    const { clock, desk, fallback } = await openDesk(options);
    const call = new Fate(desk.unlimited('q'));
    await settle();
    const drained = fallback.drain();
    await clock.advance(ms - 1);
    expect(call.isSettled).toBe(false);
    await clock.advance(1);
    await drained;
    expect(call.error).toBeInstanceOf(ShuttingDownError);
  });

  it('B26: drain: Infinity waits for as long as it takes', async () => {
    const { clock, desk, fallback } = await openDesk({ drain: Infinity });
    desk.act = () => clock.sleep(86_400_000).then(() => 'answer');
    const call = new Fate(desk.unlimited('q'));
    await settle();
    const drained = new Fate(fallback.drain());
    await clock.advance(86_399_999);
    expect([call.isSettled, drained.isSettled]).toEqual([false, false]);
    await clock.advance(1);
    expect([call.value, drained.isSettled]).toEqual(['answer', true]);
  });

  it('B26: two applications end apart', async () => {
    const [one, other] = [await openDesk({ drain: DRAIN }), await openDesk({ drain: DRAIN })];
    const calls = [one, other].map(({ desk }) => new Fate(desk.timed('q')));
    await settle();
    const closing = one.app.close();
    await one.clock.advance(DRAIN);
    await closing;
    await other.clock.advance(DRAIN);
    expect(calls.map(({ isSettled }) => isSettled)).toEqual([true, false]);
    other.desk.act = () => 'answer';
    await expect(other.desk.unlimited('q')).resolves.toBe('answer');
    await expect(one.desk.unlimited('q')).rejects.toThrow(ShuttingDownError);
    const drained = other.fallback.drain();
    await other.clock.advance(DRAIN);
    await drained;
  });
});

describe('B26: a shutdown that begins in the middle of a call', () => {
  it.each(ways)('B26: %s, whose candidate begins it', async (way) => {
    const { desk, fallback } = await openDesk({ drain: 0 });
    desk.act = () => {
      void fallback.drain();
      return 'answer';
    };
    const call = new Fate(WAYS[way]!(desk, fallback));
    await settle();
    expect(call.error).toBeInstanceOf(ShuttingDownError);
    expect(call.receipt!.attempts.map(({ kind }) => kind)).toEqual(['cancelled']);
    await fallback.drain();
  });

  it.each(ways)('B26: %s, whose observer begins it', async (way) => {
    const shutdown = { begin: (): void => {} };
    const { desk, fallback } = await openDesk({
      drain: 0,
      observers: [({ name }) => name === 'attempt.settled' && shutdown.begin()],
    });
    shutdown.begin = () => void fallback.drain();
    desk.act = () => 'answer';
    const call = new Fate(WAYS[way]!(desk, fallback));
    await fallback.drain();
    await settle();
    expect(call.isSettled).toBe(true);
    await fallback.drain();
  });
});
