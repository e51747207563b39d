/** Options and candidates of the wrong shape, in places where they were taken in silence or ended in an error of JavaScript's. */
import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ChainHealthService, FallbackChain, createFallbackChain, fallback, fallbackStream } from '../../lib/index.js';
import { boot, closeAll } from '../support/apps.js';
import { faultsOf, hostWith } from '../support/faulty.js';
import { TestClock } from '../support/test-clock.js';

const answer = () => 'a';
const ODD: readonly unknown[] = [null, 5, 'a text', [], ['timeout'], () => 1, true];

describe('something else in the place of options', () => {
  it.each(ODD)('%p, where a chain of functions is made', async (odd) => {
    for (const make of [createFallbackChain, fallback, fallbackStream]) {
      const faults = await faultsOf(() => make<string>([answer] as never, odd as never));
      expect(faults).toEqual([
        { where: 'chain', message: expect.stringMatching(/^give an object with options; got /) },
      ]);
    }
  });

  it.each(ODD)('%p, for one run', async (odd) => {
    const chain = createFallbackChain([answer], { name: 'geo' });
    for (const run of [() => chain.run(odd as never), () => chain.stream(odd as never)]) {
      const faults = await faultsOf(run);
      expect(faults).toMatchObject([{ where: 'geo', option: 'overrides' }]);
    }
  });

  it('another clock for one run: circuits have one', async () => {
    const clock = new TestClock();
    const chain = createFallbackChain([answer], { name: 'geo', clock });
    const faults = await faultsOf(() => chain.run({ clock: new TestClock() }));
    expect(faults).toMatchObject([{ where: 'geo', option: 'clock', message: expect.stringMatching(/chain is made/) }]);
    expect(await chain.run({ clock })).toBe('a');
  });
});

describe('candidates', () => {
  afterEach(closeAll);

  it.each([5, '', ' ', null, {}])('called %p, of functions', async (name) => {
    const faults = await faultsOf(() => createFallbackChain([answer, { name: name as string, run: answer }]));
    expect(faults).toMatchObject([
      { where: 'chain', option: 'candidates[1].name', message: expect.stringMatching(/^give a name/) },
    ]);
  });

  it('a hole in the list', async () => {
    const holey = [answer, , answer] as never; // eslint-disable-line no-sparse-arrays
    const faults = await faultsOf(() => createFallbackChain(holey));
    expect(faults).toMatchObject([
      { option: 'candidates[1]', message: expect.stringMatching(/^this is no candidate/) },
    ]);
    const ofHost = await faultsOf(() => boot({ providers: [hostWith({ candidates: [, 'backup'] })] })); // eslint-disable-line no-sparse-arrays
    expect(ofHost).toMatchObject([{ where: 'Host.read', option: 'candidates[0]' }]);
  });

  it('without a name, of a decorated method: named by its place, like a function without one', async () => {
    @Injectable()
    class Host {
      @FallbackChain([{ run: () => 'b' } as never, { run: () => 'c' } as never], { name: 'unnamed' })
      read(): Promise<string> {
        return Promise.reject(new Error('down'));
      }
    }
    const module = await boot({ providers: [Host] });
    expect(await module.get(Host).read()).toBe('b');
    const { candidates } = module.get(ChainHealthService).snapshot('unnamed');
    expect(candidates.map(({ candidate }) => candidate)).toEqual(['read', 'candidate1', 'candidate2']);
  });
});

describe('a gate that could never match', () => {
  afterEach(closeAll);

  const isTimeout = ({ kind }: { kind: string }) => kind === 'timeout';

  it.each([[[isTimeout]], [['timeout', isTimeout]], [[async () => true]]])('%p', async (on) => {
    const candidates = [answer, { name: 'b', run: answer, on: on as never }];
    expect(await faultsOf(() => createFallbackChain(candidates))).toMatchObject([{ option: 'on' }]);
    const Host = hostWith({ candidates: [{ method: 'backup', on }] });
    expect(await faultsOf(() => boot({ providers: [Host] }))).toMatchObject([{ option: 'on' }]);
  });

  it('classes of every kind are gates: also bound ones, old ones, and those that say themselves what belongs to them', async () => {
    function Old() {}
    const saying = Object.assign(() => {}, {});
    // As careless as they come: it reads what only an error of its kind has.
    const ofClient = ({ response }: { response: { status: number } }) => response.status === 503;
    Object.defineProperty(saying, Symbol.hasInstance, { value: ofClient });
    for (const type of [TypeError, TypeError.bind(null), Old, saying]) {
      const failing = () => Promise.reject(Object.assign(new TypeError('x'), { response: { status: 503 } }));
      const chain = createFallbackChain<string>([failing, { name: 'b', run: answer, on: [type as never] }]);
      const outcome = await chain.run().catch(() => 'failed');
      expect(outcome).toBe(type === Old ? 'failed' : 'a');
    }
  });
});
