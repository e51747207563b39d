import { describe, expect, it } from '@jest/globals';
import type { CandidateOptions } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import { fails, gives, hangs } from '../support/plays.js';

const down = new Error('down');
const S = 1_000;
/** What is to be seen only where somebody looks. */
const told = <T>(isWatched: boolean, attempts: readonly T[]): readonly T[] => (isWatched ? attempts : []);

describe('F27 two calls whose primary fails slowly', () => {
  it.each([true, false])(
    'F27 both are answered by b, two failures open, the third passes over (watched: %s)',
    async (isWatched) => {
      const ladder = await open({
        rungs: [
          { name: 'primary', plays: fails(down, 10) },
          { name: 'b', plays: gives('b') },
        ],
        options: { breaker: { threshold: 2 } },
        isWatched,
      });
      const calls = [ladder.begin(), ladder.begin()];
      await ladder.clock.advance(9);
      expect(ladder.circuits.primary).toBe('closed 0');
      await ladder.clock.advance(1);
      for (const call of calls) expect(call).toMatchObject({ outcome: { value: 'b' }, took: 10 });
      for (const call of calls) expect(call.attempts).toEqual(told(isWatched, ['primary:transient', 'b:ok']));
      expect(ladder.circuits).toEqual({ primary: 'open 2 for 5000', b: 'closed 0' });

      const third = await ladder.call();
      expect(third).toMatchObject({ outcome: { value: 'b' }, took: 0 });
      expect(ladder.calls).toEqual({ primary: 2, b: 3 });
      expect(ladder.circuits).toEqual({ primary: 'open 2 for 5000', b: 'closed 0' });
      expect(third.attempts).toEqual(told(isWatched, ['primary:skipped(cooling)', 'b:ok']));
      expect(ladder.eventsNamed('circuit.opened')).toHaveLength(isWatched ? 1 : 0);
    },
  );
});

describe('F31 an outcome counts only toward the period in which its attempt began', () => {
  it('F31 a slow success does not close what has been opened meanwhile', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: [gives('slow', 100), fails(down), gives('again')] },
        { name: 'b', plays: gives('b') },
      ],
      options: { breaker: { threshold: 1 } },
    });
    const slow = ladder.begin();
    const second = await ladder.call();
    expect(second.value).toBe('b');
    expect(second.attempts).toEqual(['a:transient', 'b:ok']);
    expect(ladder.circuits.a).toBe('open 1 for 5000');

    await ladder.clock.advance(100);
    expect(slow).toMatchObject({ outcome: { value: 'slow' }, took: 100 });
    expect(slow.attempts).toEqual(['a:ok']);
    expect(ladder.circuits).toEqual({ a: 'open 1 for 4900', b: 'closed 0' });
    expect(ladder.eventsNamed('circuit.closed')).toEqual([]);

    await ladder.goTo(5 * S - 1);
    expect((await ladder.call()).value).toBe('b');
    expect(ladder.circuits.a).toBe('open 1 for 1');
    await ladder.goTo(5 * S);
    expect(ladder.circuits.a).toBe('half-open 1');
    expect((await ladder.call()).value).toBe('again');
    expect(ladder.calls).toEqual({ a: 3, b: 2 });
    expect(ladder.circuits.a).toBe('closed 0');
  });

  it('F31 a slow failure does not open again what has recovered meanwhile', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: [fails(down, 6 * S), fails(down), gives('recovered')] },
        { name: 'b', plays: gives('b') },
      ],
      options: { breaker: { threshold: 1 } },
    });
    const slow = ladder.begin();
    await ladder.call();
    await ladder.goTo(5 * S);
    expect((await ladder.call()).value).toBe('recovered');
    await ladder.goTo(6 * S);
    expect(slow).toMatchObject({ outcome: { value: 'b' }, took: 6 * S });
    expect(ladder.circuits).toEqual({ a: 'closed 0', b: 'closed 0' });
    expect(ladder.calls).toEqual({ a: 3, b: 2 });
  });
});

describe('F36 the cooldown is over and ten calls come at once', () => {
  it.each([true, false])('F36 one probes, nine are answered by b without waiting (watched: %s)', async (isWatched) => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: [fails(down), gives('probe', 10), gives('a')] },
        { name: 'b', plays: gives('b') },
      ],
      options: { breaker: { threshold: 1 } },
      isWatched,
    });
    await ladder.call();
    await ladder.clock.advance(5 * S);
    expect(ladder.circuits.a).toBe('half-open 1');
    const ten = Array.from({ length: 10 }, () => ladder.begin());
    await ladder.clock.advance(0);
    expect(ladder.calls).toEqual({ a: 2, b: 10 });
    expect(ladder.circuits.a).toBe('half-open 1');
    const [probe, ...others] = ten;
    expect(probe!.isSettled).toBe(false);
    for (const other of others) {
      expect(other).toMatchObject({ outcome: { value: 'b' }, took: 0 });
      expect(other.attempts).toEqual(told(isWatched, ['a:skipped(cooling)', 'b:ok']));
    }

    await ladder.clock.advance(10);
    expect(probe).toMatchObject({ outcome: { value: 'probe' }, took: 10 });
    expect(ladder.circuits).toEqual({ a: 'closed 0', b: 'closed 0' });
    const next = await ladder.call();
    expect(next.value).toBe('a');
    expect(ladder.calls).toEqual({ a: 3, b: 10 });
    for (const call of [probe!, next]) expect(call.attempts).toEqual(told(isWatched, ['a:ok']));
    expect(ladder.eventsNamed('circuit.half-opened')).toHaveLength(isWatched ? 1 : 0);
  });
});

