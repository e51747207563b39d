/** Where a testing module puts other candidates into a chain: the provider that a testing kit overrides. */
import { Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  ChainHealthService,
  FallbackChain,
  FallbackModule,
  FallbackService,
  createFallbackChain,
} from '../../../lib/index.js';
import { CHAIN_REPLACEMENTS } from '../../../lib/fallback.constants.js';
import type { Replacements } from '../../../lib/fallback.runtime.js';
import { down } from '../../support/answers.js';
import { boot, closeAll } from '../../support/apps.js';
import { faultsOf } from '../../support/faulty.js';

@Injectable()
class Desk {
  @FallbackChain(['backup'], { name: 'desk' })
  async read(id: string): Promise<string> {
    return `desk ${id}`;
  }

  async backup(): Promise<string> {
    return 'backup';
  }
}

const functions = createFallbackChain<string>([() => 'real'], { name: 'functions' });

@Module({ imports: [FallbackModule.forRoot({ logger: false, chains: [functions] })], providers: [Desk] })
class AppModule {}

type Replacement = NonNullable<ReturnType<Replacements['get']>>;

/** In the place of each candidate, a function of the call's arguments. */
const answering =
  (...answers: ((...args: readonly unknown[]) => unknown)[]): Replacement =>
  (spec) => ({
    ...spec,
    candidates: spec.candidates.map((candidate, place) => ({
      ...candidate,
      invoke: ({ call }) => answers[place]!(...call.args),
    })),
  });

const start = async (replacements: Replacements) => {
  const module = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(CHAIN_REPLACEMENTS)
    .useValue(replacements)
    .compile();
  return module.init();
};

describe('replaced candidates', () => {
  afterEach(closeAll);

  it('of a method, also for those who call the method', async () => {
    const module = await start(
      new Map([
        [
          'desk',
          answering(
            () => down(),
            (id) => `scripted ${String(id)}`,
          ),
        ],
      ]),
    );
    expect(await module.get(Desk).read('1')).toBe('scripted 1');
    expect(module.get(ChainHealthService).snapshot('desk').candidates).toMatchObject([
      { candidate: 'read', counts: { transient: 1 } },
      { candidate: 'backup', counts: { ok: 1 } },
    ]);
    await module.close();
    const untouched = await boot({ providers: [Desk] });
    expect(await untouched.get(Desk).read('1')).toBe('desk 1');
  });

  it('of a chain of functions', async () => {
    const module = await start(new Map([['functions', answering(() => 'scripted')]]));
    expect(await module.get(FallbackService).run('functions')).toBe('scripted');
    expect(await functions.run()).toBe('real');
    await module.close();
  });

  it('of a chain that does not exist are a fault', async () => {
    expect(await faultsOf(() => start(new Map([['dekc', answering()]])))).toEqual([
      {
        where: 'FallbackModule.forRoot',
        option: 'replacements.dekc',
        message: "no chain is called 'dekc'; there are: desk, functions",
      },
    ]);
  });
});
