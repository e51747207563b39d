import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ChainHealthService, Degraded, FallbackChain, FallbackService, from } from '../../../lib/index.js';
import type { FallbackEvent } from '../../../lib/index.js';
import { down } from '../../support/answers.js';
import { boot, closeAll } from '../../support/apps.js';

interface Report {
  text: string;
  degraded?: boolean;
}

@Injectable()
class Mirror {
  async fetch(): Promise<Report> {
    return { text: 'mirror' };
  }
}

@Injectable()
class Base {
  calls = 0;

  @Degraded({
    substitute(this: Base) {
      return this.spare();
    },
  })
  async fetch(): Promise<Report> {
    this.calls++;
    return down();
  }

  @FallbackChain(['second'], { name: 'base-ladder' })
  async first(): Promise<string> {
    return down();
  }

  async second(): Promise<string> {
    return 'second of Base';
  }

  @FallbackChain([from(Mirror, 'fetch')], { name: 'mirrored' })
  async mirrored(): Promise<Report> {
    return down();
  }

  spare(): Report {
    return { text: 'spare of Base' };
  }
}

@Injectable()
class Undecorated extends Base {}

@Injectable()
class Child extends Base {
  @Optional() @Inject('nothing') readonly extra?: string;

  override async fetch(): Promise<Report> {
    return super.fetch();
  }

  override async second(): Promise<string> {
    return 'second of Child';
  }

  override spare(): Report {
    return { text: `spare of ${this.constructor.name}` };
  }
}

@Injectable()
class Other extends Base {
  override async fetch(): Promise<Report> {
    this.calls++;
    return { text: 'own' };
  }
}

@Injectable()
class Grand extends Base {
  @FallbackChain([], { name: 'Grand.fetch' })
  @Degraded({ lastKnownGood: { maxAge: '1h' }, substitute: () => ({ text: 'spare of Grand' }) })
  override async fetch(): Promise<Report> {
    return super.fetch();
  }
}

/** A base class made by a function, as mixins are. */
function Cached<T extends Type>(Parent: T) {
  @Injectable()
  class Cache extends Parent {
    @FallbackChain(['fromCache'], { name: `cached-${Parent.name}` })
    async load(): Promise<string> {
      return down();
    }

    async fromCache(): Promise<string> {
      return `cache of ${this.constructor.name}`;
    }
  }
  return Cache;
}

@Injectable()
class Plain {}

@Injectable()
class MixedA extends Cached(Plain) {}

@Injectable()
class MixedB extends Cached(Mirror) {}

describe('decorated methods and inheritance', () => {
  afterEach(closeAll);

  const start = async (...providers: Type[]) => {
    const events: FallbackEvent[] = [];
    const observers = [(event: FallbackEvent) => void events.push(event)];
    const module = await boot({ providers: [...providers, Mirror], fallback: { observers } });
    return { module, events, health: module.get(ChainHealthService), service: module.get(FallbackService) };
  };

  it('an undecorated child inherits the chain, with its own `this`', async () => {
    const { module, events } = await start(Undecorated);
    const child = module.get(Undecorated);
    expect(await child.fetch()).toEqual({ text: 'spare of Base', degraded: true });
    expect(await child.first()).toBe('second of Base');
    expect(await child.mirrored()).toEqual({ text: 'mirror' });
    expect(child.calls).toBe(1);
    expect(new Set(events.map(({ chain }) => chain))).toEqual(new Set(['Base.fetch', 'base-ladder', 'mirrored']));
  });

  it('an override that calls super runs the inherited chain once, with its own overrides', async () => {
    const { module, events } = await start(Child);
    const child = module.get(Child);
    expect(await child.fetch()).toEqual({ text: 'spare of Child', degraded: true });
    expect(child.calls).toBe(1);
    expect(events.map(({ name, chain }) => `${chain} ${name}`)).toEqual([
      'Base.fetch attempt.settled',
      'Base.fetch call.served',
    ]);
    expect(await child.first()).toBe('second of Child');
    expect(await child.mirrored()).toEqual({ text: 'mirror' });
  });

  it('an override without super has no chain', async () => {
    const { module, events } = await start(Other);
    expect(await module.get(Other).fetch()).toEqual({ text: 'own' });
    expect(module.get(Other).calls).toBe(1);
    expect(events).toEqual([]);
  });

  it('both decorated: upstream once, the inner mark survives and is not kept as last known good', async () => {
    const { module, health, service } = await start(Grand);
    const grand = module.get(Grand);
    const { value, receipt, receipts } = await service.withReceipt(() => grand.fetch());
    expect(value).toEqual({ text: 'spare of Base', degraded: true });
    expect(grand.calls).toBe(1);
    expect(receipt).toMatchObject({ chain: 'Grand.fetch', degraded: true, source: 'static' });
    expect(receipts.map(({ chain }) => chain)).toEqual(['Base.fetch', 'Grand.fetch']);
    expect(health.snapshot().map(({ chain }) => chain)).toEqual(expect.arrayContaining(['Base.fetch', 'Grand.fetch']));

    grand.spare = () => {
      throw new Error('no spare');
    };
    expect(await grand.fetch()).toEqual({ text: 'spare of Grand', degraded: true });
  });

  it('base and children beside each other share the chains that they inherit', async () => {
    const { module, health } = await start(Base, Undecorated, Child, Other, Grand);
    for (const type of [Base, Undecorated, Child]) await module.get(type).fetch();
    expect(health.snapshot('Base.fetch').candidates[0]).toMatchObject({ counts: { transient: 3 } });
    expect(health.snapshot()).toHaveLength(4);
  });

  it('mixins make a chain per class', async () => {
    const { module } = await start(MixedA, MixedB, Plain);
    expect(await module.get(MixedA).load()).toBe('cache of MixedA');
    expect(await module.get(MixedB).load()).toBe('cache of MixedB');
    const names = module
      .get(ChainHealthService)
      .snapshot()
      .map(({ chain }) => chain);
    expect([...names].sort()).toEqual(['cached-Mirror', 'cached-Plain']);
  });
});
