import { Injectable, Module, Scope } from '@nestjs/common';
import type { LoggerService, Provider, Type } from '@nestjs/common';
import { ContextIdFactory } from '@nestjs/core';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ChainHealthService, FallbackChain, from } from '../../lib/index.js';
import type { AttemptContext } from '../../lib/index.js';
import { down } from '../support/answers.js';
import { boot, closeAll } from '../support/apps.js';
import { closeApps, startApp } from '../support/nest-app.js';

describe('another name of a decorated provider, in another module', () => {
  afterEach(closeAll);

  @Injectable()
  class Twin {
    constructor(readonly of: string) {}
    async locate(): Promise<string> {
      return this.of;
    }
  }
  @Injectable()
  class Host {
    @FallbackChain([from(Twin, 'locate')], { name: 'twins', whenOpen: 'ignore' })
    async read(): Promise<string> {
      return down();
    }
  }
  const twin = (of: string): Provider => ({ provide: Twin, useFactory: () => new Twin(of) });

  const aliases: readonly (readonly [string, Provider])[] = [
    ['useExisting', { provide: 'ALIAS', useExisting: Host }],
    ['useFactory that gives what it was given', { provide: 'ALIAS', useFactory: (s: Host) => s, inject: [Host] }],
    ['an asynchronous useFactory', { provide: 'ALIAS', useFactory: async (s: Host) => s, inject: [Host] }],
  ];
  const owners: readonly (readonly [string, Provider])[] = [
    ['a class that Nest builds', Host],
    ['a class that a factory makes', { provide: Host, useFactory: () => new Host() }],
  ];

  const start = (own: Provider, alias: Provider, others: Provider[], isFirst: boolean) => {
    @Module({ providers: [own, twin('east')], exports: [Host] })
    class Owner {}
    @Module({ imports: [Owner], providers: [alias, ...others], exports: ['ALIAS'] })
    class Other {}
    return boot({ imports: isFirst ? [Other, Owner] : [Owner, Other] });
  };

  describe.each(owners)('of %s', (_whose, own) => {
    it.each(aliases)('by %s: boots where its candidates are unknown', async (_how, alias) => {
      for (const isFirst of [true, false]) {
        const module = await start(own, alias, [], isFirst);
        expect(module.get<Host>('ALIAS', { strict: false })).toBe(module.get(Host, { strict: false }));
        expect(await module.get(Host, { strict: false }).read()).toBe('east');
      }
    });

    it.each(aliases)('by %s: keeps its candidates where others have their names', async (_how, alias) => {
      for (const isFirst of [true, false]) {
        const module = await start(own, alias, [twin('west')], isFirst);
        expect(await module.get<Host>('ALIAS', { strict: false }).read()).toBe('east');
        expect(await module.get(Host, { strict: false }).read()).toBe('east');
        const snapshots = module.get(ChainHealthService).snapshot();
        expect(snapshots).toMatchObject([{ chain: 'twins', candidates: [{ counts: { transient: 2 } }, {}] }]);
      }
    });
  });
});

