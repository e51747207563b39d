/** Excluded fields never reach a body or a store, with Nest's ClassSerializerInterceptor inside and outside of the ladder. */
import { ClassSerializerInterceptor, Controller, Get, UseInterceptors } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Exclude } from 'class-transformer';
import { Degraded, FallbackChain, FallbackInterceptor, served } from '../../../lib/index.js';
import type { DegradedOptions, FallbackEvent } from '../../../lib/index.js';
import { closeAll, listen, platforms } from '../../support/apps.js';
import type { Platform } from '../../support/apps.js';
import { NotingStore } from '../../support/value-stores.js';

class User {
  readonly name: string;
  @Exclude()
  readonly password = 'hunter2';
  degraded?: boolean;

  constructor(name: string) {
    this.name = name;
  }
}

const MARKS = ['property', 'served', 'receipt'] as const;
type Mark = (typeof MARKS)[number];

/** Who stands in for `ann`, who is there once. */
interface StandIn {
  readonly substitute?: DegradedOptions['substitute'];
  readonly candidate?: boolean;
}

const INTERCEPTORS: readonly (readonly [string, readonly Type[]])[] = [
  ['outside, the wrapper inside', [ClassSerializerInterceptor]],
  ['outside of FallbackInterceptor', [ClassSerializerInterceptor, FallbackInterceptor]],
  ['inside of FallbackInterceptor', [FallbackInterceptor, ClassSerializerInterceptor]],
];

function controllerOf(interceptors: readonly Type[], mark: Mark, { candidate, ...standIn }: StandIn) {
  const other = { name: 'other', degraded: true, run: () => new User('other') as never };
  let calls = 0;

  @Controller()
  @UseInterceptors(...(interceptors as never[]))
  class Users {
    @Get()
    @FallbackChain(candidate === true ? [other] : [], { name: 'users', timeout: 1_000 })
    @Degraded({ lastKnownGood: { maxAge: '1h', key: () => 'ann' }, ...standIn, mark } as DegradedOptions & {
      mark: 'receipt';
    })
    async ann(): Promise<unknown> {
      if (calls++ > 0) throw new Error('down');
      return mark === 'served' ? served(new User('ann')) : new User('ann');
    }
  }
  return Users;
}

async function start(platform: Platform, interceptors: readonly Type[], mark: Mark, standIn: StandIn = {}) {
  const store = new NotingStore();
  const events: FallbackEvent[] = [];
  const observers = [(event: FallbackEvent) => void events.push(event)];
  const { url } = await listen(platform, {
    controllers: [controllerOf(interceptors, mark, standIn)],
    fallback: { valueStore: store, observers },
  });
  const get = async () => {
    const response = await fetch(url);
    return { status: response.status, text: await response.text() };
  };
  return { get, store, events };
}

describe.each(platforms)('$name', (platform) => {
  afterEach(closeAll);

  describe.each(INTERCEPTORS)('ClassSerializerInterceptor %s', (_where, interceptors) => {
    const isInside = interceptors[0] === FallbackInterceptor;

    it.each(MARKS)('mark: %s', async (mark) => {
      const { get, store, events } = await start(platform, interceptors, mark);
      const [healthy, degraded] = [await get(), await get()];
      expect(healthy.status).toBe(200);
      expect(healthy.text).toContain('ann');
      expect(`${healthy.text}${degraded.text}${JSON.stringify([...store])}`).not.toContain('hunter2');
      // What the serializer has made plain is kept; an instance that only it could make plain is not.
      expect([degraded.status, store.size]).toEqual(isInside ? [200, 1] : [503, 0]);
      const refused = events.filter(({ name }) => name === 'value.not-stored');
      expect(refused.map(({ because }) => because)).toEqual(isInside ? [] : ['value']);
    });
  });

  // Inside, the serializer has been passed already: what stands in for its answer is sent as it is.
  describe.each(INTERCEPTORS.filter(([, [first]]) => first === ClassSerializerInterceptor))(
    'ClassSerializerInterceptor %s',
    (_where, interceptors) => {
      const standIns: readonly (readonly [string, StandIn])[] = [
        ['a substitute', { substitute: () => new User('other') }],
        ['another candidate', { candidate: true }],
      ];
      const cases = standIns.flatMap(([who, standIn]) => MARKS.map((mark) => [who, mark, standIn] as const));

      it.each(cases)('the instance of %s passes through it, mark: %s', async (_who, mark, standIn) => {
        const { get, store } = await start(platform, interceptors, mark, standIn);
        await get();
        const { text, status } = await get();
        expect(status).toBe(200);
        expect(text).toContain('other');
        expect(`${text}${JSON.stringify([...store])}`).not.toContain('hunter2');
      });
    },
  );
});
