import { NotFoundException } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { receiptOf } from '../../lib/index.js';
import type { CandidateOptions, OutcomeKind, Verdict } from '../../lib/index.js';
import { attemptsOf, open } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';

const blip = new Error('blip');
const untouched = { a: 'closed 0', b: 'closed 0' };

const two = (own: CandidateOptions, plays: Parameters<typeof open>[0]['rungs'][0]['plays']) =>
  open({
    rungs: [
      { ...own, name: 'a', plays },
      { name: 'b', plays: gives('b') },
    ],
    options: { breaker: { threshold: 2, cooldown: '30s' } },
  });

/** What a says of itself, in both ways: who is called, the records, its circuit, and what the caller gets. */
const KINDS: readonly (readonly [OutcomeKind | Verdict, string[], string, 'b' | 'raw'])[] = [
  ['rejected', ['a:rejected', 'b:ok'], 'closed 1', 'b'],
  ['transient', ['a:transient', 'b:ok'], 'closed 1', 'b'],
  ['timeout', ['a:timeout', 'b:ok'], 'closed 1', 'b'],
  ['rate-limited', ['a:rate-limited', 'b:ok'], 'closed 1', 'b'],
  ['denied', ['a:denied', 'b:ok'], 'open 1 for 300000', 'b'],
  ['unsupported', ['a:unsupported', 'b:ok'], 'closed 0', 'b'],
  ['terminal', ['a:terminal'], 'closed 0', 'raw'],
  [{ kind: 'rate-limited', retryAfter: 7_000 }, ['a:rate-limited', 'b:ok'], 'open 1 for 7000', 'b'],
  [{ kind: 'rate-limited', retryAfter: 0 }, ['a:rate-limited', 'b:ok'], 'closed 1', 'b'],
  [{ kind: 'rate-limited', retryAfter: -5 }, ['a:rate-limited', 'b:ok'], 'closed 1', 'b'],
  [{ kind: 'rate-limited', retryAfter: Number.NaN }, ['a:rate-limited', 'b:ok'], 'closed 1', 'b'],
  [{ kind: 'rate-limited', retryAfter: 1e12 }, ['a:rate-limited', 'b:ok'], 'open 1 for 3600000', 'b'],
  [{ kind: 'transient', retryAfter: 7_000 }, ['a:transient', 'b:ok'], 'closed 1', 'b'],
  [{ kind: 'transient', health: 'ignore' }, ['a:transient', 'b:ok'], 'closed 0', 'b'],
  [{ kind: 'transient', next: 'stop' }, ['a:transient'], 'closed 1', 'raw'],
  [{ kind: 'terminal', next: 'continue' }, ['a:terminal', 'b:ok'], 'closed 0', 'b'],
  [{ kind: 'unsupported', health: 'failure' }, ['a:unsupported', 'b:ok'], 'closed 1', 'b'],
];

describe.each(['at once', 'later'])('a whole verdict, said %s', (when) => {
  const say = (said: OutcomeKind | Verdict) => () => (when === 'later' ? Promise.resolve(said) : said);

  it.each(KINDS)('B10 classify says %j', async (said, attempts, circuit, outcome) => {
    const ladder = await two({ classify: say(said) }, fails(blip));
    const call = await ladder.call();
    expect(call.outcome).toEqual(outcome === 'b' ? { value: 'b' } : { error: blip });
    expect(ladder.events.filter(({ name }) => name === 'hook.failed')).toEqual([]);
    expect(ladder.calls).toEqual({ a: 1, b: outcome === 'b' ? 1 : 0 });
    expect(ladder.circuits.a).toBe(circuit);
    const receipt = outcome === 'b' ? call.receipt : receiptOf(blip);
    expect(attemptsOf(receipt!)).toEqual(attempts);
  });

  it.each(KINDS)('assess says %j of a value: a 200 may hold a failure', async (said, attempts, circuit, outcome) => {
    const value = { text: 'rate limit exceeded' };
    const ladder = await two({ assess: say(said) }, gives(value));
    const call = await ladder.call();
    expect(ladder.calls).toEqual({ a: 1, b: outcome === 'b' ? 1 : 0 });
    expect(ladder.circuits.a).toBe(circuit);
    const rejected = { error: { code: 'RESULT_REJECTED', value } };
    expect(call.outcome).toMatchObject(outcome === 'b' ? { value: 'b' } : rejected);
    const receipt = outcome === 'b' ? call.receipt : receiptOf(call.error);
    expect(attemptsOf(receipt!)).toEqual(attempts);
  });
});

describe('B10 classify decides before the default', () => {
  it('B10 a 404 that is only missing here may go on', async () => {
    const ladder = await two({ classify: () => 'unsupported' }, fails(new NotFoundException()));
    const call = await ladder.call();
    expect(call.value).toBe('b');
    expect(ladder.circuits).toEqual(untouched);
  });

  it('B10 an unknown error may stop', async () => {
    const ladder = await two({ classify: () => 'terminal' }, fails(blip));
    expect((await ladder.call()).error).toBe(blip);
    expect(ladder.calls.b).toBe(0);
  });

  it('B10 classify gets the error itself and the context of the attempt', async () => {
    const asked: unknown[][] = [];
    const ladder = await two({ classify: (...args) => void asked.push(args) }, fails(blip));
    await ladder.call();
    expect(asked).toHaveLength(1);
    expect(asked[0]![0]).toBe(blip);
    expect(asked[0]![1]).toMatchObject({ chain: 'ladder', candidate: 'a', index: 0, attempt: 0 });
  });
});

describe('values are judged by isEmpty, accept, assess, in this order', () => {
  const asked: string[] = [];
  const ask =
    <T>(hook: string, answer: T) =>
    () => {
      asked.push(hook);
      return answer;
    };

  it.each([
    ['all are content', false, true, undefined, ['isEmpty', 'accept', 'assess'], 'a:ok'],
    ['isEmpty says yes', true, false, 'terminal', ['isEmpty'], 'a:empty'],
    ['accept says no', false, false, 'terminal', ['isEmpty', 'accept'], 'a:rejected'],
    ['assess says thin', false, true, 'thin', ['isEmpty', 'accept', 'assess'], 'a:thin'],
  ] as const)('%s', async (_what, isEmpty, accept, assess, order, first) => {
    asked.length = 0;
    const hooks = { isEmpty: ask('isEmpty', isEmpty), accept: ask('accept', accept), assess: ask('assess', assess) };
    const ladder = await two({ ...hooks, onEmpty: 'accept' }, gives('a'));
    const call = await ladder.call();
    expect(asked).toEqual(order);
    expect(call.attempts[0]).toBe(first);
  });

  it('isEmpty is not asked where neither cost nor onEmpty is set', async () => {
    asked.length = 0;
    const ladder = await two({ isEmpty: ask('isEmpty', true) }, gives([]));
    expect((await ladder.call()).attempts).toEqual(['a:ok']);
    expect(asked).toEqual([]);
  });

  it('accept and assess get the value and the context; the first that speaks decides', async () => {
    const seen: unknown[] = [];
    const accept = (value: unknown, ctx: { candidate: string }) => seen.push([value, ctx.candidate]) > 0;
    const ladder = await two({ accept, assess: (value, { index }) => void seen.push([value, index]) }, gives('a'));
    await ladder.call();
    expect(seen).toEqual([
      ['a', 'a'],
      ['a', 0],
    ]);
  });
});
