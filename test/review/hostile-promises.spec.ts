/** F14, F18: what an asynchronous hook gives may be a promise that cannot be asked in the usual way. */
import { describe, expect, it } from '@jest/globals';
import { open } from '../support/ladder.js';
import { fails, gives } from '../support/plays.js';

const bug = new Error('a bug in the hook');
const blip = new Error('blip');

/** A native promise whose `constructor` cannot be read, as `Promise.resolve` does. */
const unreadable = (said: unknown): Promise<never> =>
  Object.defineProperty(Promise.resolve(said), 'constructor', {
    get() {
      throw bug;
    },
  }) as Promise<never>;

/** A native promise with a `then` of its own that gives no promise. */
const odd = (said: unknown): Promise<never> =>
  // oxlint-disable-next-line unicorn/no-thenable -- that is what is tested
  Object.defineProperty(Promise.resolve(said), 'then', { value: () => undefined }) as Promise<never>;

const two = (own: object, fail = false) =>
  open({
    rungs: [
      { ...own, name: 'a', plays: fail ? fails(blip) : gives('a') },
      { name: 'b', plays: gives('b') },
    ],
  });

describe.each(['isEmpty', 'accept', 'assess'] as const)('%s', (hook) => {
  it('F14 gives a promise that cannot be asked: the value is rejected, its health untouched, one warning', async () => {
    const ladder = await two({ [hook]: () => unreadable(true), onEmpty: 'continue', timeout: 50 });
    const call = await ladder.call();
    expect(call.outcome).toEqual({ value: 'b' });
    expect(call.attempts).toEqual(['a:rejected', 'b:ok']);
    expect(ladder.circuits.a).toBe('closed 0');
    expect(ladder.eventsNamed('hook.failed')).toMatchObject([{ hook }]);
    expect(ladder.clock.refd).toBe(0);
  });

  it('F14 gives a promise with a `then` of its own: what it holds counts', async () => {
    const said = { isEmpty: false, accept: true, assess: 'ok' }[hook];
    const ladder = await two({ [hook]: () => odd(said), onEmpty: 'continue' });
    expect((await ladder.call()).outcome).toEqual({ value: 'a' });
    expect(ladder.eventsNamed('hook.failed')).toEqual([]);
  });
});

it.each([unreadable, odd])('F18 classify gives such a promise: the call ends as it should', async (promise) => {
  const ladder = await two({ classify: () => promise('denied') }, true);
  const call = await ladder.call();
  expect(call.outcome).toEqual({ value: 'b' });
  expect(call.attempts[0]).toBe(promise === odd ? 'a:denied' : 'a:transient');
  expect(ladder.eventsNamed('hook.failed')).toHaveLength(promise === odd ? 0 : 1);
});
