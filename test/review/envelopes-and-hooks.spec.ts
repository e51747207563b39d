/** `mark: 'served'`: candidates give T or `Served<T>`, and hooks read T, whoever has put it into an envelope. */
import { describe, expect, it } from '@jest/globals';
import { RejectedResultError, served } from '../../lib/index.js';
import type { CandidateOptions, DegradedOptions } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';
import type { Step } from '../support/plays.js';

const degraded = { mark: 'served' } as unknown as DegradedOptions;
const down = new Error('down');

const given = (value: unknown) =>
  [
    ['bare', gives(value)],
    ['in an envelope', gives(served(value))],
  ] as const;

const two = (own: CandidateOptions, plays: Step, second: Step = gives(['b'])) =>
  open({
    rungs: [
      { ...own, name: 'a', plays },
      { cost: 0, name: 'b', plays: second },
    ],
    degraded,
  });

describe('F20 an empty list in an envelope is empty', () => {
  it.each(given([]))('F20 free [] and free [b], %s: [b]', async (_how, plays) => {
    const call = await (await two({ cost: 0 }, plays)).call();
    expect(call.value).toMatchObject({ value: ['b'], degraded: false });
    expect(call.attempts).toEqual(['a:empty', 'b:ok']);
  });

  it.each(given([]))('F20 paid [], %s: the answer', async (_how, plays) => {
    const call = await (await two({ cost: 1 }, plays)).call();
    expect(call.value).toMatchObject({ value: [], degraded: false, servedBy: 'a' });
    expect(call.attempts).toEqual(['a:empty']);
  });

  it.each(given([]))('F20 free [] and everybody later fails, %s: [], not degraded', async (_how, plays) => {
    const call = await (await two({ cost: 0 }, plays, fails(down))).call();
    expect(call.value).toMatchObject({ value: [], degraded: false, servedBy: 'a' });
  });
});

describe('hooks of values', () => {
  it.each(given(['x']))('get the value, %s, at once and later', async (_how, plays) => {
    for (const later of [false, true]) {
      const seen: unknown[] = [];
      const note = (said: unknown) => (value: unknown) => {
        seen.push(value);
        return (later ? Promise.resolve(said) : said) as never;
      };
      const hooks = { isEmpty: note(false), accept: note(true), assess: note(undefined), onEmpty: 'continue' as const };
      const call = await (await two(hooks, plays)).call();
      expect(call.value).toMatchObject({ value: ['x'], servedBy: 'a' });
      expect(seen).toEqual([['x'], ['x'], ['x']]);
    }
  });

  it('F03 what was not accepted is the answer as it was given', async () => {
    const answer = served(['x']);
    const call = await (await two({ accept: () => false }, gives(answer), fails(down))).call();
    const [first] = (call.error as { failures(): { error: unknown }[] }).failures();
    expect(first!.error).toBeInstanceOf(RejectedResultError);
    expect((first!.error as RejectedResultError).value).toBe(answer);
  });

  it('an envelope in an envelope is opened once', async () => {
    const seen: unknown[] = [];
    const inside = served(1);
    const accept = (value: unknown) => {
      seen.push(value);
      return Promise.resolve(true);
    };
    await (await two({ accept, assess: (value) => (seen.push(value), undefined) }, gives(served(inside)))).call();
    expect(seen).toEqual([inside, inside]);
  });

  it('under another mark an envelope is a value like any other', async () => {
    const seen: unknown[] = [];
    const answer = served(1);
    const accept = (value: unknown) => (seen.push(value), true);
    await (await open({ rungs: [{ accept, name: 'a', plays: gives(answer) }] })).call();
    expect(seen).toEqual([answer]);
  });
});
