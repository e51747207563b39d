import { Injectable, Module, Scope } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { ContextIdFactory } from '@nestjs/core';
import type { TestingModule } from '@nestjs/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ChainHealthService, Fallback } from '../../../lib/index.js';
import { gate } from '../../support/answers.js';
import { boot, closeAll } from '../../support/apps.js';
import { TestClock } from '../../support/test-clock.js';

const CALLERS = 20;

const upstream = { isUp: false, runs: 0, probe: gate() };

class Quotes {
  @Fallback('b', { name: 'quotes', breaker: { threshold: CALLERS, cooldown: 1_000, factor: 1 } })
  async a(): Promise<string> {
    upstream.runs++;
    if (!upstream.isUp) throw new Error('A is down');
    await upstream.probe.opened;
    return 'a';
  }

  async b(): Promise<string> {
    return 'b';
  }
}

/** Twenty instances of it, one for each caller. */
const SCOPES: readonly (readonly [string, (Host: Type<Quotes>) => Promise<[TestingModule, Quotes[]]>])[] = [
  [
    'transient instances',
    async (Host) => {
      Injectable({ scope: Scope.TRANSIENT })(Host);
      const module = await booting({ providers: [Host] });
      return [module, await Promise.all(callers(() => module.resolve(Host)))];
    },
  ],
  [
    'instances of requests',
    async (Host) => {
      Injectable({ scope: Scope.REQUEST })(Host);
      const module = await booting({ providers: [Host] });
      return [module, await Promise.all(callers(() => module.resolve(Host, ContextIdFactory.create())))];
    },
  ],
  [
    'instances of as many modules',
    async (Host) => {
      const imports = callers(() => {
        class Feature {}
        Module({ providers: [Host] })(Feature);
        return Feature;
      });
      const module = await booting({ imports });
      return [module, imports.map((feature) => module.select(feature).get(Host, { strict: true }))];
    },
  ],
  [
    'instances by useFactory and of derived classes',
    async (Host) => {
      const providers = callers((place) => {
        class Child extends Host {}
        return place % 2 === 0 ? Child : { provide: `made ${place}`, useFactory: () => new Host() };
      });
      const module = await booting({ providers });
      const tokens = providers.map((provider) => (typeof provider === 'function' ? provider : provider.provide));
      return [module, tokens.map((token) => module.get<Quotes>(token))];
    },
  ],
];

let clock: TestClock;
const callers = <T>(make: (place: number) => T): T[] => Array.from({ length: CALLERS }, (_, place) => make(place));
const booting = (parts: Parameters<typeof boot>[0]): Promise<TestingModule> => boot({ ...parts, fallback: { clock } });

describe('B12: not every waiting caller becomes a probe, whichever instance it calls', () => {
  afterEach(closeAll);

  it.each(SCOPES)('%s', async (_name, start) => {
    clock = new TestClock();
    Object.assign(upstream, { isUp: false, runs: 0, probe: gate() });
    class Host extends Quotes {}
    Injectable()(Host);
    const [module, instances] = await start(Host);
    expect(new Set(instances).size).toBe(CALLERS);
    const stateOfA = () => module.get(ChainHealthService).snapshot('quotes').candidates[0]!;

    expect(await Promise.all(instances.map((each) => each.a()))).toEqual(callers(() => 'b'));
    expect(stateOfA()).toMatchObject({ state: 'open', consecutiveFailures: CALLERS });

    await clock.advance(1_000);
    Object.assign(upstream, { isUp: true, runs: 0 });
    const [probe, ...others] = instances.map((each) => each.a());
    expect(await Promise.all(others)).toEqual(callers(() => 'b').slice(1));
    expect(upstream.runs).toBe(1);

    upstream.probe.open();
    expect(await probe).toBe('a');
    expect(stateOfA()).toMatchObject({ state: 'closed', consecutiveFailures: 0 });
    expect(await Promise.all(instances.map((each) => each.a()))).toEqual(callers(() => 'a'));
  });
});
