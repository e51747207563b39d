import { Injectable, NotFoundException } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { FallbackChain, FallbackService, from } from '../../../lib/index.js';
import type { AttemptContext, FallbackCandidate } from '../../../lib/index.js';
import { down } from '../../support/answers.js';
import { boot, closeAll } from '../../support/apps.js';

abstract class Geocoder {
  abstract locate(query: string): Promise<string>;
}

@Injectable()
class Osm extends Geocoder {
  async locate(query: string): Promise<string> {
    return `osm ${query}`;
  }
}

const TOKEN = Symbol('geocoder');

/** A provider that is a candidate as a whole. */
@Injectable()
class Census implements FallbackCandidate<[string], string> {
  seen: unknown[] = [];
  problem: Error | undefined;

  async run(ctx: AttemptContext, query: string): Promise<string> {
    this.seen.push(ctx.candidate, ctx.index, ctx.attempt, ctx.errors.length, query);
    if (this.problem !== undefined) throw this.problem;
    return `census ${query}`;
  }

  supports(query: string): boolean {
    this.seen.push('supports');
    return query !== 'abroad';
  }

  classify(error: unknown) {
    return error === this.problem ? ('transient' as const) : undefined;
  }

  assess(value: string) {
    return value.includes('bad') ? ('rejected' as const) : undefined;
  }
}

@Injectable()
class OnlyRun implements FallbackCandidate<[string], string> {
  run(_ctx: AttemptContext, query: string): string {
    return `run ${query}`;
  }
}

@Injectable()
class Places {
  readonly prefix = 'host';

  @FallbackChain([from(Geocoder, 'locate')], { name: 'abstract' })
  async byAbstract(_query: string): Promise<string> {
    return down();
  }

  @FallbackChain([from(TOKEN, 'locate')], { name: 'token' })
  async byToken(_query: string): Promise<string> {
    return down();
  }

  @FallbackChain([from('GEOCODER', 'locate', { name: 'text' })], { name: 'text-token' })
  async byText(_query: string): Promise<string> {
    return down();
  }

  @FallbackChain([from(() => Later, 'locate')], { name: 'later' })
  async byThunk(_query: string): Promise<string> {
    return down();
  }

  @FallbackChain([from(Census), from(OnlyRun)], { name: 'whole' })
  async byWhole(_query: string): Promise<string> {
    return down();
  }

  @FallbackChain([from(Census, { name: 'mine', supports: () => true }), from(OnlyRun)], { name: 'own-options' })
  async byOwnOptions(_query: string): Promise<string> {
    return down();
  }

  @FallbackChain(
    [
      {
        name: 'mapped',
        run(this: Places, ctx: AttemptContext, query: string) {
          return `${this.prefix} ${ctx.candidate} ${query}`;
        },
      },
    ],
    { name: 'inline' },
  )
  async byInline(_query: string): Promise<string> {
    return down();
  }

  @FallbackChain(
    [
      function atlas(this: Places, query: string) {
        return `${this.prefix} atlas ${query}`;
      },
    ],
    { name: 'function' },
  )
  async byFunction(_query: string): Promise<string> {
    return down();
  }
}

@Injectable()
class Later {
  async locate(query: string): Promise<string> {
    return `later ${query}`;
  }
}

const PROVIDERS = [
  Places,
  Later,
  Census,
  OnlyRun,
  { provide: Geocoder, useClass: Osm },
  { provide: TOKEN, useClass: Osm },
  { provide: 'GEOCODER', useClass: Osm },
];

describe('candidates of other providers', () => {
  afterEach(closeAll);

  const start = async () => {
    const module = await boot({ providers: PROVIDERS });
    const service = module.get(FallbackService);
    const call = async (method: Exclude<keyof Places, 'prefix'>, query = 'Rome') => {
      const { value, receipt } = await service.withReceipt(() => module.get(Places)[method](query));
      return [value, receipt!.servedBy];
    };
    return { call, census: module.get(Census) };
  };

  it.each([
    ['byAbstract', 'osm Rome', 'Geocoder.locate'],
    ['byToken', 'osm Rome', 'Symbol(geocoder).locate'],
    ['byText', 'osm Rome', 'text'],
    ['byThunk', 'later Rome', 'Later.locate'],
    ['byInline', 'host mapped Rome', 'mapped'],
    ['byFunction', 'host atlas Rome', 'atlas'],
  ] as const)('%s', async (method, value, servedBy) => {
    const { call } = await start();
    expect(await call(method)).toEqual([value, servedBy]);
  });

  it('a function that is written into the list, without a name', async () => {
    @Injectable()
    class Inline {
      @FallbackChain([(query: string) => `inline ${query}`], { name: 'anonymous' })
      async read(_query: string): Promise<string> {
        return down();
      }
    }
    const module = await boot({ providers: [Inline] });
    expect(await module.get(Inline).read('Rome')).toBe('inline Rome');
  });

  it('a provider that is a candidate is called with context and arguments, as itself', async () => {
    const { call, census } = await start();
    expect(await call('byWhole')).toEqual(['census Rome', 'Census']);
    expect(census.seen).toEqual(['supports', 'Census', 1, 1, 1, 'Rome']);
  });

  it('its supports(), classify() and assess() are asked', async () => {
    const { call, census } = await start();
    expect(await call('byWhole', 'abroad')).toEqual(['run abroad', 'OnlyRun']);
    expect(census.seen).toEqual(['supports']);
    expect(await call('byWhole', 'bad')).toEqual(['run bad', 'OnlyRun']);
    census.problem = new NotFoundException();
    expect(await call('byWhole')).toEqual(['run Rome', 'OnlyRun']);
  });

  it("the candidate's options in the ladder win over its own", async () => {
    const { call } = await start();
    expect(await call('byOwnOptions', 'abroad')).toEqual(['census abroad', 'mine']);
  });
});
