import type { LoggerService } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Degraded, FallbackChain } from '../../lib/index.js';
import type { CandidateOptions, ChainOptions, DegradedOptions, FallbackEvent } from '../../lib/index.js';
import { down } from '../support/answers.js';
import { thenable } from '../support/core-call.js';
import { open } from '../support/ladder.js';
import type { Ladder } from '../support/ladder.js';
import { closeApps, startApp } from '../support/nest-app.js';
import { fails, gives } from '../support/plays.js';
import { unhandledDuring } from '../support/rejections.js';
import { settle } from '../support/test-clock.js';

const blip = new Error('blip');
const bug = new Error('a bug in the hook');

const boom = () => {
  throw bug;
};
const THEN = 'then' as const;
const unreadable = () => Object.defineProperty({}, THEN, { get: boom });
const hostile: readonly (readonly [string, () => unknown])[] = [
  ['whose `then` cannot be read', unreadable],
  ['whose `then` throws', () => thenable(boom)],
  ['that is a revoked proxy', revoked],
];
const promises: readonly (readonly [string, () => unknown])[] = [
  ['a promise of true', () => Promise.resolve(true)],
  ['a promise of false', () => Promise.resolve(false)],
  ['a promise that rejects', () => Promise.reject(bug)],
  ['a promise that never settles', () => new Promise(() => {})],
  ['a promise that rejects later', () => settle().then(boom)],
  ['a thenable that rejects', () => thenable(((_: unknown, reject: (e: unknown) => void) => reject(bug)) as never)],
];

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const faulty = (ladder: Ladder) => ladder.eventsNamed('hook.failed').map(({ hook, candidate }) => [candidate, hook]);

/** b would answer where its hook lets it; c answers else. */
const three = (own: CandidateOptions, options: ChainOptions = {}, degraded?: DegradedOptions) =>
  open({
    rungs: [
      { name: 'a', plays: fails(blip) },
      { ...own, name: 'b', plays: gives('b') },
      { name: 'c', plays: gives('c') },
    ],
    options: { breaker: { threshold: 1 }, ...options },
    ...(degraded && { degraded }),
  });

const failing = (degraded: object) =>
  open({ rungs: [{ name: 'a', plays: fails(blip), whenOpen: 'ignore' }], degraded: degraded as DegradedOptions });

describe.each([
  ['an object', hostile],
  ['what must be awaited:', promises],
] as const)('hooks that must answer at once and give %s', (_what, gifts) => {
  it.each(gifts)('enabled of a chain, %s: it is on, one warning', async (_how, give) => {
    const seen = await unhandledDuring(async () => {
      const ladder = await three({}, { enabled: give as () => boolean });
      const call = await ladder.call();
      expect(call.value).toBe('b');
      expect(faulty(ladder)).toEqual([[undefined, 'enabled']]);
    });
    expect(seen).toEqual([]);
  });

  it.each(gifts)('enabled of @Degraded, %s: it is on, one warning', async (_how, give) => {
    const seen = await unhandledDuring(async () => {
      const ladder = await failing({ substitute: 'substitute', enabled: give });
      expect((await ladder.call()).value).toBe('substitute');
      expect(faulty(ladder)).toEqual([[undefined, 'enabled']]);
    });
    expect(seen).toEqual([]);
  });

  it.each(gifts)('on, %s: gated, one warning', async (_how, give) => {
    const seen = await unhandledDuring(async () => {
      const ladder = await three({ on: give as () => boolean });
      const call = await ladder.call();
      expect(call.value).toBe('c');
      expect(call.attempts).toEqual(['a:transient', 'b:skipped(gated)', 'c:ok']);
      expect(faulty(ladder)).toEqual([['b', 'on']]);
    });
    expect(seen).toEqual([]);
  });

  it.each(gifts)('timeout, %s: not called, its health untouched, one warning', async (_how, give) => {
    const seen = await unhandledDuring(async () => {
      const ladder = await three({ timeout: give as () => number });
      const call = await ladder.call();
      expect(call.outcome).toEqual({ value: 'c' });
      expect(call.attempts).toEqual(['a:transient', 'b:timeout', 'c:ok']);
      expect(ladder.circuits.b).toBe('closed 0');
      expect(ladder.calls.b).toBe(0);
      expect(faulty(ladder)).toEqual([['b', 'timeout']]);
    });
    expect(seen).toEqual([]);
  });

  it.each(gifts)('mark, %s: the substitute is not served, one warning', async (_how, give) => {
    const seen = await unhandledDuring(async () => {
      const ladder = await failing({ substitute: { n: 1 }, mark: give });
      expect((await ladder.call()).error).toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
      expect(faulty(ladder)).toEqual([[undefined, 'mark']]);
      expect(ladder.eventsNamed('substitute.unmarkable')).toHaveLength(1);
    });
    expect(seen).toEqual([]);
  });

  it.each(gifts)('lastKnownGood.key, %s: nothing is stored and nothing served', async (_how, give) => {
    const seen = await unhandledDuring(async () => {
      const ladder = await open({
        rungs: [{ name: 'a', plays: [gives('fresh'), fails(blip)] }],
        degraded: { lastKnownGood: { maxAge: '1h', key: give as () => string } },
      });
      expect((await ladder.call()).value).toBe('fresh');
      expect((await ladder.call()).error).toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
    });
    expect(seen).toEqual([]);
  });
});

