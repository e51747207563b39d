import { Injectable } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Degraded, FallbackChain } from '../../lib/index.js';
import { down } from '../support/answers.js';
import { open } from '../support/ladder.js';
import { closeApps, startApp } from '../support/nest-app.js';
import { TestClock } from '../support/test-clock.js';

const exhausted = { code: 'FALLBACK_EXHAUSTED' };

describe('classes that inherit one chain keep their last known good values apart', () => {
  afterEach(closeApps);

  abstract class Prices {
    isUp = true;
    abstract readonly of: string;

    @FallbackChain([], { name: 'by arguments', whenOpen: 'ignore' })
    @Degraded({ lastKnownGood: { maxAge: '1h' }, mark: 'receipt' })
    async price(_id: number): Promise<string> {
      return this.isUp ? this.of : down();
    }

    @FallbackChain([], { name: 'by key', whenOpen: 'ignore' })
    @Degraded({ lastKnownGood: { maxAge: '1h', key: (id: number) => id }, mark: 'receipt' })
    async keyed(_id: number): Promise<string> {
      return this.isUp ? this.of : down();
    }
  }

  @Injectable()
  class Shares extends Prices {
    readonly of = 'shares';
  }
  @Injectable()
  class Bonds extends Prices {
    readonly of: string = 'bonds';
  }
  @Injectable()
  class Junk extends Bonds {
    override readonly of: string = 'junk';
  }
  const called = (label: string): Type<Prices> => {
    @Injectable()
    class Regional extends Prices {
      readonly of = label;
    }
    return Regional;
  };

  const pairs: readonly (readonly [string, readonly [Type<Prices>, Type<Prices>]])[] = [
    ['of different names', [Shares, Bonds]],
    ['of the same name', [called('north'), called('south')]],
    ['one of which is the other`s parent', [Bonds, Junk]],
  ];

  describe.each(pairs)('%s', (_which, [One, Other]) => {
    it.each(['price', 'keyed'] as const)('%s', async (method) => {
      const clock = new TestClock();
      const { app } = await startApp({
        providers: [One, Other].map((each, place) => ({ provide: `P${place}`, useClass: each })),
        options: { clock },
      });
      const [one, other] = [app.get<Prices>('P0'), app.get<Prices>('P1')];
      const first = await one[method](1);
      other.isUp = false;
      await expect(other[method](1)).rejects.toMatchObject(exhausted);
      other.isUp = true;
      const second = await other[method](1);
      expect(second).not.toBe(first);
      one.isUp = other.isUp = false;
      expect(await one[method](1)).toBe(first);
      expect(await other[method](1)).toBe(second);
    });
  });
});

describe('keys that are told apart', () => {
  const keeping = async (value: unknown = 'kept') => {
    let isUp = true;
    const ladder = await open({
      rungs: [{ name: 'a', plays: () => (isUp ? Promise.resolve(value) : down()), whenOpen: 'ignore' }],
      degraded: { lastKnownGood: { maxAge: '1h' } },
    });
    return { ladder, fall: () => (isUp = false) };
  };

  // Each has what a reader of the real thing would ask for.
  class SaysDate {
    readonly [Symbol.toStringTag] = 'Date';
    readonly #user: string;
    constructor(user: string) {
      this.#user = user;
    }
    getTime(): number {
      return this.#user === '' ? 1 : 0;
    }
  }
  class SaysMap {
    readonly [Symbol.toStringTag] = 'Map';
    constructor(readonly user: string) {}
    *[Symbol.iterator](): Iterator<never> {}
  }
  class SaysSet {
    readonly [Symbol.toStringTag] = 'Set';
    constructor(readonly user: string) {}
    *[Symbol.iterator](): Iterator<never> {}
  }
  class SaysArray {
    readonly #user: string;
    constructor(user: string) {
      this.#user = user;
    }
    get [Symbol.toStringTag](): string {
      return 'Array';
    }
    get length(): number {
      return this.#user === '' ? 1 : 0;
    }
    map(): never[] {
      return [];
    }
  }

  it.each([SaysDate, SaysMap, SaysSet, SaysArray])('%p as an argument has no key', async (Impostor) => {
    const { ladder, fall } = await keeping();
    expect((await ladder.call(new Impostor('ann'))).value).toBe('kept');
    expect(ladder.eventsNamed('value.not-stored')).toMatchObject([{ because: 'arguments' }]);
    fall();
    expect((await ladder.call(new Impostor('ann'))).error).toMatchObject(exhausted);
    expect((await ladder.call(new Impostor('bob'))).error).toMatchObject(exhausted);
  });

  it.each([SaysDate, SaysMap, SaysSet, SaysArray])('%p as an answer is not stored', async (Impostor) => {
    const value = new Impostor('ann');
    const { ladder, fall } = await keeping(value);
    expect((await ladder.call('q')).value).toBe(value);
    expect(ladder.eventsNamed('value.not-stored')).toMatchObject([{ because: 'value' }]);
    fall();
    expect((await ladder.call('q')).error).toMatchObject(exhausted);
  });

  const array = (length: number, more: object) => Object.assign(Array.from({ length }), more) as unknown[];
  const holed = (place: number, more: object) => {
    const made = array(3, more);
    Reflect.deleteProperty(made, place);
    return made;
  };

  it.each([
    ['a hole and a property that makes up for it', holed(1, { user: 'ann' }), holed(1, { user: 'bob' })],
    ['holes in different places', holed(0, { user: 'ann' }), holed(2, { user: 'ann' })],
    ['a property beside the elements', array(2, { user: 'ann' }), array(2, { user: 'bob' })],
    ['a hole and `undefined`', holed(1, {}), [undefined, undefined, undefined]],
  ])('arrays with %s do not share a value', async (_what, one, other) => {
    const { ladder, fall } = await keeping();
    await ladder.call(one);
    fall();
    expect((await ladder.call(other)).error).toMatchObject(exhausted);
  });

  it('an array with a hole and a property is no value to be kept', async () => {
    const { ladder, fall } = await keeping(holed(1, { user: 'ann' }));
    await ladder.call('q');
    expect(ladder.eventsNamed('value.not-stored')).toMatchObject([{ because: 'value' }]);
    fall();
    expect((await ladder.call('q')).error).toMatchObject(exhausted);
  });

  it('real dates, maps and arrays are kept as before', async () => {
    const value = { at: new Date(5), by: new Map([[1, new Set(['x'])]]), list: [1, undefined] };
    const { ladder, fall } = await keeping(value);
    await ladder.call(new Date(7));
    fall();
    const call = await ladder.call(new Date(7));
    expect(call.value).toEqual(value);
    expect(call.receipt).toMatchObject({ source: 'last-known-good' });
  });
});
