/** What start-up says of chains that work: a line each, and warnings. */
import { Injectable } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createFallbackChain } from '../../../lib/index.js';
import { said } from '../../support/boot-log.js';
import { hostWith } from '../../support/faulty.js';
import type { Protection } from '../../support/faulty.js';
import { closeApps, startApp } from '../../support/nest-app.js';

const withSubstitutes = { lastKnownGood: { maxAge: '15m' }, substitute: () => 'x', mark: 'receipt' };

describe('a line per chain', () => {
  afterEach(closeApps);

  it.each<[string, Protection, string]>([
    [
      'nothing but candidates',
      { candidates: ['backup'] },
      'Chain {Host0.read}: read (no timeout) → backup (no timeout)',
    ],
    [
      'everything',
      {
        candidates: [
          { method: 'backup', timeout: '300ms' },
          { method: 'spare', timeout: () => 5, name: 'last' },
        ],
        options: { name: 'picks', timeout: '0.8s', deadline: '2s' },
        degraded: withSubstitutes,
      },
      'Chain {picks}: read (800 ms) → backup (300 ms) → last (computed timeout), else last known good (up to 900000 ms old), computed substitute; deadline 2000 ms',
    ],
    [
      'a static substitute',
      { degraded: { substitute: 'x', mark: 'receipt' } },
      'Chain {Host0.read}: read (no timeout), else static substitute',
    ],
    ['a step to skip', { degraded: { skip: true } }, 'Chain {Host0.read}: read (no timeout), else skipped'],
    [
      'last known good',
      { degraded: { lastKnownGood: { maxAge: '1s' } } },
      'Chain {Host0.read}: read (no timeout), else last known good (up to 1000 ms old)',
    ],
    ['no substitute', { degraded: { mark: 'receipt' } }, 'Chain {Host0.read}: read (no timeout)'],
  ])('%s', async (_what, protection, line) => {
    expect((await said([protection])).log).toEqual([line]);
  });

  it('shows what overrides and defaults made of it, also of chains of functions', async () => {
    const chains = [createFallbackChain([() => 1, { name: 'b', run: () => 2 }], { name: 'functions' })];
    const overrides = {
      functions: { candidates: { b: { timeout: '1s' } } },
      'Host0.read': { deadline: '3s' },
    } as const;
    const { log } = await said([{ candidates: ['backup'] }], { chains, overrides, defaults: { timeout: '2s' } });
    expect(log).toEqual([
      'Chain {Host0.read}: read (2000 ms) → backup (2000 ms); deadline 3000 ms',
      'Chain {functions}: candidate0 (2000 ms) → b (1000 ms)',
    ]);
  });

  it('one line where several hosts share a chain', async () => {
    const Base = hostWith({ candidates: ['backup'] }, 'Base');
    @Injectable()
    class Child extends (Base as new () => object) {}
    expect((await said([Base, Child])).log).toHaveLength(1);
  });

  it('none with logger: false', async () => {
    const { log, warn } = await said([{ candidates: ['backup'] }], { logger: false });
    expect([log, warn]).toEqual([[], []]);
  });

  it('none where start-up fails', async () => {
    const heard: string[] = [];
    const hear = (message: string, context: string): void => void (context === 'FallbackModule' && heard.push(message));
    const logger = { log: hear, warn: hear, error: () => {} };
    const providers = [hostWith({ candidates: ['backup'] }), hostWith({ candidates: ['nothing'] }, 'Faulty')];
    await expect(startApp({ providers, logger })).rejects.toThrow(/nothing/);
    expect(heard).toEqual([]);
  });

  it('of a class that comes later, at its first call, once', async () => {
    const Late = hostWith({ candidates: ['backup'] }, 'Late') as Type<{ read(): Promise<unknown> }>;
    class LateModule {}
    Reflect.defineMetadata('providers', [Late], LateModule);
    const { app, heard } = await said([]);
    const late = (await app.get(LazyModuleLoader).load(() => LateModule)).get(Late);
    expect(heard.log).toEqual([]);
    await late.read();
    await late.read();
    expect(heard.log).toEqual(['Chain {Late.read}: read (no timeout) → backup (no timeout)']);
    expect(heard.warn).toHaveLength(1);
  });
});

