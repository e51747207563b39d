import { describe, expect, it } from '@jest/globals';
import { AttemptTimeoutError, FallbackExhaustedError, RejectedResultError } from '../../lib/index.js';
import type { CandidateOptions } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import type { Ladder } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';

const blip = new Error('blip');
const bug = new Error('a bug in the hook');
const untouched = { a: 'closed 0', b: 'closed 0' };
const nonsense = [5, 'splendid', null, {}, { kind: 'splendid' }, { kind: 'ok', next: 'perhaps' }, []] as const;

const faulty = (ladder: Ladder) => ladder.eventsNamed('hook.failed').map(({ hook, candidate }) => [candidate, hook]);

const two = (own: CandidateOptions, plays: Parameters<typeof open>[0]['rungs'][0]['plays']) =>
  open({
    rungs: [
      { ...own, name: 'a', plays },
      { name: 'b', plays: gives('b') },
    ],
    options: { breaker: { threshold: 1 } },
  });

const thrown = [
  [
    'throws',
    () => {
      throw bug;
    },
  ],
  ['rejects', () => Promise.reject(bug)],
] as const;

describe('F14 a hook that throws over a value', () => {
  describe.each(['accept', 'assess', 'isEmpty'] as const)('%s', (hook) => {
    it.each(thrown)('F14 that %s: the value is rejected, its health untouched, one warning', async (_how, fault) => {
      const ladder = await two({ [hook]: fault, onEmpty: 'accept' }, gives('a'));
      const call = await ladder.call();
      expect(call.value).toBe('b');
      expect(call.attempts).toEqual(['a:rejected', 'b:ok']);
      expect(ladder.circuits).toEqual(untouched);
      expect(faulty(ladder)).toEqual([['a', hook]]);
      const [error] = ladder.contexts[1]!.errors as [RejectedResultError];
      expect(error).toBeInstanceOf(RejectedResultError);
      expect(error).toMatchObject({ cause: bug, value: 'a' });
    });
  });

  it("F14 accept throws for a's value only", async () => {
    const accept = (value: string) => {
      if (value === 'a') throw bug;
      return true;
    };
    const ladder = await open({
      rungs: [
        { name: 'a', plays: gives('a') },
        { name: 'b', plays: gives('b') },
      ],
      options: { accept, breaker: { threshold: 1 } },
    });
    const call = await ladder.call();
    expect(call.value).toBe('b');
    expect(call.attempts).toEqual(['a:rejected', 'b:ok']);
    expect(faulty(ladder)).toEqual([['a', 'accept']]);
    expect(ladder.circuits).toEqual(untouched);
  });

  it("F14 accept that comes to false later vetoes ''", async () => {
    const ladder = await two({ accept: (value: string) => Promise.resolve(value !== '') }, gives(''));
    const call = await ladder.call();
    expect(call.value).toBe('b');
    expect(call.attempts).toEqual(['a:rejected', 'b:ok']);
    // an honest veto counts
    expect(ladder.circuits).toEqual({ a: 'open 1 for 5000', b: 'closed 0' });
    expect(faulty(ladder)).toEqual([]);
  });

  it.each(nonsense)('F14 assess that gives %j has not judged the value', async (said) => {
    for (const assess of [() => said, () => Promise.resolve(said)]) {
      const ladder = await two({ assess: assess as never }, gives('a'));
      const call = await ladder.call();
      expect(call.attempts).toEqual(['a:rejected', 'b:ok']);
      expect(ladder.circuits).toEqual(untouched);
      expect(faulty(ladder)).toEqual([['a', 'assess']]);
    }
  });
});

