import { describe, expect, it } from '@jest/globals';
import type { CandidateOptions } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';
import type { Play } from '../support/plays.js';

const blip = new Error('blip');
const bug = new Error('a bug in the hook');

const two = (own: CandidateOptions, plays: Play, options = {}) =>
  open({
    rungs: [
      { ...own, name: 'a', plays },
      { name: 'b', plays: gives('b') },
    ],
    options,
  });

/** An object whose property cannot be read. */
const unreadable = (name: string) =>
  Object.defineProperty({}, name, {
    get() {
      throw bug;
    },
  }) as never;

describe('an error cannot be an answer, whatever classify says', () => {
  const verdicts = ['accept', 'hold'].flatMap((next) =>
    (['transient', 'terminal', 'ok', 'thin'] as const).map((kind) => ({ kind, next }) as never),
  );

  it.each(verdicts)('%j: as if it had not been asked, one warning', async (said) => {
    for (const classify of [() => said, () => Promise.resolve(said)]) {
      const ladder = await two({ classify }, fails(blip));
      const call = await ladder.call();
      expect(call.outcome).toEqual({ value: 'b' });
      expect(call.attempts).toEqual(['a:transient', 'b:ok']);
      expect(ladder.eventsNamed('hook.failed').map(({ hook }) => hook)).toEqual(['classify']);
    }
  });

  it.each(verdicts)('%j, and nobody else answers: exhausted with the error itself', async (said) => {
    const ladder = await open({ rungs: [{ name: 'a', plays: fails(blip), classify: () => said }] });
    const { outcome } = await ladder.call();
    expect(outcome).toMatchObject({ error: { code: 'FALLBACK_EXHAUSTED' } });
  });
});

describe('what a hook gives cannot be read', () => {
  it.each([
    ['assess', unreadable('then')],
    ['assess', unreadable('kind')],
    ['assess', unreadable('retryAfter')],
    ['accept', unreadable('then')],
    ['isEmpty', unreadable('then')],
  ])('%s: the value is rejected, its health untouched', async (hook, said) => {
    const ladder = await two({ [hook]: () => said as unknown, onEmpty: 'accept' }, gives('a'));
    const call = await ladder.call();
    expect(call.outcome).toEqual({ value: 'b' });
    expect(call.attempts).toEqual(['a:rejected', 'b:ok']);
    expect(ladder.circuits.a).toBe('closed 0');
  });

  it.each(['then', 'kind', 'next', 'health', 'retryAfter'])('classify, `%s`: the default', async (name) => {
    const ladder = await two({ classify: () => unreadable(name) }, fails(blip));
    const call = await ladder.call();
    expect(call.outcome).toEqual({ value: 'b' });
    expect(call.attempts).toEqual(['a:transient', 'b:ok']);
  });

  it('supports: no', async () => {
    const ladder = await two({ supports: () => unreadable('then') }, gives('a'));
    expect((await ladder.call()).attempts).toEqual(['a:skipped(unsupported)', 'b:ok']);
  });
});

describe('a candidate that is passed over after it was asked leaves nothing behind', () => {
  const yes = () => Promise.resolve(true);

  it.each<readonly [string, CandidateOptions]>([
    ['a fixed timeout', { timeout: 60_000 }],
    ['a computed one', { timeout: () => 60_000 }],
  ])('as cooling, with %s: no timer', async (_what, own) => {
    const ladder = await two({ ...own, supports: yes, breaker: { threshold: 1, cooldown: '1h' } }, fails(blip));
    await ladder.call();
    expect(ladder.clock.refd).toBe(0);
    const call = await ladder.call();
    expect(call.attempts).toEqual(['a:skipped(cooling)', 'b:ok']);
    expect(ladder.clock.refd).toBe(0);
  });

  it('as gated: no timer', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: fails(blip) },
        { name: 'b', plays: gives('b'), on: ['timeout'], supports: yes, timeout: 60_000 },
        { name: 'c', plays: gives('c') },
      ],
    });
    expect((await ladder.call()).attempts).toEqual(['a:transient', 'b:skipped(gated)', 'c:ok']);
    expect(ladder.clock.refd).toBe(0);
  });

  it('a computed timeout is asked once, also behind an asynchronous supports', async () => {
    for (const said of [undefined, Infinity, 50]) {
      let asked = 0;
      const timeout = () => (asked++, said);
      const ladder = await two({ supports: yes, timeout }, gives('a'));
      expect((await ladder.call()).value).toBe('a');
      expect(asked).toBe(1);
      expect(ladder.clock.timers).toBe(0);
    }
  });
});
