import { describe, expect, it } from '@jest/globals';
import { FallbackExhaustedError } from '../../lib/index.js';
import type { CandidateOptions } from '../../lib/index.js';
import { CHAIN, open } from '../support/ladder.js';
import type { Ladder, Setup } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';
import type { Play } from '../support/plays.js';

const S = 1_000;
const down = new Error('down');
const limited = (seconds: number) =>
  Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after': String(seconds) } });

const two = (a: Play, own: CandidateOptions = {}, rest: Omit<Setup, 'rungs'> = {}) =>
  open({
    rungs: [
      { name: 'a', plays: a, ...own },
      { name: 'b', plays: gives('b') },
    ],
    ...rest,
    options: { breaker: { threshold: 1 }, ...rest.options },
  });

const isolate = (ladder: Ladder, candidate = 'a') => ladder.health.isolate(CHAIN, candidate);
const restore = (ladder: Ladder, candidate = 'a') => ladder.health.restore(CHAIN, candidate);
const controls = ({ events }: Ladder) =>
  events.filter(({ name }) => ['circuit.isolated', 'circuit.restored', 'circuit.reset'].includes(name));

describe('isolation by hand', () => {
  it.each(['defer', 'skip', 'ignore'] as const)(
    'passes the candidate over until it is restored: %s',
    async (whenOpen) => {
      const ladder = await two(gives('a'), { whenOpen });
      isolate(ladder);
      expect(ladder.circuits.a).toBe('isolated 0');
      for (const at of [0, 5 * S, 86_400 * S]) {
        await ladder.goTo(at);
        const call = await ladder.call();
        expect(call.value).toBe('b');
        expect(call.attempts).toEqual(['a:skipped(isolated)', 'b:ok']);
        expect(call.receipt).toMatchObject({ servedBy: 'b', failedOver: true, degraded: false });
      }
      expect(ladder.calls.a).toBe(0);
      expect(ladder.health.snapshot(CHAIN).candidates[0]).toMatchObject({
        state: 'isolated',
        coolingFor: 0,
        openUntil: 0,
        counts: { isolated: 3 },
      });

      restore(ladder);
      expect(ladder.circuits.a).toBe('closed 0');
      expect((await ladder.call()).attempts).toEqual(['a:ok']);
      expect(ladder.eventsNamed('attempt.skipped').map(({ reason }) => reason)).toEqual(Array(3).fill('isolated'));
    },
  );

  it('F24 is never a last resort, and the error says so', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: gives('a') },
        { name: 'b', plays: fails(down) },
      ],
      options: { breaker: { threshold: 1 } },
    });
    isolate(ladder);
    for (let call = 1; call <= 2; call++) {
      const { error } = await ladder.call();
      expect(error).toMatchObject({ message: 'All 2 fallback candidates failed (a: isolated; b: transient)' });
    }
    isolate(ladder, 'b');
    const { error } = await ladder.call();
    expect(error).toBeInstanceOf(FallbackExhaustedError);
    expect(error).toMatchObject({ message: 'All 2 fallback candidates failed (a: isolated; b: isolated)' });
    // Nobody knows when it is restored.
    expect((error as FallbackExhaustedError).retryAfter).toBeUndefined();
    expect(ladder.calls).toEqual({ a: 0, b: 2 });
  });

  it('F24 holds for a candidate that was to be the last resort of a call under way', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: [fails(down), gives('a')] },
        { name: 'b', plays: fails(down, 10), breaker: { threshold: Infinity } },
      ],
      options: { breaker: { threshold: 1 } },
    });
    await ladder.call(undefined, 10);
    const call = ladder.begin();
    await ladder.clock.advance(5);
    isolate(ladder);
    await ladder.clock.advance(5);
    // It was passed over before anybody isolated it.
    expect(call.error).toMatchObject({ message: 'All 2 fallback candidates failed (a: cooling; b: transient)' });
    expect(ladder.calls).toEqual({ a: 1, b: 2 });
  });

  it('F24 with a substitute that is served at once', async () => {
    const ladder = await two(gives('a'), {}, { degraded: { substitute: 'popular' } });
    isolate(ladder);
    isolate(ladder, 'b');
    const call = await ladder.call();
    expect(call.value).toBe('popular');
    expect(call.receipt).toMatchObject({ degraded: true, source: 'static', reason: 'isolated' });
    expect(ladder.calls).toEqual({ a: 0, b: 0 });
  });

  it('F36 lets no probe in, however long ago the cooldown ran out', async () => {
    const ladder = await two([fails(down), gives('a')]);
    await ladder.call();
    isolate(ladder);
    await ladder.goTo(60 * S);
    for (let call = 1; call <= 3; call++) expect((await ladder.call()).attempts[0]).toBe('a:skipped(isolated)');
    expect(ladder.eventsNamed('circuit.half-opened')).toEqual([]);
    restore(ladder);
    expect(ladder.circuits.a).toBe('closed 0');
    expect((await ladder.call()).value).toBe('a');
  });

  it('the doubling starts again after it', async () => {
    const ladder = await two(fails(down));
    await ladder.call();
    await ladder.goTo(5 * S);
    await ladder.call();
    expect(ladder.circuits.a).toBe('open 2 for 10000');
    isolate(ladder);
    restore(ladder);
    await ladder.call();
    expect(ladder.circuits.a).toBe('open 1 for 5000');
  });

  it('a gate takes it for a candidate that cannot be reached', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: gives('a') },
        { name: 'b', plays: gives('b'), on: ['denied'] },
        { name: 'c', plays: gives('c'), on: ['transient'] },
      ],
    });
    isolate(ladder);
    expect((await ladder.call()).attempts).toEqual(['a:skipped(isolated)', 'b:skipped(gated)', 'c:ok']);
  });

  it('works where nobody listens', async () => {
    const ladder = await two(gives('a'), {}, { isWatched: false });
    isolate(ladder);
    expect((await ladder.call()).value).toBe('b');
    restore(ladder);
    expect((await ladder.call()).value).toBe('a');
  });
});

