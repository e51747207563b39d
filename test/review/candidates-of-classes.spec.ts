/** A candidate of a chain of functions may be an instance of a class: its hooks are methods, and its fields are its own. */
import { describe, expect, it } from '@jest/globals';
import { createFallbackChain, fallback } from '../../lib/core/index.js';
import { Heard } from '../support/core-call.js';
import { faultsOf } from '../support/faulty.js';

class Engine {
  readonly limits = { places: 1 };

  constructor(
    readonly name: string,
    private readonly places: readonly string[],
  ) {}

  async run(): Promise<readonly string[]> {
    return this.places;
  }
}

const calling = async (first: object) => {
  const heard = new Heard();
  const spare = { name: 'spare', run: () => ['spare'] };
  const answer = await fallback<unknown>([first as typeof spare, spare], { onAttempt: heard.onAttempt });
  return { answer, kinds: heard.kinds };
};

describe('hooks that are methods', () => {
  it.each([
    ['supports', () => false, ['spare:ok']],
    ['accept', (places: string[]) => places.length > 1, ['osm:rejected', 'spare:ok']],
    ['assess', () => 'thin', ['osm:thin', 'spare:ok']],
  ])('%s is asked, also where it is inherited', async (hook, asked, kinds) => {
    const Own = { Own: class extends Engine {} }.Own;
    Object.defineProperty(Own.prototype, hook, { value: asked });
    const Heir = { Heir: class extends Own {} }.Heir;
    for (const type of [Own, Heir]) {
      expect(await calling(new type('osm', ['Bern']))).toEqual({ answer: ['spare'], kinds });
    }
  });

  it('classify', async () => {
    const bug = new Error('bug');
    class Strict extends Engine {
      override run(): Promise<never> {
        return Promise.reject(bug);
      }
      classify(): 'terminal' {
        return 'terminal';
      }
    }
    await expect(calling(new Strict('osm', []))).rejects.toBe(bug);
  });

  it('have the `this` of `run`, of literals too', async () => {
    class Counting extends Engine {
      accept(places: string[]): boolean {
        return places.length === this.limits.places;
      }
    }
    expect((await calling(new Counting('osm', ['Bern']))).answer).toEqual(['Bern']);
    const literal = {
      name: 'osm',
      run: () => ['Bern'],
      accept(): boolean {
        return this.name === 'osm';
      },
    };
    expect((await calling(literal)).answer).toEqual(['Bern']);
  });
});

describe('what is no option', () => {
  it('is a field of an instance, and a slip in a literal', async () => {
    expect((await calling(new Engine('osm', ['Bern']))).answer).toEqual(['Bern']);
    const slip = { run: () => 'a', limits: {} };
    expect(await faultsOf(() => createFallbackChain([slip]))).toMatchObject([{ option: 'limits' }]);
    const bare = Object.assign(Object.create(null) as object, slip);
    expect(await faultsOf(() => createFallbackChain([bare as never]))).toMatchObject([{ option: 'limits' }]);
  });

  it('a method of the class that has the name of an option is not taken for one', async () => {
    class Emitter extends Engine {
      on(): boolean {
        return false;
      }
      retries(): string {
        return 'none';
      }
    }
    expect((await calling(new Emitter('osm', ['Bern']))).answer).toEqual(['Bern']);
  });

  it('options that are fields hold, and are checked', async () => {
    class Priced extends Engine {
      cost = 0;
    }
    expect((await calling(new Priced('osm', []))).kinds).toEqual(['osm:empty', 'spare:ok']);
    class Wrong extends Engine {
      timeout = '5';
    }
    expect(await faultsOf(() => createFallbackChain([new Wrong('osm', []) as never]))).toMatchObject([
      { where: 'chain (candidate osm)', option: 'timeout' },
    ]);
  });
});
