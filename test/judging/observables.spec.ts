import { EMPTY, NEVER, Observable, Subject, concat, of, throwError, timer } from 'rxjs';
import { describe, expect, it } from '@jest/globals';
import { FallbackExhaustedError } from '../../lib/index.js';
import type { Step } from '../support/plays.js';
import { gives } from '../support/plays.js';
import { open } from '../support/ladder.js';

const down = new Error('down');
const emits =
  (source: Observable<unknown>): Step =>
  () =>
    source;

/** An Observable that counts its subscriptions and teardowns. */
function counted(source: Observable<unknown>) {
  const counts = { subscribed: 0, torn: 0 };
  const observable = new Observable<unknown>((subscriber) => {
    counts.subscribed++;
    const subscription = source.subscribe(subscriber);
    return () => {
      counts.torn++;
      subscription.unsubscribe();
    };
  });
  return { counts, plays: emits(observable) };
}

const two = (plays: Step, options = {}) =>
  open({
    rungs: [
      // The first rung is the decorated method, whose answer must stay what it is.
      { name: 'primary', plays: () => Promise.reject(down) },
      { name: 'a', plays, breaker: { threshold: 1 } },
      { name: 'b', plays: gives('b') },
    ],
    options,
  });

describe('an Observable as the answer of a candidate in a promise chain', () => {
  it.each([
    ['one value', of('x'), 'x'],
    ['several: the last counts', of('x', 'y', 'z'), 'z'],
    ['undefined is a value', of(undefined), undefined],
    ['null after others', of('x', null), null],
  ])('%s', async (_what, source, value) => {
    const { counts, plays } = counted(source);
    const ladder = await two(plays);
    const call = await ladder.call();
    expect(call.outcome).toEqual({ value });
    expect(call.attempts).toEqual(['primary:transient', 'a:ok']);
    expect(counts).toEqual({ subscribed: 1, torn: 1 });
  });

  it('a value that comes later, once it is complete', async () => {
    const subject = new Subject<string>();
    const ladder = await two(emits(subject));
    const call = ladder.begin();
    await ladder.clock.advance(1);
    subject.next('x');
    await ladder.clock.advance(1);
    expect(call.isSettled).toBe(false);
    subject.next('y');
    subject.complete();
    await ladder.clock.advance(0);
    expect(call.value).toBe('y');
  });

  it.each([
    ['an error', throwError(() => down)],
    [
      'an error after a value',
      concat(
        of('x'),
        throwError(() => down),
      ),
    ],
    [
      'an error in subscribe',
      new Observable(() => {
        throw down;
      }),
    ],
  ])('%s goes on to the next, with the error itself', async (_what, source) => {
    const { counts, plays } = counted(source);
    const ladder = await two(plays);
    const call = await ladder.call();
    expect(call.value).toBe('b');
    expect(ladder.contexts[2]!.errors[1]).toBe(down);
    expect(ladder.circuits.a).toBe('open 1 for 5000');
    expect(counts.subscribed).toBe(1);
  });

  it('one that completes without a value fails with EmptyError', async () => {
    const ladder = await two(emits(EMPTY));
    const call = await ladder.call();
    expect(call.value).toBe('b');
    expect(call.attempts).toEqual(['primary:transient', 'a:transient', 'b:ok']);
    expect(ladder.contexts[2]!.errors[1]).toMatchObject({ name: 'EmptyError' });
  });

  it('a hostile one whose subscribe throws', async () => {
    const hostile = {
      pipe: () => {},
      subscribe() {
        throw down;
      },
    };
    const ladder = await two(() => hostile);
    expect((await ladder.call()).value).toBe('b');
  });

  it.each([
    ['its timeout', { timeout: 20 }, 20],
    ['the deadline', { deadline: 20 }, 20],
  ])('is unsubscribed exactly once at %s', async (_what, options, ms) => {
    const { counts, plays } = counted(NEVER);
    const ladder = await two(plays, options);
    const call = await ladder.call(undefined, ms);
    expect(call.isSettled).toBe(true);
    expect(counts).toEqual({ subscribed: 1, torn: 1 });
    await ladder.clock.advance(1_000);
    expect(counts).toEqual({ subscribed: 1, torn: 1 });
  });

  it('and when the caller goes away', async () => {
    const { counts, plays } = counted(NEVER);
    const ladder = await two(plays);
    const caller = new AbortController();
    const call = ladder.begin(undefined, caller.signal);
    await ladder.clock.advance(5);
    caller.abort(down);
    await ladder.clock.advance(0);
    expect(call.error).toBe(down);
    expect(counts).toEqual({ subscribed: 1, torn: 1 });
  });

  it('what it emits after that is of no interest, and a teardown that throws harms nobody', async () => {
    const observable = new Observable<unknown>((subscriber) => {
      const timeout = timer(0).subscribe();
      subscriber.add(timeout);
      return () => {
        subscriber.next('late');
        subscriber.complete();
        throw down;
      };
    });
    const ladder = await two(emits(observable), { timeout: 20 });
    const call = await ladder.call(undefined, 20);
    expect(call.value).toBe('b');
    expect(ladder.eventsNamed('attempt.late')).toEqual([]);
  });

  it('when all candidates are such: exhausted, each error raw', async () => {
    const ladder = await open({
      rungs: [
        { name: 'primary', plays: () => Promise.reject(down) },
        { name: 'a', plays: emits(throwError(() => down)) },
        { name: 'b', plays: emits(EMPTY) },
      ],
    });
    const error = (await ladder.call()).error as FallbackExhaustedError;
    expect(error.failures()).toMatchObject([{ error: down }, { error: down }, { error: { name: 'EmptyError' } }]);
  });

  it('a try again subscribes again', async () => {
    let subscriptions = 0;
    const observable = new Observable<string>((subscriber) => {
      if (++subscriptions === 1) subscriber.error(down);
      else {
        subscriber.next('x');
        subscriber.complete();
      }
    });
    const ladder = await open({
      rungs: [
        { name: 'primary', plays: () => Promise.reject(down) },
        { name: 'a', plays: emits(observable), retries: 1 },
      ],
    });
    const call = await ladder.call(undefined, 2_000);
    expect(call.value).toBe('x');
    expect(call.receipt?.attempts[1]).toMatchObject({ tries: 2 });
  });
});
