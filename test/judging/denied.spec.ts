import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { denied, receiptOf, unsupported } from '../../lib/index.js';
import type { CandidateOptions } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';
import type { Play } from '../support/plays.js';

const status = (code: number) => Object.assign(new Error(`status ${code}`), { status: code });
const two = (plays: Play, own: CandidateOptions = {}, log = false) =>
  open({
    rungs: [
      { ...own, name: 'a', plays },
      { name: 'b', plays: gives('b') },
    ],
    ...(log && { module: { logger: undefined as never } }),
  });

describe('denied: somebody must fix it', () => {
  it.each([
    ['401', status(401)],
    ['402', status(402)],
    ['403', status(403)],
    ['denied()', denied('no key')],
  ])('%s opens at once for the longest cooldown, and is no last resort', async (_what, error) => {
    const ladder = await two(fails(error));
    const call = await ladder.call();
    expect(call.value).toBe('b');
    expect(call.attempts).toEqual(['a:denied', 'b:ok']);
    expect(ladder.circuits.a).toBe('open 1 for 300000');
    await ladder.goTo(299_999);
    expect((await ladder.call()).attempts).toEqual(['a:skipped(cooling)', 'b:ok']);
    await ladder.goTo(300_000);
    expect((await ladder.call()).attempts).toEqual(['a:denied', 'b:ok']);
  });

  it('the longest cooldown is maxCooldown', async () => {
    const ladder = await two(fails(status(401)), { breaker: { maxCooldown: '1h' } });
    await ladder.call();
    expect(ladder.circuits.a).toBe('open 1 for 3600000');
  });

  it('is not tried when nobody else answers', async () => {
    const ladder = await open({ rungs: [{ name: 'a', plays: fails(status(401)) }] });
    await ladder.call();
    expect((await ladder.call()).error).toMatchObject({
      message: 'All 1 fallback candidates failed (a: cooling)',
      retryAfter: 300_000,
    });
    expect(ladder.calls.a).toBe(1);
  });

  it.each([
    [0, 'closed 1'],
    [60_000, 'closed 1'],
    [60_001, 'open 1 for 300000'],
  ])('%i ms after a success: %s', async (ago, circuit) => {
    const ladder = await two([gives('a'), fails(status(403))]);
    await ladder.call();
    await ladder.goTo(ago);
    expect((await ladder.call()).attempts).toEqual(['a:denied', 'b:ok']);
    expect(ladder.circuits.a).toBe(circuit);
  });

  it('three in a row after a success open like any failure, for the ordinary cooldown', async () => {
    const ladder = await two([gives('a'), fails(status(403))]);
    for (let call = 0; call < 4; call++) await ladder.call();
    expect(ladder.circuits.a).toBe('open 3 for 5000');
  });

  it('is logged at error level', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => {});
    const ladder = await two(fails(status(401)), {}, true);
    await ladder.call();
    expect(error).toHaveBeenCalledTimes(1);
    expect(String(error.mock.calls[0]![0])).toMatch(/ladder: a denies us/);
    error.mockRestore();
  });
});

describe("credentials: 'caller'", () => {
  it.each([
    ['401', status(401), {}],
    ['403', status(403), {}],
    ['denied()', denied(), {}],
    ['what classify calls denied', new Error('x'), { classify: () => 'denied' as const }],
    ['what classify calls denied later', new Error('x'), { classify: () => Promise.resolve('denied' as const) }],
  ])('%s is the own error of the caller: it stops the call', async (_what, error, own) => {
    const ladder = await two(fails(error), { ...own, credentials: 'caller' });
    const call = await ladder.call();
    expect(call.error).toBe(error);
    expect(receiptOf(error)).toMatchObject({ stoppedBy: 'terminal', degraded: false });
    expect(ladder.calls.b).toBe(0);
    expect(ladder.circuits.a).toBe('closed 0');
  });

  it('other failures are what they are', async () => {
    for (const error of [status(429), status(503), new Error('blip')]) {
      const ladder = await two(fails(error), { credentials: 'caller' });
      expect((await ladder.call()).value).toBe('b');
    }
  });

  it("'own' is the default, and a candidate's own word stands over the chain's", async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: fails(status(401)), credentials: 'own' },
        { name: 'b', plays: fails(status(401)) },
        { name: 'c', plays: gives('c') },
      ],
      options: { credentials: 'caller' },
    });
    expect((await ladder.call()).error).toMatchObject({ status: 401 });
    expect(ladder.calls).toEqual({ a: 1, b: 1, c: 0 });
  });
});

describe('unsupported', () => {
  it.each([
    ['501', status(501)],
    ['413', status(413)],
    ['unsupported()', unsupported()],
  ])('%s goes on and frees a probe', async (_what, error) => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: [fails(new Error('blip')), fails(error), gives('a')], breaker: { threshold: 1 } },
        { name: 'b', plays: gives('b') },
      ],
    });
    await ladder.call();
    await ladder.goTo(5_000);
    expect((await ladder.call()).attempts).toEqual(['a:unsupported', 'b:ok']);
    expect(ladder.circuits.a).toBe('half-open 1');
    expect((await ladder.call()).value).toBe('a');
  });
});

describe('a candidate declared degraded', () => {
  it('its answer ends the walk, degraded, and never becomes the last known good', async () => {
    const down = new Error('down');
    const ladder = await open({
      rungs: [
        { name: 'a', plays: fails(down) },
        { name: 'b', plays: [gives({ n: 1 }), fails(down)], degraded: true },
        { name: 'c', plays: [gives({ n: 2 })] },
      ],
      degraded: { lastKnownGood: { maxAge: '1h' } },
    });
    const call = await ladder.call('q');
    expect(call.value).toEqual({ n: 1 });
    expect(call.receipt).toMatchObject({ servedBy: 'b', source: 'candidate', degraded: true, failedOver: true });
    expect(ladder.calls.c).toBe(0);
    expect(ladder.circuits.b).toBe('closed 0');
    expect((await ladder.call('q')).value).toEqual({ n: 2 });
  });

  it('the primary too', async () => {
    const ladder = await open({ rungs: [{ name: 'a', plays: gives('a'), degraded: true }] });
    expect((await ladder.call()).receipt).toMatchObject({ servedBy: 'a', degraded: true, failedOver: false });
  });
});
