import { afterEach, describe, expect, it } from '@jest/globals';
import { ShuttingDownError, unsupported } from '../../../lib/index.js';
import { gate } from '../../support/answers.js';
import { Fate, WAYS, chainOf, openDesk } from '../../support/desk.js';
import { candidateIn, closeApps, settledOf } from '../../support/nest-app.js';
import { unhandledDuring } from '../../support/rejections.js';
import { settle } from '../../support/test-clock.js';

const DRAIN = 200;
const ways = Object.keys(WAYS);

afterEach(closeApps);

describe('B26: a call in flight when the application shuts down', () => {
  it.each(ways)('B26: %s, is cancelled when the drain is over', async (way) => {
    const { app, clock, desk, events, fallback, health } = await openDesk({ drain: DRAIN });
    const call = new Fate(WAYS[way]!(desk, fallback));
    await settle();
    const closed = new Fate(app.close());
    await clock.advance(DRAIN - 1);
    expect([call.isSettled, closed.isSettled, desk.signals[0]!.aborted]).toEqual([false, false, false]);
    await clock.advance(1);

    expect(call.error).toBeInstanceOf(ShuttingDownError);
    expect(call.error).toMatchObject({ code: 'SHUTTING_DOWN', message: 'The application is shutting down' });
    expect(closed.isSettled).toBe(true);
    expect(desk.signals[0]!.reason).toBe(call.error);
    expect([desk.calls, desk.spares]).toEqual([1, 0]);
    const chain = chainOf(way);
    expect(call.receipt).toMatchObject({ chain, servedBy: null, degraded: false, stoppedBy: 'cancelled' });
    expect(call.receipt!.attempts).toMatchObject([
      { candidate: chain, attempt: 0, kind: 'cancelled', duration: DRAIN },
    ]);
    expect(settledOf(events, chain)).toMatchObject([{ kind: 'cancelled' }]);
    expect(events.filter(({ name }) => name === 'call.stopped')).toMatchObject([{ chain, kind: 'cancelled' }]);
    const { state, consecutiveFailures, counts } = candidateIn(health, chain, chain);
    expect({ state, consecutiveFailures, counts }).toEqual({
      state: 'closed',
      consecutiveFailures: 0,
      counts: { cancelled: 1 },
    });
    expect(clock.timers).toBe(0);
  });

  it.each(ways)('B26: %s, gets its answer within the drain, and the shutdown waits no longer', async (way) => {
    const { app, clock, desk, fallback } = await openDesk({ drain: DRAIN });
    desk.act = () => clock.sleep(100).then(() => 'answer');
    const call = new Fate(WAYS[way]!(desk, fallback));
    await settle();
    const closed = new Fate(app.close());
    await clock.advance(99);
    expect([call.isSettled, closed.isSettled]).toEqual([false, false]);
    await clock.advance(1);
    expect(way === 'scoped' ? (call.value as { value: unknown }).value : call.value).toBe('answer');
    expect(closed.isSettled).toBe(true);
    expect(clock.timers).toBe(0);
  });

  it.each(ways)('B26: %s, may still go on to its next candidate within the drain', async (way) => {
    const { clock, desk, fallback } = await openDesk({ drain: DRAIN });
    const fail = gate();
    desk.act = () =>
      fail.opened.then(() => {
        throw unsupported();
      });
    const call = new Fate(WAYS[way]!(desk, fallback));
    await settle();
    const drained = new Fate(fallback.drain());
    fail.open();
    await settle();
    expect(way === 'scoped' ? (call.value as { value: unknown }).value : call.value).toBe('spare');
    expect([desk.calls, desk.spares]).toEqual([1, 1]);
    expect(drained.isSettled).toBe(true);
    expect(clock.timers).toBe(0);
  });

  it.each(
    ways.flatMap(
      (way) =>
        [
          [way, 'answers', (): unknown => 'late'],
          [way, 'fails', (): unknown => Promise.reject(new Error('late'))],
        ] as const,
    ),
  )('B26: %s, that %s late changes nothing any more', async (way, _what, late) => {
    const { app, clock, desk, events, fallback, health } = await openDesk({ drain: DRAIN });
    const finish = gate();
    desk.act = () => finish.opened.then(late);
    const call = new Fate(WAYS[way]!(desk, fallback));
    await settle();
    const closing = app.close();
    await clock.advance(DRAIN);
    await closing;
    const { error } = call;
    const before = [events.length, JSON.stringify(health.snapshot())];
    expect(await unhandledDuring(() => finish.open())).toEqual([]);
    expect([events.length, JSON.stringify(health.snapshot())]).toEqual(before);
    expect(call.error).toBe(error);
    expect([desk.calls, desk.spares, clock.timers]).toEqual([1, 0, 0]);
  });

  it.each(ways)('B26: %s, whose client fails because of the signal, is cancelled all the same', async (way) => {
    const { app, clock, desk, fallback } = await openDesk({ drain: DRAIN });
    desk.act = (signal) =>
      new Promise((_resolve, reject) => {
        signal!.addEventListener('abort', () => reject(Object.assign(new Error('aborted'), { name: 'AbortError' })));
      });
    const call = new Fate(WAYS[way]!(desk, fallback));
    await settle();
    const unhandled = unhandledDuring(async () => {
      const closing = app.close();
      await clock.advance(DRAIN);
      await closing;
    });
    expect(await unhandled).toEqual([]);
    expect(call.error).toBeInstanceOf(ShuttingDownError);
    expect(desk.spares).toBe(0);
  });

  it('B26: counts for nothing as a probe', async () => {
    const breaker = { threshold: 1, cooldown: '1s' } as const;
    const { clock, desk, fallback, health } = await openDesk({ drain: DRAIN, defaults: { breaker } });
    desk.act = () => Promise.reject(new Error('down'));
    await desk.unlimited('q');
    await clock.advance(1_000);
    desk.act = () => new Promise(() => {});
    const probe = new Fate(desk.unlimited('q'));
    await settle();
    const drained = fallback.drain();
    await clock.advance(DRAIN);
    await drained;
    expect(probe.error).toBeInstanceOf(ShuttingDownError);
    const { consecutiveFailures, coolingFor, counts } = candidateIn(health, 'unlimited', 'unlimited');
    expect({ consecutiveFailures, coolingFor, counts }).toEqual({
      consecutiveFailures: 1,
      coolingFor: 0,
      counts: { transient: 1, cancelled: 1 },
    });
  });

  it('B26: many calls that end in any order are waited for to the last', async () => {
    const { clock, desk, fallback } = await openDesk({ drain: '1m' });
    desk.act = (_signal, question) => clock.sleep(Number(question)).then(() => question);
    const times = Array.from({ length: 40 }, (_, n) => 1 + ((n * 17) % 40));
    const calls = times.map((ms, n) => new Fate(n % 2 === 0 ? desk.unlimited(`${ms}`) : desk.timed(`${ms}`)));
    await settle();
    const drained = new Fate(fallback.drain());
    for (let now = 1; now <= 40; now++) {
      expect(drained.isSettled).toBe(false);
      await clock.advance(1);
      expect(calls.map(({ isSettled }) => isSettled)).toEqual(times.map((ms) => ms <= now));
    }
    expect(drained.isSettled).toBe(true);
    expect(clock.timers).toBe(0);
  });

  it('B26: each call is cancelled for a reason of its own, with its own receipt', async () => {
    const { clock, desk, fallback } = await openDesk({ drain: DRAIN });
    const calls = ways.map((way) => new Fate(WAYS[way]!(desk, fallback)));
    await settle();
    const drained = fallback.drain();
    await clock.advance(DRAIN);
    await drained;
    expect(calls.map(({ receipt }) => receipt?.chain)).toEqual(ways.map(chainOf));
  });
});
