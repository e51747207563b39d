import { describe, expect, it } from '@jest/globals';
import type { CandidateOptions } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';

const blip = new Error('blip');
const free = { cost: 0 };
const paid = { cost: 1 };

/** A ladder of candidates a, b, c with these answers; a function fails. */
const ladderOf = (...rungs: readonly (readonly [unknown, CandidateOptions?])[]) =>
  open({
    rungs: rungs.map(([answer, own], place) => ({
      ...own,
      name: 'abcd'[place]!,
      plays: answer === blip ? fails(blip) : gives(answer),
    })),
    options: { breaker: { threshold: 1 } },
  });

describe('F20 empty answers, by tier', () => {
  it('F20 free [] and paid [x]: [x]', async () => {
    const full = ['x'];
    const ladder = await ladderOf([[], free], [full, paid]);
    const call = await ladder.call();
    expect(call.value).toBe(full);
    expect(call.attempts).toEqual(['a:empty', 'b:ok']);
    expect(call.receipt).toMatchObject({ servedBy: 'b', degraded: false, failedOver: true, cost: 1 });
    expect(ladder.circuits).toEqual({ a: 'closed 0', b: 'closed 0' });
  });

  it('F20 free [] then paid []: the paid one is the answer, and a pricier one is not asked', async () => {
    const [first, second] = [[], []];
    const ladder = await ladderOf([first, free], [second, paid], [['x'], { cost: 10 }]);
    const call = await ladder.call();
    expect(call.value).toBe(second);
    expect(call.attempts).toEqual(['a:empty', 'b:empty']);
    expect(call.receipt).toMatchObject({ servedBy: 'b', degraded: false, cost: 1 });
    expect(ladder.calls).toEqual({ a: 1, b: 1, c: 0 });
    expect(ladder.circuits).toEqual({ a: 'closed 0', b: 'closed 0', c: 'closed 0' });
  });

  it('F20 free [] and everybody later fails: [], not degraded', async () => {
    const empty: unknown[] = [];
    const ladder = await ladderOf([empty, free], [blip, free], [blip, paid]);
    const call = await ladder.call();
    expect(call.value).toBe(empty);
    expect(call.attempts).toEqual(['a:empty', 'b:transient', 'c:transient']);
    expect(call.receipt).toMatchObject({ servedBy: 'a', source: 'candidate', degraded: false, failedOver: false });
  });

  it('F20 the first empty answer of several is kept', async () => {
    const [first, second] = [[], []];
    const ladder = await ladderOf([first, free], [second, free]);
    expect((await ladder.call()).value).toBe(first);
  });

  it('F20 untiered with nothing said: an empty list is an answer like any other', async () => {
    const ladder = await ladderOf([[]], [['x']]);
    const call = await ladder.call();
    expect(call.value).toEqual([]);
    expect(call.attempts).toEqual(['a:ok']);
    expect(ladder.calls.b).toBe(0);
  });

  it.each([
    ['accept', free, ['a:empty']],
    ['continue', {}, ['a:empty', 'b:ok']],
    ['continue', paid, ['a:empty', 'b:ok']],
    ['stop', free, ['a:empty']],
    ['stop', {}, ['a:empty']],
  ] as const)("F20 onEmpty: '%s' stands over the tier %j", async (onEmpty, tier, attempts) => {
    const ladder = await ladderOf([[], { ...tier, onEmpty }], [['x']]);
    const call = await ladder.call();
    expect(call.attempts).toEqual(attempts);
    expect(call.receipt).toMatchObject({ degraded: false });
    expect(ladder.circuits.a).toBe('closed 0');
  });

  it('F20 a thin answer is better than an empty one', async () => {
    const thin = { hits: 0 };
    const ladder = await ladderOf([[], free], [thin, { ...free, assess: () => 'thin' }]);
    const call = await ladder.call();
    expect(call.value).toBe(thin);
    expect(call.receipt).toMatchObject({ servedBy: 'b', degraded: true, reason: 'thin' });
  });

  it('F20 isEmpty of its own, also later', async () => {
    const isEmpty = (value: { rows: unknown[] }) => Promise.resolve(value.rows.length === 0);
    const ladder = await ladderOf([{ rows: [] }, { ...free, isEmpty }], [{ rows: [1] }, { ...free, isEmpty }]);
    const call = await ladder.call();
    expect(call.value).toEqual({ rows: [1] });
    expect(call.attempts).toEqual(['a:empty', 'b:ok']);
  });

  it.each([
    ['a string', ''],
    ['null', null],
    ['an object', {}],
    ['a typed array', new Uint8Array()],
    ['something like an array', { length: 0 }],
  ])('F20 by default %s is not empty', async (_what, value) => {
    const ladder = await ladderOf([value, free], [['x'], free]);
    expect((await ladder.call()).attempts).toEqual(['a:ok']);
  });

  it('F20 an empty answer closes the circuit of a probe', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: [fails(blip), gives([])], cost: 0 },
        { name: 'b', plays: gives('b') },
      ],
      options: { breaker: { threshold: 1 } },
    });
    await ladder.call();
    await ladder.goTo(5_000);
    expect((await ladder.call()).attempts).toEqual(['a:empty', 'b:ok']);
    expect(ladder.circuits.a).toBe('closed 0');
  });
});

describe('F20 an answer that `assess` calls empty is as empty as one that `isEmpty` does', () => {
  const nothing = { hits: 0 };
  const hits = (value: unknown): 'empty' | undefined => (value === nothing ? 'empty' : undefined);
  const verdict = (value: unknown): { kind: 'empty' } | undefined =>
    value === nothing ? { kind: 'empty' } : undefined;
  const full = { hits: 3 };

  it.each([hits, verdict])(
    'free: held while the next is asked; paid: the answer; untiered: the answer',
    async (assess) => {
      const free0 = await ladderOf([nothing, { cost: 0, assess }], [full, paid]);
      expect(await free0.call()).toMatchObject({ value: full, attempts: ['a:empty', 'b:ok'] });
      const alone = await ladderOf([nothing, { cost: 0, assess }], [blip, paid]);
      expect(await alone.call()).toMatchObject({ value: nothing, receipt: { degraded: false } });
      for (const own of [{ cost: 1 }, {}, { onEmpty: 'accept' as const }, { cost: 0, onEmpty: 'stop' as const }]) {
        const ladder = await ladderOf([nothing, { ...own, assess }], [full, { cost: 2 }]);
        expect(await ladder.call()).toMatchObject({ value: nothing, attempts: ['a:empty'] });
      }
    },
  );

  it('a verdict that says what comes next is taken at its word', async () => {
    const assess = () => ({ kind: 'empty', next: 'accept' }) as const;
    const ladder = await ladderOf([nothing, { cost: 0, assess }], [full, paid]);
    expect(await ladder.call()).toMatchObject({ value: nothing, attempts: ['a:empty'] });
  });
});