describe('a candidate that hangs', () => {
  afterEach(closeApps);

  it.each<[string, Protection, string | null]>([
    ['no timeout, no deadline', { candidates: ['backup'] }, 'read'],
    ['no timeout, and a substitute', { degraded: { substitute: 'x', mark: 'receipt' } }, 'read'],
    ['all but the last, which nobody follows', { candidates: ['backup', 'spare'] }, 'read, backup'],
    ['the last, which a substitute follows', { candidates: ['backup'], degraded: withSubstitutes }, 'read, backup'],
    [
      'the primary alone',
      { candidates: ['backup'], options: { timeout: '1s', primary: { timeout: Infinity } } },
      'read',
    ],
    ['all have one', { candidates: ['backup', 'spare'], options: { timeout: '1s' } }, null],
    ['the last alone has none', { candidates: ['backup'], options: { primary: { timeout: '1s' } } }, null],
    ['a computed one', { candidates: ['backup'], options: { timeout: () => 5 } }, null],
    ['a deadline', { candidates: ['backup'], options: { timeout: '1s', deadline: '5s' } }, null],
    ['a deadline alone, and one candidate', { options: { deadline: '5s' }, degraded: withSubstitutes }, null],
    ['nothing to fall back to', { candidates: [] }, null],
    ['no substitute but a mark', { degraded: { mark: 'receipt' } }, null],
    ['an endless deadline', { candidates: ['backup'], options: { deadline: Infinity } }, 'read'],
  ])('%s', async (_what, protection, names) => {
    const { warn } = await said([protection]);
    const warning = `Host0.read: a candidate that hangs is never replaced, for there is neither timeout nor deadline (${names});`;
    expect(warn.map((line) => line.slice(0, warning.length))).toEqual(names === null ? [] : [warning]);
  });

  it('defaults of the application count', async () => {
    expect((await said([{ candidates: ['backup'] }], { defaults: { timeout: '1s' } })).warn).toEqual([]);
  });
});

describe('a worst case over the deadline', () => {
  afterEach(closeApps);

  const spare = { method: 'spare', timeout: '300ms' };

  it.each<[string, Protection, string | null]>([
    [
      'by a sum',
      { candidates: ['backup', spare], options: { timeout: '1s', deadline: '2s' } },
      'read 1000 ms + backup 1000 ms + spare 300 ms = 2300 ms, over the deadline of 2000 ms:',
    ],
    [
      'by one timeout',
      { options: { timeout: '3s', deadline: '2s' }, degraded: withSubstitutes },
      'read 3000 ms = 3000 ms, over the deadline of 2000 ms:',
    ],
    [
      'by what is kept in reserve',
      { candidates: [spare], options: { timeout: '1s', deadline: '2s', reserve: '0.8s' }, degraded: withSubstitutes },
      'read 1000 ms + spare 300 ms = 1300 ms, over the deadline of 2000 ms less 800 ms in reserve:',
    ],
    [
      'by one that has no limit and is not the last',
      { candidates: [spare], options: { deadline: '2s' } },
      'read (no limit) + spare 300 ms = (no limit), over the deadline of 2000 ms:',
    ],
    [
      'by those before one that has no limit',
      { candidates: ['backup'], options: { deadline: '2s', primary: { timeout: '3s' } } },
      'read 3000 ms + backup (no limit) = (no limit), over the deadline of 2000 ms:',
    ],
    ['just in time', { candidates: ['backup'], options: { timeout: '1s', deadline: '2s' } }, null],
    [
      'one without a limit comes last',
      { candidates: ['backup'], options: { deadline: '2s', primary: { timeout: 5 } } },
      null,
    ],
    ['a share of what is left', { candidates: ['backup'], options: { timeout: () => 5, deadline: '2s' } }, null],
  ])('%s', async (_what, protection, arithmetic) => {
    const { warn } = await said([protection]);
    const warning = `Host0.read: the worst case is ${arithmetic}`;
    expect(warn.map((line) => line.slice(0, warning.length))).toEqual(arithmetic === null ? [] : [warning]);
  });
});
