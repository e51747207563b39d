import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { FallbackChain, FallbackExhaustedError, receiptOf } from '../../lib/index.js';
import type { AttemptContext } from '../../lib/index.js';
import { Bench } from '../support/core-call.js';
import { closeApps, startApp } from '../support/nest-app.js';
import { open } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';

const first = new Error('first');
const last = Object.assign(new Error('last'), { status: 503 });

describe("rethrow: 'last'", () => {
  it('the last real error itself, with the receipt of the call', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: fails(first) },
        { name: 'b', plays: fails(last) },
        { name: 'c', plays: gives('c'), supports: () => false },
      ],
      options: { rethrow: 'last' },
    });
    const call = await ladder.call();
    expect(call.error).toBe(last);
    expect(receiptOf(last)?.attempts).toHaveLength(3);
    expect(ladder.eventsNamed('call.exhausted')).toHaveLength(1);
  });

  it.each([[undefined], ['text'], [0]])('%p is an error too', async (thrown) => {
    const ladder = await open({ rungs: [{ name: 'a', plays: fails(thrown) }], options: { rethrow: 'last' } });
    expect((await ladder.call()).outcome).toEqual({ error: thrown });
  });

  it('nobody ran: there is none, so the exhausted error', async () => {
    const ladder = await open({
      rungs: [{ name: 'a', plays: gives('a'), supports: () => false }],
      options: { rethrow: 'last' },
    });
    expect((await ladder.call()).error).toBeInstanceOf(FallbackExhaustedError);
  });

  it('a substitute goes before it', async () => {
    const ladder = await open({
      rungs: [{ name: 'a', plays: fails(first) }],
      options: { rethrow: 'last' },
      degraded: { substitute: 'popular' },
    });
    expect((await ladder.call()).value).toBe('popular');
  });

  it("'aggregate' is the default", async () => {
    const ladder = await open({ rungs: [{ name: 'a', plays: fails(first) }], options: { rethrow: 'aggregate' } });
    expect((await ladder.call()).error).toBeInstanceOf(FallbackExhaustedError);
  });
});

describe('unknown', () => {
  it.each([
    [undefined, first, 'b'],
    ['transient', first, 'b'],
    ['terminal', first, 'raw'],
    ['terminal', 'thrown as text', 'raw'],
    // These are known.
    ['terminal', last, 'b'],
    ['terminal', Object.assign(new Error('x'), { code: 'ECONNRESET' }), 'b'],
  ] as const)('%p: %p', async (unknown, error, outcome) => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: fails(error) },
        { name: 'b', plays: gives('b') },
      ],
      options: unknown === undefined ? {} : { unknown },
    });
    const call = await ladder.call();
    expect(call.outcome).toEqual(outcome === 'b' ? { value: 'b' } : { error });
    expect(ladder.calls).toEqual({ a: 1, b: outcome === 'b' ? 1 : 0 });
  });
});

describe('enabled', () => {
  let isOn: () => boolean;

  @Injectable()
  class Weather {
    ran: unknown[] = [];

    @FallbackChain(['backup'], {
      name: 'weather',
      timeout: 10,
      enabled() {
        return isOn();
      },
    })
    forecast(city: string): Promise<string> {
      this.ran.push(city);
      return Promise.reject(first);
    }

    async backup(_city: string): Promise<string> {
      return 'backup';
    }
  }

  afterEach(closeApps);

  it('false runs the bare method: its own error, no record, no event, no health', async () => {
    const { app, events, health, fallback } = await startApp({ providers: [Weather] });
    const weather = app.get(Weather);
    isOn = () => false;
    const run = fallback.withReceipt(() => weather.forecast('Bern'));
    await expect(run).rejects.toBe(first);
    expect(weather.ran).toEqual(['Bern']);
    expect(events).toEqual([]);
    expect(health.snapshot('weather').candidates[0]).toMatchObject({ consecutiveFailures: 0, counts: {} });
    isOn = () => true;
    await expect(weather.forecast('Bern')).resolves.toBe('backup');
  });

  it('one that throws leaves the chain on, with one warning', async () => {
    const { app, events } = await startApp({ providers: [Weather] });
    isOn = () => {
      throw first;
    };
    await expect(app.get(Weather).forecast('Bern')).resolves.toBe('backup');
    expect(events.filter(({ name }) => name === 'hook.failed')).toMatchObject([{ chain: 'weather', hook: 'enabled' }]);
  });

  it('is asked at each call', async () => {
    const { app } = await startApp({ providers: [Weather] });
    const asked = jest.fn(() => true);
    isOn = asked;
    for (let call = 0; call < 3; call++) await app.get(Weather).forecast('Bern');
    expect(asked).toHaveBeenCalledTimes(3);
  });
});

describe('idempotencyKey', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('one per call, for all candidates and tries; another for the next call', async () => {
    const keys: string[] = [];
    const note = (ctx: AttemptContext) => (keys.push(ctx.idempotencyKey), Promise.reject(first));
    const ladder = await open({
      rungs: [
        { name: 'a', plays: note },
        { name: 'b', plays: note },
      ],
    });
    await ladder.call();
    await ladder.call();
    expect(keys).toHaveLength(4);
    expect(keys[0]).toMatch(/^[\w-]{16,}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[3]).toBe(keys[2]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it('is made when it is first read', async () => {
    const made = jest.spyOn(globalThis.crypto, 'randomUUID');
    let isRead = false;
    const ladder = await open({
      rungs: [{ name: 'a', plays: (ctx) => Promise.resolve(isRead ? ctx.idempotencyKey + ctx.idempotencyKey : '') }],
    });
    const before = made.mock.calls.length;
    await ladder.call();
    expect(made.mock.calls.length - before).toBe(0);
    isRead = true;
    await ladder.call();
    expect(made.mock.calls.length - before).toBe(1);
  });

  it('`signal` too is made when it is first read', async () => {
    const Original = globalThis.AbortController;
    let made = 0;
    globalThis.AbortController = class extends Original {
      constructor() {
        super();
        made++;
      }
    };
    try {
      let isRead = false;
      const bench = new Bench([{ name: 'a', run: (ctx) => Promise.resolve(isRead && [ctx.signal, ctx.signal]) }], {
        timeout: 50,
      });
      bench.begin();
      await bench.clock.advance(0);
      expect(made).toBe(0);
      isRead = true;
      bench.begin();
      await bench.clock.advance(0);
      expect(made).toBe(1);
    } finally {
      globalThis.AbortController = Original;
    }
  });
});
