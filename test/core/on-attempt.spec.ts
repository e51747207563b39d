import { describe, expect, it, jest } from '@jest/globals';
import { RejectedResultError, createFallbackChain, fallback } from '../../lib/core/index.js';
import type { CoreOptions } from '../../lib/core/index.js';
import { Ended, Heard, thenable } from '../support/core-call.js';
import { TestClock } from '../support/test-clock.js';

const down = new Error('down');
const failing = () => Promise.reject(down);

describe('onAttempt', () => {
  it('F13 hears every attempt once, with the raw value or error, and no skip', async () => {
    const heard = new Heard();
    const answer = { n: 1 };
    const chain = createFallbackChain<unknown>(
      [
        { name: 'a', run: failing },
        { name: 'b', run: () => 'no', accept: () => false },
        { name: 'c', run: () => 'c', supports: () => false },
        { name: 'd', run: () => answer },
        { name: 'e', run: () => 'e' },
      ],
      { onAttempt: heard.onAttempt },
    );
    expect(await chain.run()).toBe(answer);
    expect(heard.kinds).toEqual(['a:transient', 'b:rejected', 'd:ok']);
    expect(heard.records.map(({ index, attempt }) => [index, attempt])).toEqual([
      [0, 0],
      [1, 1],
      [3, 2],
    ]);
    expect(heard.raws[0]!.error).toBe(down);
    expect(heard.raws[0]).not.toHaveProperty('value');
    expect(heard.raws[1]!.error).toBeInstanceOf(RejectedResultError);
    expect((heard.raws[1]!.error as RejectedResultError).value).toBe('no');
    expect(heard.raws[2]!.value).toBe(answer);
    expect(heard.raws[2]).not.toHaveProperty('error');
  });

  it('a healthy call too; thin and empty answers come with their value', async () => {
    const heard = new Heard();
    const thin = { hits: 0 };
    await fallback<unknown>([() => 'a'], { onAttempt: heard.onAttempt });
    await fallback<unknown>([() => thin], { onAttempt: heard.onAttempt, assess: () => 'thin' });
    await fallback<unknown>([() => []], { onAttempt: heard.onAttempt, onEmpty: 'accept' });
    expect(heard.kinds).toEqual(['candidate0:ok', 'candidate0:thin', 'candidate0:empty']);
    expect(heard.raws).toEqual([{ value: 'a' }, { value: thin }, { value: [] }]);
  });

  it('tries of one attempt are heard once', async () => {
    const clock = new TestClock();
    const heard = new Heard();
    const run = jest.fn(failing);
    void fallback<string>([run], { retries: 2, clock, onAttempt: heard.onAttempt }).catch(() => {});
    await clock.advance(5_000);
    expect(run).toHaveBeenCalledTimes(3);
    expect(heard.records).toMatchObject([{ tries: 3, kind: 'transient' }]);
  });

  it('a cut attempt is heard once, also when it settles later', async () => {
    const clock = new TestClock();
    const heard = new Heard();
    const late = () => clock.sleep(60).then(() => 'late');
    void fallback<string>([late, () => 'b'], { timeout: 20, clock, onAttempt: heard.onAttempt });
    await clock.advance(100);
    expect(heard.kinds).toEqual(['candidate0:timeout', 'candidate1:ok']);
    expect(heard.raws[0]!.error).toMatchObject({ name: 'AttemptTimeoutError', timeout: 20 });
  });

  it('one that is cancelled comes with the reason', async () => {
    const clock = new TestClock();
    const heard = new Heard();
    const caller = new AbortController();
    const call = new Ended(
      fallback<string>([() => new Promise(() => {})], { signal: caller.signal, clock, onAttempt: heard.onAttempt }),
      clock,
    );
    await clock.advance(5);
    caller.abort(down);
    await clock.advance(0);
    expect(call.error).toBe(down);
    expect(heard.kinds).toEqual(['candidate0:cancelled']);
    expect(heard.raws).toEqual([{ error: down }]);
  });

  it.each<readonly [string, () => unknown]>([
    [
      'throws',
      () => {
        throw down;
      },
    ],
    ['rejects', () => Promise.reject(down)],
    ['never settles', () => new Promise(() => {})],
    [
      'gives a thenable that throws',
      () =>
        thenable(() => {
          throw down;
        }),
    ],
  ])('F13 one that %s changes nothing', async (_how, fault) => {
    const onAttempt = jest.fn(fault);
    const chain = createFallbackChain<unknown>([failing, () => 2], { onAttempt });
    expect(await chain.run()).toBe(2);
    expect(onAttempt).toHaveBeenCalledTimes(2);
    expect(chain.health().map(({ consecutiveFailures, counts }) => [consecutiveFailures, counts])).toEqual([
      [1, { transient: 1 }],
      [0, { ok: 1 }],
    ]);
    expect(await createFallbackChain<unknown>([() => 1, failing], { onAttempt }).run()).toBe(1);
    expect(onAttempt).toHaveBeenCalledTimes(3);
  });

  it('of a call stands over that of the chain, for this call', async () => {
    const [ofChain, ofCall] = [new Heard(), new Heard()];
    const chain = createFallbackChain<string>([() => 'a'], { onAttempt: ofChain.onAttempt });
    await chain.run({ onAttempt: ofCall.onAttempt });
    await chain.run();
    expect([ofChain.records.length, ofCall.records.length]).toEqual([1, 1]);
  });
});

