import { Injectable, Module, Optional } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { LazyModuleLoader, ModuleRef } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ChainHealthService, Degraded, FallbackChain, FallbackModule, from } from '../../../lib/index.js';
import { down } from '../../support/answers.js';
import { boot, closeAll } from '../../support/apps.js';

const READ = Symbol('read');
const BACKUP = Symbol('backup');

@Injectable()
class Mirror {
  async read(): Promise<string> {
    return 'mirror';
  }
}

@Injectable()
class Plain {
  constructor(@Optional() readonly label = 'plain') {}

  @FallbackChain(['backup'], { name: 'plain' })
  async read(): Promise<string> {
    return down();
  }

  async backup(): Promise<string> {
    return `backup of ${this.label}`;
  }

  @FallbackChain([from(Mirror, 'read')], { name: 'plain-mirrored' })
  async mirrored(): Promise<string> {
    return down();
  }
}

@Injectable()
class Named {
  @FallbackChain([BACKUP])
  async [READ](): Promise<string> {
    return down();
  }

  async [BACKUP](): Promise<string> {
    return 'by symbol';
  }
}

@Injectable()
class Frozen {
  constructor() {
    Object.freeze(this);
  }

  @FallbackChain([from(Mirror, 'read')])
  async read(): Promise<string> {
    return down();
  }
}

@Injectable()
class Behind {
  readonly seen: string[] = [];

  @FallbackChain(['backup', from(Mirror, 'read')])
  async read(): Promise<string> {
    return down();
  }

  async backup(): Promise<string> {
    return down();
  }
}

/** Like classes whose constructor returns a Proxy of themselves: Nest never sees the instance inside. */
const Proxied = new Proxy(Behind, {
  construct: (type, args, newTarget) =>
    new Proxy(Reflect.construct(type, args, newTarget) as Behind, {
      get(target, key, receiver) {
        if (typeof key === 'string') target.seen.push(key);
        return Reflect.get(target, key, receiver) as unknown;
      },
    }),
});

