import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Fallback, FallbackChain, from } from '../../../lib/index.js';
import { boot, closeAll } from '../../support/apps.js';
import { faultsOf, hostWith } from '../../support/faulty.js';

@Injectable()
class Mirror {
  async read(): Promise<string> {
    return 'mirror';
  }
}

class Absent {
  async read(): Promise<string> {
    return 'absent';
  }
}

const start = (host: unknown) => boot({ providers: [host as typeof Mirror, Mirror] });

describe('faults of a ladder', () => {
  afterEach(closeAll);

  it.each([
    ['a method that does not exist', ['nothing'], /Host.*'nothing'/],
    ['a property that is no method', ['label'], /'label'/],
    ['a method that does not exist, with options', [{ method: 'nothing', timeout: 5 }], /'nothing'/],
    ['a symbol that does not exist', [Symbol('nothing')], /Symbol\(nothing\)/],
    ['a provider that is nowhere', [from(Absent, 'read')], /Absent.*(provide|import)/],
    ['a token that is nowhere', [from('ABSENT', 'read')], /ABSENT.*(provide|import)/],
    ["a provider's method that does not exist", [from(Mirror, 'nothing' as 'read')], /Mirror.*'nothing'/],
    ['a provider that is no FallbackCandidate', [from(Mirror as never)], /Mirror.*run/],
    ['a class', [Mirror], /from\(Mirror/],
    ['a number', [5], /5/],
    ['nothing', [undefined], /undefined/],
    ['an object of no known form', [{ call: 'backup' }], /name.*run|from\(/],
  ])('%s', async (_what, candidates, message) => {
    const faults = await faultsOf(() => start(hostWith({ candidates })));
    expect(faults).toEqual([{ where: 'Host.read', option: 'candidates[0]', message: expect.stringMatching(message) }]);
  });

  it('the method itself', async () => {
    const faults = await faultsOf(() => start(hostWith({ candidates: ['read'] })));
    const message = expect.stringMatching(/leave it out/);
    expect(faults).toContainEqual({ where: 'Host.read', option: 'candidates[0]', message });
  });

  it('the place of the candidate is named', async () => {
    const faults = await faultsOf(() => start(hostWith({ candidates: ['backup', 'nothing', Mirror] })));
    expect(faults.map(({ option }) => option)).toEqual(['candidates[1]', 'candidates[2]']);
  });

  it.each([
    ['the same method twice', ['backup', { method: 'backup' }]],
    ["a name that is the primary's", [{ method: 'backup', name: 'read' }]],
    ['a name given twice', [{ method: 'backup', name: 'x' }, from(Mirror, 'read', { name: 'x' })]],
  ])('two candidates with one name: %s', async (_what, candidates) => {
    const faults = await faultsOf(() => start(hostWith({ candidates })));
    expect(faults).toHaveLength(1);
    expect(faults[0]!.where).toContain('Host.read');
    expect(faults[0]).toMatchObject({ option: 'name', message: expect.stringContaining('name:') });
  });

  it('the same method twice, with a name of its own, is no fault', async () => {
    const module = await start(hostWith({ candidates: ['backup', { method: 'backup', name: 'once more' }] }));
    expect(module).toBeDefined();
  });

  it('two chains with one name', async () => {
    const [one, two] = ['One', 'Two'].map((name) =>
      hostWith({ candidates: ['backup'], options: { name: 'same' } }, name),
    );
    const faults = await faultsOf(() => boot({ providers: [one!, two!] }));
    expect(faults).toEqual([{ where: 'Two.read', option: 'name', message: expect.stringMatching(/same.*name:/) }]);
  });

  it('two classes with one name', async () => {
    const [one, two] = [hostWith({ candidates: ['backup'] }), hostWith({ candidates: ['backup'] })];
    const faults = await faultsOf(() => boot({ providers: [one, two] }));
    expect(faults).toMatchObject([{ where: 'Host.read', message: expect.stringContaining('name:') }]);
  });

  it('two ladders on one method', async () => {
    @Injectable()
    class Double {
      @FallbackChain(['backup'])
      @Fallback('spare')
      async read(): Promise<string> {
        return 'read';
      }
      async backup(): Promise<string> {
        return 'backup';
      }
      async spare(): Promise<string> {
        return 'spare';
      }
    }
    const faults = await faultsOf(() => boot({ providers: [Double] }));
    expect(faults).toEqual([{ where: 'Double.read', message: expect.stringMatching(/two ladders.*@FallbackChain/) }]);
  });

  const BAD = [
    ['timeout', -1],
    ['timeout', Number.NaN],
    ['timeout', 0],
    ['timeout', '5'],
    ['timeout', '5 parsecs'],
    ['timeout', true],
    ['timeout', null],
    ['cost', -0.5],
    ['cost', Infinity],
    ['cost', '1'],
    ['maxRetryAfter', 0],
    ['maxRetryAfter', '-1s'],
    ['whenOpen', 'never'],
    ['supports', true],
    ['accept', 'yes'],
    ['assess', {}],
    ['classify', 5],
  ] as const;

  describe.each([
    ['of the chain', (option: object) => ({ options: option }), ''],
    ['of the primary', (option: object) => ({ options: { primary: option } }), 'primary.'],
    ['of a candidate', (option: object) => ({ candidates: [{ method: 'backup', ...option }] }), ''],
    ["of a provider's method", (option: object) => ({ candidates: [from(Mirror, 'read', option)] }), ''],
  ])('options %s', (_whose, protection, prefix) => {
    it.each(BAD)('%s: %p', async (name, value) => {
      const faults = await faultsOf(() => start(hostWith(protection({ [name]: value }))));
      expect(faults).toHaveLength(1);
      expect(faults[0]!.where).toContain('Host.read');
      expect(faults[0]!.option).toBe(prefix + name);
      expect(faults[0]!.message).toMatch(/^give /);
    });

    it.each([
      ['timout', "did you mean 'timeout'"],
      ['Timeout', "did you mean 'timeout'"],
      ['brekaer', "did you mean 'breaker'"],
      ['nonsense', 'there are'],
    ])('%s is no option', async (name, hint) => {
      const faults = await faultsOf(() => start(hostWith(protection({ [name]: 5 }))));
      expect(faults).toMatchObject([{ option: prefix + name, message: expect.stringContaining(hint) }]);
      expect(faults[0]!.where).toContain('Host.read');
    });

    it.each([
      ['threshold', 0],
      ['threshold', 1.5],
      ['cooldown', -1],
      ['cooldown', Infinity],
      ['factor', 0.5],
      ['factor', Number.NaN],
      ['maxCooldown', 0],
      ['treshold', 3],
    ])('breaker.%s: %p', async (name, value) => {
      const faults = await faultsOf(() => start(hostWith(protection({ breaker: { [name]: value } }))));
      expect(faults).toMatchObject([{ option: `${prefix}breaker.${name}` }]);
    });

    it('a longest cooldown that is below the first', async () => {
      const breaker = { cooldown: '1m', maxCooldown: '30s' };
      const faults = await faultsOf(() => start(hostWith(protection({ breaker }))));
      expect(faults.length).toBeGreaterThan(0);
      for (const fault of faults) {
        expect(fault.where).toContain('Host.read');
        expect(fault).toMatchObject({ option: 'breaker.maxCooldown', message: expect.stringContaining('1m') });
      }
    });

    it('numbers that look odd and are legal', async () => {
      const odd = { timeout: Infinity, cost: 0, maxRetryAfter: Infinity };
      const breaker = { threshold: Infinity, cooldown: 0, factor: 1, maxCooldown: Infinity };
      const module = await start(hostWith(protection({ ...odd, breaker })));
      expect(module).toBeDefined();
    });
  });

  it.each([
    ['a name that is empty', { name: '' }, 'name'],
    ['a name that is no text', { name: 5 }, 'name'],
    ['rethrow', { rethrow: 'first' }, 'rethrow'],
    ['unknown', { unknown: 'ok' }, 'unknown'],
    ['detail', { detail: 'all' }, 'detail'],
    ['a primary that is no object', { primary: 'read' }, 'primary'],
    ['a breaker that is no object', { breaker: 3 }, 'breaker'],
  ])('%s', async (_what, options, option) => {
    const faults = await faultsOf(() => start(hostWith({ options })));
    expect(faults).toMatchObject([{ where: 'Host.read', option, message: expect.stringMatching(/^give /) }]);
  });

  it.each([
    ['text', 'backup'],
    ['an object', { method: 'backup' }],
  ])('a list of candidates that is %s', async (_what, candidates) => {
    const faults = await faultsOf(() => start(hostWith({ candidates })));
    expect(faults[0]!.where).toContain('Host.read');
  });

  it('options that are no object', async () => {
    for (const options of [5, 'fast', []]) {
      const faults = await faultsOf(() => start(hostWith({ candidates: ['backup'], options })));
      expect(faults).toMatchObject([{ where: 'Host.read' }]);
    }
  });
});
