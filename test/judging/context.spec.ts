import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Degraded, FallbackChain } from '../../lib/index.js';
import type { AttemptContext } from '../../lib/index.js';
import { closeApps, startApp } from '../support/nest-app.js';
import { TestClock } from '../support/test-clock.js';

const user = new AsyncLocalStorage<string>();
const clock = new TestClock();
const down = new Error('down');
let seen: { place: string; who: string | undefined; self: unknown }[] = [];
function note(place: string, self: unknown): void {
  seen.push({ place, who: user.getStore(), self });
}

@Injectable()
class Weather {
  @FallbackChain(
    [
      {
        name: 'empty',
        cost: 0,
        isEmpty(this: unknown) {
          note('isEmpty', this);
          return clock.sleep(5).then(() => true);
        },
        run(this: unknown) {
          note('empty', this);
          return clock.sleep(5).then(() => []);
        },
      },
      {
        name: 'vetoed',
        on(this: unknown) {
          note('on', this);
          return true;
        },
        accept(this: unknown) {
          note('accept', this);
          return clock.sleep(5).then(() => false);
        },
        assess: () => undefined,
        async run(this: unknown) {
          note('vetoed', this);
          return 'vetoed';
        },
      },
      {
        name: 'slow',
        timeout(this: unknown) {
          note('timeout', this);
          return 20;
        },
        supports(this: unknown) {
          note('supports', this);
          return clock.sleep(5).then(() => true);
        },
        run(this: unknown, ctx: AttemptContext) {
          note('slow', this);
          ctx.signal.addEventListener('abort', () => note('abort', undefined));
          return clock.sleep(100).then(() => `late for ${user.getStore()}`);
        },
      },
      {
        name: 'last',
        retries: { times: 1, on: ['timeout'] },
        classify(this: unknown) {
          note('classify', this);
          return clock.sleep(5).then(() => 'timeout' as const);
        },
        run(this: unknown) {
          note('last', this);
          return Promise.reject(down);
        },
      },
    ],
    {
      name: 'weather',
      enabled(this: unknown) {
        note('enabled', this);
        return true;
      },
      onEmpty: 'continue',
    },
  )
  @Degraded({
    lastKnownGood: {
      maxAge: '1h',
      key(this: unknown) {
        note('key', this);
        return user.getStore();
      },
    },
    substitute(this: unknown) {
      note('substitute', this);
      return clock.sleep(5).then(() => 'substitute');
    },
    mark: 'receipt',
  })
  async forecast(): Promise<unknown> {
    note('forecast', this);
    throw down;
  }
}

const PLACES = [
  'enabled',
  'forecast',
  'empty',
  'isEmpty',
  'on',
  'vetoed',
  'accept',
  'supports',
  'timeout',
  'slow',
  'abort',
  'last',
  'classify',
  'key',
];

describe("the caller's context and `this` hold everywhere", () => {
  afterEach(closeApps);

  it('in every candidate, try, hook and substitute, of calls that overlap', async () => {
    seen = [];
    const { app } = await startApp({ providers: [Weather], options: { clock } });
    const weather = app.get(Weather);
    const users = ['ada', 'bob', 'eve'];
    const calls = users.map((who) => user.run(who, () => weather.forecast()));
    await clock.advance(5_000);
    // An empty answer is held, so the substitute is not asked.
    expect(await Promise.all(calls)).toEqual([[], [], []]);
    for (const who of users) {
      const places = new Set(seen.filter((each) => each.who === who).map(({ place }) => place));
      expect([...places].sort((one, other) => one.localeCompare(other))).toEqual(
        PLACES.toSorted((one, other) => one.localeCompare(other)),
      );
    }
    expect(seen.filter(({ who }) => who === undefined)).toEqual([]);
    expect(seen.filter(({ place, self }) => place !== 'abort' && self !== weather)).toEqual([]);
    expect(seen.filter(({ place }) => place === 'last')).toHaveLength(6);
  });

  it("a late answer is kept under the key of its own caller, in the caller's context", async () => {
    seen = [];
    const { app, fallback } = await startApp({ providers: [Weather], options: { clock } });
    const weather = app.get(Weather);
    const calls = ['ada', 'bob'].map((who) => user.run(who, () => weather.forecast()));
    await clock.advance(5_000);
    await Promise.all(calls);
    const keys = seen.filter(({ place }) => place === 'key');
    expect(keys.map(({ who }) => who)).toEqual(['ada', 'bob']);
    expect(fallback.currentReceipts()).toEqual([]);
  });
});
