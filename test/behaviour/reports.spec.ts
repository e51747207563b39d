import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { FallbackExhaustedError, RejectedResultError } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import type { Setup } from '../support/ladder.js';
import { fails, gives, hangs } from '../support/plays.js';

const secret = Object.assign(new Error('key sk-12345 refused'), { apiKey: 'sk-12345' });

describe('F03 the errors of rejected answers', () => {
  it('F03 hold the answer and print nothing of it', async () => {
    const answer = { ok: false, token: 'sk-12345' };
    const ladder = await open({ rungs: [{ name: 'a', plays: gives(answer) }], options: { accept: ({ ok }) => ok } });
    const { error } = (await ladder.call()) as { error: FallbackExhaustedError };
    const rejected = error.failures()[0]!.error as RejectedResultError;
    expect(rejected).toBeInstanceOf(RejectedResultError);
    expect(rejected.value).toBe(answer);
    expect(inspect(rejected, { showHidden: true }) + JSON.stringify(rejected)).not.toContain('sk-12345');
  });
});

describe('F07 what an exhausted call says', () => {
  const setup: Setup = {
    rungs: [
      { name: 'primary', plays: fails(new Error('boom')) },
      { name: 'backup', plays: hangs, timeout: 1_000 },
    ],
  };

  it("F07 with detail: 'messages' it also quotes what the candidates said", async () => {
    const ladder = await open({ ...setup, options: { detail: 'messages' } });
    const call = await ladder.call(undefined, 1_000);
    const { message } = call.error as Error;
    expect(message).toMatch(/^All 2 fallback candidates failed \(/);
    expect(message).toContain('(primary: Error: boom; backup: Timed out after 1000 ms)');
  });

  it('F07 with kinds only, nothing of it is printed', async () => {
    const ladder = await open({ ...setup, rungs: [{ name: 'primary', plays: fails(secret) }] });
    const { error } = await ladder.call();
    expect(error).toBeInstanceOf(FallbackExhaustedError);
    expect(inspect(error, { showHidden: true }) + JSON.stringify(error)).not.toContain('sk-12345');
    expect((error as FallbackExhaustedError).failures()[0]!.error).toBe(secret);
  });
});

describe('F26 the snapshot of a chain', () => {
  it.each([
    [2, 'closed', 'closed'],
    [1, 'open', 'half-open'],
  ] as const)(
    'F26 threshold %d: each candidate in declared order, and nothing raw',
    async (threshold, state, later) => {
      const ladder = await open({
        rungs: [
          { name: 'a', plays: fails(secret) },
          { name: 'b', plays: gives('b') },
        ],
        options: { breaker: { threshold } },
      });
      await ladder.call();
      const { clock, health } = ladder;
      const isOpen = state === 'open';
      const snapshot = health.snapshot('ladder');
      expect(snapshot.chain).toBe('ladder');
      expect(snapshot.status).toBe(isOpen ? 'degraded' : 'up');
      expect(snapshot.candidates).toEqual([
        {
          candidate: 'a',
          index: 0,
          state,
          consecutiveFailures: 1,
          coolingFor: isOpen ? 5_000 : 0,
          openUntil: isOpen ? clock.wall() + 5_000 : 0,
          lastKind: 'transient',
          cost: 0,
          counts: { transient: 1 },
          neverServed: true,
        },
        {
          candidate: 'b',
          index: 1,
          state: 'closed',
          consecutiveFailures: 0,
          coolingFor: 0,
          openUntil: 0,
          lastKind: 'ok',
          cost: 0,
          counts: { ok: 1 },
          lastServedAt: clock.wall(),
          neverServed: false,
        },
      ]);
      expect(health.snapshot()).toEqual([snapshot]);
      expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
      expect(inspect(snapshot, { showHidden: true, depth: null })).not.toMatch(/refused|sk-12345/);

      await clock.advance(5_000);
      expect(health.snapshot('ladder').candidates[0]).toMatchObject({ state: later, coolingFor: 0, openUntil: 0 });
      expect(ladder.calls).toEqual({ a: 1, b: 1 });
    },
  );

  it.each([['ladder'], [undefined]])('F26 reset(%p): all zero, and the candidate is called again', async (chain) => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: [fails(secret), gives('a')] },
        { name: 'b', plays: gives('b') },
      ],
      options: { breaker: { threshold: 1 } },
    });
    const blank = ladder.health.snapshot('ladder');
    await ladder.call();
    expect(ladder.circuits.a).toBe('open 1 for 5000');

    ladder.health.reset(chain);
    expect(ladder.health.snapshot('ladder')).toEqual(blank);
    for (const candidate of blank.candidates) {
      expect(candidate).toMatchObject({
        state: 'closed',
        consecutiveFailures: 0,
        coolingFor: 0,
        openUntil: 0,
        counts: {},
      });
    }
    expect(ladder.eventsNamed('circuit.reset')).toHaveLength(1);
    expect((await ladder.call()).value).toBe('a');
    expect(ladder.calls).toEqual({ a: 2, b: 1 });
  });
});

describe('F24 the last resort', () => {
  const both = (a: Setup['rungs'][number]['plays']): Setup => ({
    rungs: [
      { name: 'a', plays: a },
      { name: 'b', plays: fails(new Error('also down')) },
    ],
    options: { breaker: { threshold: 1 } },
  });

  it('F24 defer: an open candidate that answers closes its circuit; its record is its run', async () => {
    const ladder = await open(both([fails(secret), gives('back')]));
    await ladder.call();
    const call = await ladder.call();
    expect(call.value).toBe('back');
    expect(call.attempts).toEqual(['b:skipped(cooling)', 'a:ok']);
    expect(call.receipt).toMatchObject({ servedBy: 'a', failedOver: false, degraded: false });
    expect(ladder.circuits).toEqual({ a: 'closed 0', b: 'open 1 for 5000' });
    expect(ladder.calls).toEqual({ a: 2, b: 1 });
  });

  it('F24 a substitute that has nothing to give does not stand in the way of the last resort', async () => {
    const ladder = await open({
      ...both([fails(secret), gives('back')]),
      degraded: { lastKnownGood: { maxAge: '1h' } },
    });
    await ladder.call('q');
    expect((await ladder.call('q')).value).toBe('back');
    expect(ladder.calls).toEqual({ a: 2, b: 1 });
  });
});

describe('F30 the primary is passed over', () => {
  it('F30 the backup has its own name and index, and attempt 0', async () => {
    const ladder = await open({
      rungs: [
        { name: 'primary', plays: fails(secret) },
        { name: 'backup', plays: gives('b') },
      ],
      options: { breaker: { threshold: 1 } },
    });
    await ladder.call();
    const call = await ladder.call();
    expect(call.attempts).toEqual(['primary:skipped(cooling)', 'backup:ok']);
    const [skip, run] = call.receipt!.attempts;
    expect(skip).toEqual({ candidate: 'primary', index: 0, kind: 'skipped', reason: 'cooling' });
    expect(run).toMatchObject({ candidate: 'backup', index: 1, attempt: 0, kind: 'ok' });
    expect(ladder.contexts.at(-1)).toMatchObject({ candidate: 'backup', index: 1, attempt: 0, chain: 'ladder' });
    expect(ladder.events.find(({ name, attempt }) => name === 'attempt.settled' && attempt === 0)).toBeDefined();
    expect(call.receipt).toMatchObject({ servedBy: 'backup', failedOver: true, degraded: false });
  });
});