describe('every control is an event', () => {
  it('isolated and restored, each once; what changes nothing is none', async () => {
    const ladder = await two(fails(down));
    restore(ladder);
    for (let time = 1; time <= 2; time++) isolate(ladder);
    for (let time = 1; time <= 2; time++) restore(ladder);
    const at = ladder.clock.wall();
    expect(controls(ladder)).toEqual([
      { name: 'circuit.isolated', chain: CHAIN, candidate: 'a', at },
      { name: 'circuit.restored', chain: CHAIN, candidate: 'a', at },
    ]);
  });

  it('restore is not for candidates that cool', async () => {
    const ladder = await two(fails(down));
    await ladder.call();
    restore(ladder);
    expect(ladder.circuits.a).toBe('open 1 for 5000');
    expect(controls(ladder)).toEqual([]);
  });

  it.each([[CHAIN], [undefined]])('F26 reset(%p) puts it back too', async (chain) => {
    const ladder = await two([fails(limited(90)), gives('a')]);
    await ladder.call();
    isolate(ladder);
    ladder.health.reset(chain);
    expect(ladder.circuits.a).toBe('closed 0');
    expect(controls(ladder).map(({ name }) => name)).toEqual(['circuit.isolated', 'circuit.reset']);
    expect((await ladder.call()).value).toBe('a');
  });

  it('the log tells of it', async () => {
    const ladder = await open({
      rungs: [{ name: 'a', plays: gives('a') }],
      module: { logger: undefined } as never,
    });
    isolate(ladder);
    restore(ladder);
    expect(ladder.warnings.filter((line) => line.includes('by hand'))).toEqual([
      `${CHAIN}: a is isolated by hand and passed over until it is restored`,
      `${CHAIN}: a is restored by hand`,
    ]);
  });

  it.each(['isolate', 'restore'] as const)('%s: unknown names are errors that name the known ones', async (control) => {
    const { health } = await two(gives('a'));
    expect(() => health[control]('laddre', 'a')).toThrow("no chain is called 'laddre'; there are: ladder");
    expect(() => health[control](CHAIN, 'c')).toThrow("no candidate of 'ladder' is called 'c'; there are: a, b");
  });
});