describe('hooks of a candidate whose class does not show', () => {
  afterEach(closeAll);

  abstract class Search {
    abstract run(ctx: AttemptContext, query: string): Promise<string>;
  }
  class Hooked extends Search {
    readonly asked: string[] = [];
    async run(_ctx: AttemptContext, query: string): Promise<string> {
      return query === 'bad' ? down('moved') : `found ${query}`;
    }
    supports(query: string): boolean {
      this.asked.push('supports');
      return query !== 'unsupported';
    }
    assess(value: string): 'rejected' | undefined {
      this.asked.push('assess');
      return value === 'found thin' ? 'rejected' : undefined;
    }
    classify(): 'terminal' {
      this.asked.push('classify');
      return 'terminal';
    }
  }
  /** Has no hooks at all. */
  class Bare extends Search {
    async run(): Promise<string> {
      return 'bare';
    }
  }

  const hostOf = (token: unknown, scope: Scope) => {
    @Injectable({ scope })
    class Host {
      @FallbackChain([from(token as 'T', { whenOpen: 'ignore' }), 'last'], { name: 'search', whenOpen: 'ignore' })
      async find(_query: string): Promise<string> {
        return down();
      }
      async last(_query: string): Promise<string> {
        return 'last';
      }
    }
    return Host as Type<{ find(query: string): Promise<string> }>;
  };

  const cases = (['SEARCH', Search] as const).flatMap((token) =>
    ([Scope.DEFAULT, Scope.TRANSIENT, Scope.REQUEST] as const).flatMap((hostScope) =>
      ([Scope.DEFAULT, Scope.REQUEST] as const).map(
        (scope) => [typeof token === 'string' ? 'a token' : 'an abstract class', hostScope, scope, token] as const,
      ),
    ),
  );

  it.each(cases)('named by %s, host of scope %s, candidate of scope %s', async (_how, hostScope, scope, token) => {
    for (const how of ['useClass', 'useFactory'] as const) {
      const made: Hooked[] = [];
      const make = () => (made.push(new Hooked()), made.at(-1)!);
      class Watched extends Hooked {
        constructor() {
          super();
          made.push(this);
        }
      }
      const provider = {
        provide: token,
        scope,
        ...(how === 'useClass' ? { useClass: Watched } : { useFactory: make }),
      };
      const Host = hostOf(token, hostScope);
      const module = await boot({ providers: [Host, provider as Provider] });
      const contextId = ContextIdFactory.create();
      const isStatic = hostScope === Scope.DEFAULT && scope === Scope.DEFAULT;
      const host = isStatic ? module.get(Host) : await module.resolve(Host, contextId);
      expect(await host.find('x')).toBe('found x');
      expect(await host.find('unsupported')).toBe('last');
      expect(await host.find('thin')).toBe('last');
      await expect(host.find('bad')).rejects.toThrow('moved');
      const asked = made.flatMap((each) => each.asked);
      expect(asked).toEqual(['supports', 'assess', 'supports', 'supports', 'assess', 'supports', 'classify']);
    }
  });

  it('one without hooks is asked for none, and those of the chain hold', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Host {
      @FallbackChain([from('SEARCH')], { name: 'bare', assess: () => 'thin' })
      async find(): Promise<string> {
        return down();
      }
    }
    const module = await boot({ providers: [Host, { provide: 'SEARCH', scope: Scope.REQUEST, useClass: Bare }] });
    expect(await (await module.resolve(Host)).find()).toBe('bare');
  });
});

describe('a factory that makes instances out of sight', () => {
  afterEach(closeApps);

  @Injectable()
  class Made {
    async spare(): Promise<string> {
      return 'spare';
    }
    @FallbackChain(['spare'], { name: 'made' })
    async read(): Promise<string> {
      return down();
    }
  }

  const bootWith = async (...providers: Provider[]) => {
    const warn = jest.fn<LoggerService['warn']>();
    const silent = () => {};
    await startApp({ providers, logger: { log: silent, error: silent, warn } });
    return warn.mock.calls.map(([message]) => String(message)).filter((message) => message.includes('Made.read'));
  };

  it.each([
    ['request-scoped', Scope.REQUEST],
    ['transient', Scope.TRANSIENT],
  ])('a %s one: one warning at start-up, and no fault', async (_name, scope) => {
    const warnings = await bootWith({ provide: Made, scope, useFactory: () => new Made() });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/useClass/);
  });

  it('none for a singleton, and none for what Nest builds', async () => {
    expect(await bootWith({ provide: Made, useFactory: () => new Made() })).toEqual([]);
    for (const scope of [Scope.DEFAULT, Scope.TRANSIENT, Scope.REQUEST]) {
      expect(await bootWith({ provide: Made, scope, useClass: Made })).toEqual([]);
    }
    expect(await bootWith(Made)).toEqual([]);
    expect(await bootWith(Made, { provide: 'ALIAS', useExisting: Made })).toEqual([]);
  });
});
