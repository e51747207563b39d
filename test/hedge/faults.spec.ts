import { afterEach, describe, expect, it } from '@jest/globals';
import { of } from 'rxjs';
import { createFallbackChain, fallback, fallbackStream } from '../../lib/core/index.js';
import { ChainHealthService } from '../../lib/index.js';
import type { FallbackModuleOptions } from '../../lib/index.js';
import { boot, closeAll } from '../support/apps.js';
import { said } from '../support/boot-log.js';
import { faultsOf, hostWith } from '../support/faulty.js';
import type { Fault } from '../support/faulty.js';
import { closeApps } from '../support/nest-app.js';

const a = () => Promise.resolve('a');
const free = { cost: 0, hedge: { after: '50ms' } } as const;
const start = (options: object, candidates: unknown = ['backup'], fallbackOptions: FallbackModuleOptions = {}) =>
  boot({ providers: [hostWith({ candidates, options })], fallback: fallbackOptions });
const mustBeFree = (names: string): Fault => ({
  where: 'Host.read',
  option: 'hedge',
  message: `hedging calls several candidates for one answer, so each must be free; say cost: 0 of ${names} if that is so, or leave hedge out`,
});

describe('§5.10 hedging is for free candidates only', () => {
  afterEach(closeAll);

  it.each<[string, object, unknown, string]>([
    ['untiered', { hedge: { after: 50 } }, ['backup'], 'read, backup'],
    ['paid', { hedge: { after: 50 }, cost: 0.1 }, ['backup'], 'read, backup'],
    ['a paid first', { ...free, primary: { cost: 0.002 } }, ['backup'], 'read'],
    ['a paid one among free ones', free, ['backup', { method: 'spare', cost: 1 }], 'spare'],
    ['an untiered one beside a free first', { hedge: { after: 0 }, primary: { cost: 0 } }, ['backup'], 'backup'],
  ])('%s: start-up fails', async (_what, options, candidates, names) => {
    expect(await faultsOf(() => start(options, candidates))).toEqual([mustBeFree(names)]);
  });

  it('whichever layer says so', async () => {
    const options = { name: 'reader', ...free };
    const paid = { candidates: { backup: { cost: 1 } } };
    expect(await faultsOf(() => start(options, ['backup'], { overrides: { reader: paid } }))).toEqual([
      mustBeFree('backup'),
    ]);
    const defaults = { hedge: { after: 50 } };
    expect(await faultsOf(() => start({}, ['backup'], { defaults }))).toEqual([mustBeFree('read, backup')]);
    const off = { reader: { hedge: { after: Infinity }, ...paid } };
    await expect(start(options, ['backup'], { overrides: off })).resolves.toBeDefined();
  });

  it('a lone candidate has nobody to be hedged by', async () => {
    await expect(start({ hedge: { after: 50 } }, [])).resolves.toBeDefined();
  });

  it.each<[unknown, string]>([
    [{}, 'hedge.after'],
    [5, 'hedge'],
    [null, 'hedge'],
    [{ after: -1 }, 'hedge.after'],
    [{ after: Number.NaN }, 'hedge.after'],
    [{ after: '50' }, 'hedge.after'],
    [{ after: 50, times: 2 }, 'hedge.times'],
  ])('R26 hedge: %p is no hedge', async (hedge, option) => {
    const faults = await faultsOf(() => start({ cost: 0, hedge }));
    expect(faults).toEqual([{ where: 'Host.read', option, message: expect.any(String) as unknown }]);
    const alone = await faultsOf(() => createFallbackChain([a, a], { cost: 0, hedge: hedge as { after: 5 } }));
    expect(alone).toMatchObject([{ where: 'chain', option }]);
  });

  it.each([0, '0ms', 20, Infinity])('R26 hedge: { after: %p } is one', async (after) => {
    await expect(start({ cost: 0, hedge: { after } })).resolves.toBeDefined();
  });

  it('./core says the same at once, also of the options of one call', async () => {
    const hedge = { after: 10 };
    const fault = { where: 'geo', option: 'hedge' };
    expect(await faultsOf(() => fallback([a, a], { name: 'geo', hedge }))).toMatchObject([fault]);
    const chain = createFallbackChain([a, a], { name: 'geo' });
    expect(await faultsOf(() => chain.run({ hedge }))).toMatchObject([fault]);
    await expect(chain.run({ hedge, cost: 0 })).resolves.toBe('a');
  });

  it('streams are not hedged', async () => {
    const fault = {
      option: 'hedge',
      message: 'hedging is for chains that give promises, and this one gives a stream; leave hedge out',
    };
    const found = await faultsOf(() => start({ ...free, stream: 'observable' }));
    expect(found).toEqual([{ where: 'Host.read', ...fault }]);
    const stream = () => of('a');
    expect(await faultsOf(() => fallbackStream([stream, stream], { ...free, name: 'geo' }))).toEqual([
      { where: 'geo', ...fault },
    ]);
    const chain = createFallbackChain([stream, stream], { name: 'geo' });
    expect(await faultsOf(() => chain.stream(free))).toEqual([{ where: 'geo', ...fault }]);
  });
});

describe('what is said of a hedged chain', () => {
  afterEach(closeApps);

  it('describe gives when it starts and the worst case, start-up a line', async () => {
    const options = { ...free, name: 'reader', timeout: 300, deadline: '1s' };
    const { app, log, warn } = await said([
      { candidates: ['backup', { method: 'spare', timeout: 20 }], options },
      { candidates: ['backup'], options: { ...free, name: 'late', timeout: 300, deadline: 340 } },
    ]);
    expect(app.get(ChainHealthService).describe('reader')).toMatchObject({
      hedge: { value: 50, origin: 'chain options' },
      worstCase: {
        latency: 350,
        arithmetic: 'hedged: read 300 ms, backup 300 ms from 50 ms, spare 20 ms from 100 ms = 350 ms',
        price: 0,
      },
    });
    expect(log[0]).toBe(
      'Chain {reader}: read (300 ms) → backup (300 ms) → spare (20 ms); deadline 1000 ms; hedged after 50 ms',
    );
    expect(warn).toEqual([
      expect.stringMatching(/^late: the worst case is hedged: read 300 ms, backup 300 ms from 50 ms = 350 ms, over /),
    ]);
  });
});
