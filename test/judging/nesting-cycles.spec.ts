import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { FallbackChain, from } from '../../lib/index.js';
import type { CandidateRef } from '../../lib/index.js';
import { boot, closeAll } from '../support/apps.js';
import { decorate } from '../support/decorate.js';
import { faultsOf } from '../support/faulty.js';

interface Rings {
  [method: string]: () => Promise<string>;
}

/** A provider with methods a, b, c and these ladders on them. */
function ring(ladders: Record<string, readonly CandidateRef[]>, name = 'Ring') {
  const { [name]: Ring } = {
    [name]: class {},
  };
  for (const method of ['a', 'b', 'c']) {
    Object.defineProperty(Ring!.prototype, method, {
      value: { [method]: async () => `${method} of ${name}` }[method],
      configurable: true,
      writable: true,
    });
  }
  for (const [method, candidates] of Object.entries(ladders)) {
    decorate([FallbackChain(candidates as never)], Ring!.prototype, method);
  }
  Injectable()(Ring!);
  return Ring! as unknown as new () => Rings;
}

describe('chains that are candidates of each other', () => {
  afterEach(closeAll);

  it.each<readonly [string, Record<string, readonly CandidateRef[]>, RegExp]>([
    ['two', { a: ['b'], b: ['a'] }, /Ring\.a → Ring\.b → Ring\.a/],
    ['three', { a: ['b'], b: ['c'], c: ['a'] }, /Ring\.a → Ring\.b → Ring\.c → Ring\.a/],
    ['with options', { a: [{ method: 'b', timeout: 5 }], b: ['a'] }, /Ring\.a → Ring\.b → Ring\.a/],
    ['not from the first', { a: ['b'], b: ['c'], c: ['b'] }, /Ring\.b → Ring\.c → Ring\.b/],
    ['behind another candidate', { a: [() => 'x', 'b'], b: ['c', 'a'] }, /Ring\.a → Ring\.b → Ring\.a/],
  ])('%s: start-up fails and prints the cycle', async (_what, ladders, message) => {
    const faults = await faultsOf(() => boot({ providers: [ring(ladders)] }));
    expect(faults).toEqual([
      { where: expect.stringMatching(/^Ring\./), option: 'candidates', message: expect.stringMatching(message) },
    ]);
  });

  it('across providers', async () => {
    const Left = ring({ a: [from('RIGHT', 'b')] }, 'Left');
    const Right = ring({ b: [from('LEFT', 'a')] }, 'Right');
    const providers = [
      { provide: 'LEFT', useClass: Left },
      { provide: 'RIGHT', useClass: Right },
    ];
    const faults = await faultsOf(() => boot({ providers }));
    expect(faults).toHaveLength(1);
    expect(faults[0]!.message).toMatch(/Left\.a → Right\.b → Left\.a|Right\.b → Left\.a → Right\.b/);
  });

  it('two cycles are two faults, reported together', async () => {
    const providers = [ring({ a: ['b'], b: ['a'] }, 'One'), ring({ b: ['c'], c: ['b'] }, 'Two')];
    const faults = await faultsOf(() => boot({ providers }));
    expect(faults.map(({ where }) => where)).toEqual(['One.a', 'Two.b']);
  });

  it('a diamond is none', async () => {
    await expect(boot({ providers: [ring({ a: ['b', 'c'], b: ['c'] })] })).resolves.toBeDefined();
  });
});