describe('F18 classify that says nothing, throws, or talks nonsense', () => {
  const said: readonly (readonly [string, NonNullable<CandidateOptions['classify']>, number])[] = [
    ['throws', thrown[0][1], 1],
    ['rejects', thrown[1][1], 1],
    ['gives undefined', () => undefined, 0],
    ['gives a promise of undefined', () => Promise.resolve(undefined), 0],
    ...nonsense.map((what) => [`gives ${JSON.stringify(what)}`, (() => what) as never, 1] as const),
    ['gives a kind of answer', () => 'ok', 1],
    ['gives a promise of a kind of answer', () => Promise.resolve('thin' as const), 1],
  ];

  it.each(said)('F18 one that %s: the default classification of the error itself', async (_how, classify, warnings) => {
    const ladder = await two({ classify }, fails(blip));
    const call = await ladder.call();
    expect(call.value).toBe('b');
    expect(call.attempts).toEqual(['a:transient', 'b:ok']);
    expect(ladder.contexts[1]!.errors).toEqual([blip]);
    expect(ladder.contexts[1]!.errors[0]).toBe(blip);
    expect(faulty(ladder)).toEqual(Array.from({ length: warnings }, () => ['a', 'classify']));
    expect(ladder.circuits).toEqual({ a: 'open 1 for 5000', b: 'closed 0' });
  });

  it.each(said)(
    'F18 one that %s, and nobody else answers: the exhausted error holds E itself',
    async (_how, classify) => {
      const ladder = await open({ rungs: [{ name: 'a', plays: fails(blip), classify }] });
      const error = (await ladder.call()).error as FallbackExhaustedError;
      expect(error).toBeInstanceOf(FallbackExhaustedError);
      expect(error.failures()).toHaveLength(1);
      expect(error.failures()[0]!.error).toBe(blip);
    },
  );
});

describe('F19 everybody fails, each in its own way', () => {
  it('F19 the message names a: transient and b: denied', async () => {
    const denied = Object.assign(new Error('nope'), { status: 401 });
    const ladder = await open({
      rungs: [
        { name: 'a', plays: fails(blip) },
        { name: 'b', plays: fails(denied) },
      ],
    });
    const call = await ladder.call();
    const error = call.error as FallbackExhaustedError;
    expect(error).toBeInstanceOf(FallbackExhaustedError);
    expect(error.message).toBe('All 2 fallback candidates failed (a: transient; b: denied)');
    expect(error.attempts.map(({ kind }) => kind)).toEqual(['transient', 'denied']);
    expect(error.failures()).toEqual([
      { candidate: 'a', error: blip },
      { candidate: 'b', error: denied },
    ]);
    expect(error.lastStatus).toBe(401);
  });
});

describe('hooks are asked inside the time of the attempt', () => {
  const never = () => new Promise<never>(() => {});

  it.each([
    ['accept', gives('a'), {}],
    ['assess', gives('a'), {}],
    ['isEmpty', gives('a'), { onEmpty: 'accept' }],
    ['classify', fails(blip), {}],
  ] as const)('%s that never answers runs into the timeout', async (hook, plays, own) => {
    const ladder = await two({ ...own, timeout: 20, [hook]: never }, plays);
    const call = await ladder.call(undefined, 20);
    expect(call).toMatchObject({ outcome: { value: 'b' }, took: 20 });
    expect(call.attempts).toEqual(['a:timeout', 'b:ok']);
    expect(ladder.contexts[1]!.errors[0]).toBeInstanceOf(AttemptTimeoutError);
    expect(ladder.circuits.a).toBe('open 1 for 5000');
  });

  it('supports that never answers counts as false when the timeout is over', async () => {
    const ladder = await two({ timeout: 20, supports: never }, gives('a'));
    const call = await ladder.call(undefined, 20);
    expect(call).toMatchObject({ outcome: { value: 'b' }, took: 20 });
    expect(call.attempts).toEqual(['a:skipped(unsupported)', 'b:ok']);
    expect(faulty(ladder)).toEqual([['a', 'supports']]);
    expect(ladder.circuits).toEqual(untouched);
    expect(ladder.calls).toEqual({ a: 0, b: 1 });
  });

  it.each(['accept', 'assess', 'classify', 'supports'] as const)(
    'the caller goes away while %s is thinking: nobody else is called, no health effect',
    async (hook) => {
      const ladder = await two({ [hook]: never }, hook === 'classify' ? fails(blip) : gives('a'));
      const caller = new AbortController();
      const call = ladder.begin(undefined, caller.signal);
      await ladder.clock.advance(5);
      const reason = new Error('gone');
      caller.abort(reason);
      await ladder.clock.advance(0);
      expect(call.error).toBe(reason);
      expect(call.took).toBe(5);
      expect(ladder.calls.b).toBe(0);
      expect(ladder.circuits).toEqual(untouched);
    },
  );

  it('the time that supports took is part of the timeout', async () => {
    const supports = () => ladder.clock.sleep(15).then(() => true);
    const ladder: Ladder = await two({ timeout: 20, supports }, gives('a', 10));
    const call = await ladder.call(undefined, 20);
    expect(call).toMatchObject({ outcome: { value: 'b' }, took: 20 });
    expect(call.attempts).toEqual(['a:timeout', 'b:ok']);
  });
});