describe('F37 a probe that never settles', () => {
  it.each([
    ['which then answers', gives('a'), 'a', 'closed 0'],
    ['which then fails', fails(down), 'b', 'open 2 for 10000'],
  ] as const)('F37 holds its permit for 30 s; then another call may probe, %s', async (_how, second, value, after) => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: [fails(down), hangs, second] },
        { name: 'b', plays: gives('b') },
      ],
      options: { breaker: { threshold: 1 } },
    });
    await ladder.call();
    await ladder.goTo(5 * S);
    const owner = ladder.begin();
    await ladder.goTo(35 * S - 1);
    const tooEarly = await ladder.call();
    expect(tooEarly.value).toBe('b');
    expect(tooEarly.attempts).toEqual(['a:skipped(cooling)', 'b:ok']);
    expect(ladder.calls).toEqual({ a: 2, b: 2 });

    await ladder.goTo(35 * S);
    const probe = await ladder.call();
    expect(probe.value).toBe(value);
    expect(probe.attempts[0]).toBe(value === 'a' ? 'a:ok' : 'a:transient');
    expect(ladder.calls.a).toBe(3);
    expect(ladder.circuits.a).toBe(after);
    expect(owner.isSettled).toBe(false);
  });

  it('F37 the late success of a probe whose lease has run out changes nothing', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: [fails(down), gives('late', 31 * S), fails(down)] },
        { name: 'b', plays: gives('b') },
      ],
      options: { breaker: { threshold: 1 } },
    });
    await ladder.call();
    await ladder.goTo(5 * S);
    const owner = ladder.begin();
    await ladder.goTo(35 * S);
    await ladder.call();
    expect(ladder.circuits.a).toBe('open 2 for 10000');
    await ladder.goTo(36 * S);
    expect(owner.value).toBe('late');
    expect(ladder.circuits.a).toBe('open 2 for 9000');
  });

  it.each<[string, CandidateOptions]>([
    ['a number', { timeout: 60 * S }],
    ['a function', { timeout: () => 60 * S }],
    ['a function, with an asynchronous supports', { timeout: () => 60 * S, supports: async () => true }],
  ])('F37 its own timeout is its lease: %s', async (_what, own) => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: [fails(down), hangs, gives('a')], ...own },
        { name: 'b', plays: gives('b') },
      ],
      options: { breaker: { threshold: 1, factor: 1 } },
    });
    await ladder.call();
    await ladder.goTo(5 * S);
    const owner = ladder.begin();
    for (const at of [35 * S, 65 * S - 1]) {
      await ladder.goTo(at);
      expect((await ladder.call()).attempts).toEqual(['a:skipped(cooling)', 'b:ok']);
    }
    await ladder.goTo(65 * S);
    expect(owner.attempts).toEqual(['a:timeout', 'b:ok']);
    expect(ladder.circuits.a).toBe('open 2 for 5000');
    expect(ladder.calls.a).toBe(2);
  });
});

describe('F32 several callers are asked to come back later', () => {
  const limited = (seconds: number) =>
    Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after': String(seconds) } });

  it('F32 F33 the latest delay holds, and it is one opening for the doubling', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: [...[60, 90, 70].map((seconds) => fails(limited(seconds), 10)), fails(down)] },
        { name: 'b', plays: gives('b') },
      ],
    });
    for (let call = 1; call <= 3; call++) ladder.begin();
    await ladder.clock.advance(10);
    expect(ladder.circuits.a).toBe('open 1 for 90000');
    await ladder.goTo(90 * S + 10);
    await ladder.call();
    expect(ladder.circuits.a).toBe('open 2 for 10000');
  });

  it('F31 F32 advice of an earlier period is taken while a probe runs, whose success is of another period then', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: [fails(limited(90), 6 * S), fails(down), gives('a', 2 * S)] },
        { name: 'b', plays: gives('b') },
      ],
      options: { breaker: { threshold: 1 } },
    });
    ladder.begin();
    await ladder.call();
    await ladder.goTo(5 * S);
    const probe = ladder.begin();
    await ladder.goTo(6 * S);
    expect(ladder.circuits.a).toBe('open 1 for 90000');
    await ladder.goTo(7 * S);
    expect(probe.value).toBe('a');
    expect(ladder.circuits.a).toBe('open 1 for 89000');
  });
});