describe('hooks that may be awaited and give an object that cannot be read', () => {
  it.each(hostile)('supports, %s: asked in vain, and somebody else answers', async (_how, give) => {
    const ladder = await three({ supports: give as () => boolean, timeout: 50 });
    const call = await ladder.call();
    expect(call.outcome).toEqual({ value: 'c' });
    expect(faulty(ladder)).toEqual([['b', 'supports']]);
  });

  it.each(hostile)('accept and assess, %s: the value is rejected', async (_how, give) => {
    for (const hook of ['accept', 'assess']) {
      const ladder = await three({ [hook]: give, timeout: 50 });
      const call = await ladder.call();
      expect(call.outcome).toEqual({ value: 'c' });
      expect(call.attempts).toEqual(['a:transient', 'b:rejected', 'c:ok']);
      expect(ladder.circuits.b).toBe('closed 0');
    }
  });

  it.each(hostile)('a substitute, %s: there is none', async (_how, give) => {
    const ladder = await failing({ substitute: give });
    expect((await ladder.call()).error).toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
    expect(faulty(ladder)).toEqual([[undefined, 'substitute']]);
  });
});

describe('those who only listen', () => {
  afterEach(closeApps);

  @Injectable()
  class Pages {
    @FallbackChain(['spare'], { name: 'pages', breaker: { threshold: 1 } })
    async read(): Promise<string> {
      return down();
    }
    async spare(): Promise<string> {
      return 'spare';
    }
    @FallbackChain([], { name: 'empty' })
    @Degraded({ substitute: 'substitute', mark: 'receipt' })
    async substituted(): Promise<string> {
      return down();
    }
    @FallbackChain([], { name: 'exhausted' })
    async exhausted(): Promise<string> {
      return down();
    }
  }
  const silent = () => {};
  const broken: LoggerService = { log: silent, debug: silent, verbose: silent, warn: boom, error: boom };
  const observers: readonly (readonly [string, readonly ((event: FallbackEvent) => void)[]])[] = [
    ['no observer', []],
    ['an observer that throws', [boom]],
    ['one that rejects', [() => Promise.reject(bug)]],
    ['one that gives a hostile object', [unreadable]],
    ['one whose thenable throws', [() => thenable(boom) as never]],
  ];

  it.each(observers)('a logger that throws, and %s, break no call', async (_who, list) => {
    const seen = await unhandledDuring(async () => {
      for (const logger of [undefined, false] as const) {
        const { app } = await startApp({
          providers: [Pages],
          logger: broken,
          options: { observers: [...list], ...(logger === false && { logger }) },
        });
        const pages = app.get(Pages);
        for (let call = 0; call < 3; call++) {
          expect(await pages.read()).toBe('spare');
          expect(await pages.substituted()).toBe('substitute');
          await expect(pages.exhausted()).rejects.toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
        }
      }
    });
    expect(seen).toEqual([]);
  });
});