describe('instances of every shape', () => {
  afterEach(closeAll);

  it('a method named by a symbol', async () => {
    const module = await boot({ providers: [Named] });
    expect(await module.get(Named)[READ]()).toBe('by symbol');
    expect(module.get(ChainHealthService).snapshot()[0]).toMatchObject({
      chain: 'Named[Symbol(read)]',
      candidates: [{ candidate: 'Symbol(read)' }, { candidate: 'Symbol(backup)' }],
    });
  });

  it('an instance that freezes itself', async () => {
    const module = await boot({ providers: [Frozen, Mirror] });
    expect(Object.isFrozen(module.get(Frozen))).toBe(true);
    expect(await module.get(Frozen).read()).toBe('mirror');
  });

  it('a Proxy in place of the instance, and one around it', async () => {
    const module = await boot({ providers: [{ provide: Behind, useClass: Proxied }, Mirror, Plain] });
    expect(await module.get(Behind).read()).toBe('mirror');
    expect(module.get(Behind).seen).toContain('backup');
    const around = new Proxy(module.get(Plain), {});
    expect(await around.read()).toBe('backup of plain');
    expect(await around.mirrored()).toBe('mirror');
  });

  it('what Nest injects is not seen in JSON, spread or equality', async () => {
    const module = await boot({ providers: [Plain, Mirror] });
    const instance = module.get(Plain);
    expect(Object.keys(instance)).toEqual(['label']);
    expect(JSON.stringify(instance)).toBe('{"label":"plain"}');
    expect(instance).toEqual(new Plain());
    expect(Object.assign({}, instance)).toStrictEqual({ label: 'plain' });
  });

  it.each([
    ['useFactory', { provide: Plain, useFactory: () => new Plain('a factory') }, 'a factory'],
    ['an async useFactory', { provide: Plain, useFactory: async () => new Plain('a promise') }, 'a promise'],
    ['useValue', { provide: Plain, useValue: new Plain('a value') }, 'a value'],
    ['a token', { provide: 'TOKEN', useFactory: () => new Plain('a token') }, 'a token'],
  ])('an instance made by %s is adopted', async (_way, provider, label) => {
    const module = await boot({ providers: [provider, Mirror] });
    const instance = module.get<Plain>(provider.provide);
    expect(await instance.read()).toBe(`backup of ${label}`);
    expect(await instance.mirrored()).toBe('mirror');
  });

  it('a frozen instance made by useFactory is adopted', async () => {
    const module = await boot({ providers: [{ provide: Frozen, useFactory: () => new Frozen() }, Mirror] });
    expect(await module.get(Frozen).read()).toBe('mirror');
  });

  it('an alias by useExisting is the same chain', async () => {
    const module = await boot({ providers: [Plain, { provide: 'ALIAS', useExisting: Plain }, Mirror] });
    expect(await module.get<Plain>('ALIAS').read()).toBe('backup of plain');
    expect(module.get(ChainHealthService).snapshot()).toHaveLength(2);
  });

  it('moduleRef.create', async () => {
    @Injectable()
    class Maker {
      constructor(readonly moduleRef: ModuleRef) {}
    }
    const module = await boot({ providers: [Mirror, Maker] });
    const instance = await module.get(Maker).moduleRef.create(Plain);
    expect(await instance.read()).toBe('backup of plain');
    expect(await instance.mirrored()).toBe('mirror');
    expect(
      module
        .get(ChainHealthService)
        .snapshot()
        .map(({ chain }) => chain),
    ).toEqual(['plain', 'plain-mirrored']);
  });

  it('a module that is loaded lazily', async () => {
    @Module({ providers: [Plain, Mirror], exports: [Plain] })
    class Lazy {}
    const module = await boot({});
    const lazy = await module.get(LazyModuleLoader).load(() => Lazy);
    expect(await lazy.get(Plain).read()).toBe('backup of plain');
    expect(await lazy.get(Plain).mirrored()).toBe('mirror');
  });

  it('calls while other modules initialise', async () => {
    @Injectable()
    class Eager implements OnModuleInit {
      answers: string[] = [];
      constructor(private readonly plain: Plain) {}

      async onModuleInit(): Promise<void> {
        this.answers = [await this.plain.read(), await this.plain.mirrored()];
      }
    }
    @Module({ providers: [Plain, Mirror, Eager] })
    class Feature {}
    const module = await Test.createTestingModule({
      imports: [Feature, FallbackModule.forRoot({ logger: false })],
    }).compile();
    await module.init();
    expect(module.get(Eager, { strict: false }).answers).toEqual(['backup of plain', 'mirror']);
    await module.close();
  });

  it('an instance that is given to one application after another belongs to the later one', async () => {
    const useValue = new Plain();
    const one = await boot({ providers: [{ provide: Plain, useValue }, Mirror] });
    await one.close();
    const two = await boot({ providers: [{ provide: Plain, useValue }, Mirror] });
    expect(await useValue.read()).toBe('backup of plain');
    const [inOne, inTwo] = [one, two].map((module) => module.get(ChainHealthService).snapshot('plain').candidates[0]);
    expect([inOne!.counts, inTwo!.counts]).toEqual([{}, { transient: 1 }]);
  });

  it('two applications in one process share nothing', async () => {
    @Injectable()
    class Shared {
      @FallbackChain([], { name: 'shared', breaker: { threshold: 1, cooldown: '1h' }, whenOpen: 'skip' })
      @Degraded({ lastKnownGood: { maxAge: '1h' }, mark: 'receipt' })
      async read(isUp: boolean): Promise<string> {
        return isUp ? 'fresh' : down();
      }
    }
    const one = await boot({ providers: [Shared] });
    const two = await boot({ providers: [Shared] });
    await expect(one.get(Shared).read(false)).rejects.toHaveProperty('code', 'FALLBACK_EXHAUSTED');
    expect(await two.get(Shared).read(true)).toBe('fresh');
    const [inOne, inTwo] = [one, two].map((module) => module.get(ChainHealthService).snapshot('shared'));
    expect(inOne).toMatchObject({ candidates: [{ candidate: 'read', state: 'open', counts: { transient: 1 } }] });
    expect(inTwo).toMatchObject({ candidates: [{ state: 'closed', counts: { ok: 1 } }] });
  });
});