describe('a chain inside another', () => {
  it('is heard by its own onAttempt, and is one attempt to the outer`s', async () => {
    const [ofInner, ofOuter] = [new Heard(), new Heard()];
    const inner = createFallbackChain<string>([failing, () => 'x'], { name: 'inner', onAttempt: ofInner.onAttempt });
    expect(await fallback<string>([inner], { onAttempt: ofOuter.onAttempt })).toBe('x');
    expect(ofOuter.kinds).toEqual(['inner:ok']);
    expect(ofInner.kinds).toEqual(['candidate0:transient', 'candidate1:ok']);
  });
});

describe('F29 options of one call', () => {
  const refused = { ok: false };
  const base: CoreOptions<{ ok: boolean }> = { accept: ({ ok }) => ok };
  const full = { ok: true };

  it('F29 accept of the call; the chain`s own is unchanged for the next', async () => {
    const b = jest.fn(() => full);
    const chain = createFallbackChain<{ ok: boolean }>([() => refused, b], base);
    expect(await chain.run({ accept: () => true })).toBe(refused);
    expect(b).not.toHaveBeenCalled();
    expect(await chain.run()).toBe(full);
    expect(base.accept!(refused, undefined as never)).toBe(false);
  });

  it('F29 health is one, whatever the options of the call', async () => {
    const clock = new TestClock();
    const a = jest.fn(failing);
    const chain = createFallbackChain<unknown>([a, () => 'b'], { breaker: { threshold: 2 }, clock });
    await chain.run({ timeout: 50 });
    await chain.run({ rethrow: 'last' });
    await chain.run({ timeout: 60 });
    expect(a).toHaveBeenCalledTimes(2);
    expect(chain.health()[0]).toMatchObject({ consecutiveFailures: 2, counts: { transient: 2, cooling: 1 } });
  });

  it('F29 a candidate`s own option stands over that of the call', async () => {
    const chain = createFallbackChain<unknown>([{ run: () => 'a', accept: () => false }, () => 'b']);
    expect(await chain.run({ accept: () => true })).toBe('b');
  });

  it('F29 two calls at once have each its own', async () => {
    const clock = new TestClock();
    const slow = () => clock.sleep(30).then(() => 'a');
    const chain = createFallbackChain<string>([slow, () => 'b'], { clock });
    const [cut, whole] = [new Ended(chain.run({ timeout: 10 }), clock), new Ended(chain.run(), clock)];
    await clock.advance(30);
    expect([cut.value, whole.value]).toEqual(['b', 'a']);
  });

  it('F29 deadline of a call', async () => {
    const clock = new TestClock();
    const chain = createFallbackChain<string>([() => new Promise(() => {})], { clock, deadline: '1m' });
    const call = new Ended(chain.run({ deadline: 10 }), clock);
    await clock.advance(10);
    expect(call.took).toBe(10);
  });
});
