import { describe, expect, it } from '@jest/globals';
import type { CandidateOptions, ChainOptions, FallbackModuleOptions } from '../../lib/index.js';
import { open } from '../support/ladder.js';
import { fails, gives, hangs } from '../support/plays.js';

const down = new Error('down');

interface Layers {
  defaults?: ChainOptions;
  chain?: ChainOptions;
  override?: ChainOptions;
  candidate?: CandidateOptions;
  candidateOverride?: CandidateOptions;
}

/** A ladder a, b whose b has these layers; a always fails. */
function layered({ defaults, chain, override, candidate, candidateOverride }: Layers, plays = hangs) {
  const candidates = candidateOverride && { candidates: { b: candidateOverride } };
  const module: FallbackModuleOptions = {
    ...(defaults && { defaults }),
    ...((override || candidates) && { overrides: { ladder: { ...override, ...candidates } } }),
  };
  return open({
    rungs: [
      { name: 'a', plays: fails(down) },
      { name: 'b', plays, ...candidate },
      { name: 'c', plays: gives('c') },
    ],
    ...(chain && { options: chain }),
    module,
  });
}

const NAMES = ['defaults', 'chain', 'override', 'candidate', 'candidateOverride'] as const;

describe('layers of options: defaults < chain < override < candidate < candidate override', () => {
  // Every set of layers that give a timeout, each another one.
  const sets = Array.from({ length: 2 ** NAMES.length }, (_, bits) =>
    NAMES.filter((_name, place) => bits & (1 << place)),
  );

  it.each(sets.filter((set) => set.length > 0).map((set) => [set.join(' < '), set] as const))(
    '%s: the last of them holds',
    async (_what, set) => {
      const ms = (name: (typeof NAMES)[number]) => 10 * (NAMES.indexOf(name) + 1);
      const layers = Object.fromEntries(set.map((name) => [name, { timeout: ms(name) }]));
      const ladder = await layered(layers);
      const call = await ladder.call(undefined, 100);
      expect(call).toMatchObject({ outcome: { value: 'c' }, took: ms(set.at(-1)!) });
    },
  );

  it('breaker is merged, number by number', async () => {
    const ladder = await layered(
      {
        defaults: { breaker: { threshold: 1, cooldown: '1s', factor: 3 } },
        chain: { breaker: { cooldown: '7s' } },
        candidate: { breaker: { factor: 1 } },
      },
      fails(down),
    );
    await ladder.call();
    expect(ladder.circuits).toMatchObject({ a: 'open 1 for 7000', b: 'open 1 for 7000' });
    await ladder.goTo(7_000);
    await ladder.call();
    expect(ladder.circuits).toMatchObject({ a: 'open 2 for 21000', b: 'open 2 for 7000' });
  });

  it('other values are replaced whole', async () => {
    const ladder = await layered(
      {
        chain: { retries: { times: 5, on: ['timeout'] } },
        candidate: { retries: { times: 1 } },
      },
      fails(down),
    );
    const call = await ladder.call(undefined, 5_000);
    // a had five tries of timeouts only, b one of transients
    expect(ladder.calls).toEqual({ a: 1, b: 2, c: 1 });
    expect(call.value).toBe('c');
  });

  it('`undefined` says nothing', async () => {
    const ladder = await layered({ chain: { timeout: 20 }, candidate: { timeout: undefined as never } });
    expect((await ladder.call(undefined, 20)).value).toBe('c');
  });

  it('Infinity takes a bound away', async () => {
    const ladder = await layered({ chain: { timeout: 20 }, candidate: { timeout: Infinity } }, gives('b', 50));
    expect((await ladder.call(undefined, 50)).value).toBe('b');
  });

  it('primary is for candidate 0 alone, from every layer', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: hangs },
        { name: 'b', plays: hangs },
        { name: 'c', plays: gives('c') },
      ],
      options: { timeout: 50 },
      module: { overrides: { ladder: { primary: { timeout: 10 } } } },
    });
    expect(await ladder.call(undefined, 100)).toMatchObject({ outcome: { value: 'c' }, took: 60 });
  });

  it('an override by the name of candidate 0 stands over primary', async () => {
    const ladder = await open({
      rungs: [
        { name: 'a', plays: hangs, timeout: 50 },
        { name: 'b', plays: gives('b') },
      ],
      module: { overrides: { ladder: { candidates: { a: { timeout: 10 } } } } },
    });
    expect(await ladder.call(undefined, 100)).toMatchObject({ outcome: { value: 'b' }, took: 10 });
  });

  it('deadline and reserve come from the outside too', async () => {
    const ladder = await layered({ chain: { deadline: '1m' }, override: { deadline: 40, reserve: 10 } });
    expect((await ladder.call(undefined, 100)).took).toBe(30);
  });

  it('hooks too', async () => {
    const ladder = await layered({ chain: { accept: () => false }, candidate: { accept: () => true } }, gives('b'));
    expect((await ladder.call()).value).toBe('b');
  });
});
