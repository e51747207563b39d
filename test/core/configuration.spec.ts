import { describe, expect, it, jest } from '@jest/globals';
import { FallbackConfigurationError, createFallbackChain, fallback } from '../../lib/core/index.js';
import type { CoreCandidate, CoreOptions } from '../../lib/core/index.js';

const inOrder = (one = '', other = '') => one.localeCompare(other);
const ran = jest.fn(() => 'a');

function faultsOf(make: () => unknown) {
  let error: unknown;
  try {
    make();
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(FallbackConfigurationError);
  expect(error).toBeInstanceOf(TypeError);
  expect(error).toMatchObject({ code: 'FALLBACK_CONFIGURATION' });
  return (error as FallbackConfigurationError).faults;
}

const MAKERS = [
  ['fallback', fallback],
  ['createFallbackChain', createFallbackChain],
] as const;

describe.each(MAKERS)('%s: what cannot work is said at once', (_name, make) => {
  const of = (options: object, candidates: readonly unknown[] = [ran]) =>
    faultsOf(() => make(candidates as CoreCandidate<string>[], { name: 'geo', ...options }));

  it.each([
    ['timeout', 0],
    ['timeout', -1],
    ['timeout', Number.NaN],
    ['timeout', '5'],
    ['deadline', 0],
    ['deadline', 'soon'],
    ['reserve', -1],
    ['retries', -1],
    ['retries', 1.5],
    ['retries', Infinity],
    ['retries', { times: 1, on: ['ok'] }],
    ['retries', { on: ['timeout'] }],
    ['cost', -1],
    ['onEmpty', 'perhaps'],
    ['isEmpty', true],
    ['accept', 'yes'],
    ['classify', {}],
    ['credentials', 'mine'],
    ['unknown', 'timeout'],
    ['rethrow', 'first'],
    ['enabled', true],
    ['detail', 'all'],
    ['maxRetryAfter', 0],
    ['minInterval', 0],
    ['minInterval', -1],
    ['minInterval', Number.NaN],
    ['minInterval', '5'],
    ['minInterval', {}],
    ['maxConcurrent', 0],
    ['maxConcurrent', -1],
    ['maxConcurrent', 1.5],
    ['maxConcurrent', Number.NaN],
    ['maxConcurrent', '5'],
    ['clock', {}],
    ['clock', { now: () => 0, wall: () => 0 }],
    ['onAttempt', 5],
    ['signal', 'stop'],
    ['signal', new AbortController()],
    ['args', 'Bern'],
    ['tiemout', 5],
  ])('%s: %p', (option, value) => {
    ran.mockClear();
    expect(of({ [option]: value })).toEqual([{ where: 'geo', option, message: expect.any(String) }]);
    expect(ran).not.toHaveBeenCalled();
  });

  it.each([
    ['breaker.threshold', { breaker: { threshold: 0 } }],
    ['breaker.factor', { breaker: { factor: 0.5 } }],
    ['breaker.maxCooldown', { breaker: { cooldown: '2m', maxCooldown: '1m' } }],
    ['primary.timeout', { primary: { timeout: -1 } }],
    ['reserve', { deadline: 10, reserve: 11 }],
  ])('%s', (option, options) => {
    expect(of(options).map((fault) => fault.option)).toEqual([option]);
  });

  it.each([
    ['no candidate', []],
    ['no list', 'abc'],
    ['nothing', null],
  ])('%s', (_what, candidates) => {
    expect(of({}, candidates as never)).toMatchObject([{ where: 'geo', option: 'candidates' }]);
  });

  it.each([['text'], [5], [null], [{}], [{ name: 'x' }], [{ run: 5 }]])('%p is no candidate', (candidate) => {
    expect(of({}, [ran, candidate])[0]).toMatchObject({ where: 'geo', option: 'candidates[1]' });
  });

  it('two candidates of one name', () => {
    const faults = of({}, [
      { name: 'x', run: ran },
      { name: 'x', run: ran },
    ]);
    expect(faults).toMatchObject([{ option: 'name', message: expect.stringContaining('name:') }]);
  });

  it('options of a candidate are named with it', () => {
    const faults = of({}, [ran, { name: 'b', run: ran, timeout: -1, on: [] }]);
    expect(faults.map(({ where, option }) => [where, option])).toEqual([
      ['geo (candidate b)', 'timeout'],
      ['geo (candidate b)', 'on'],
    ]);
  });

  it('all faults are told together', () => {
    const faults = of({ timeout: -1, cost: 'much', rethrow: 'first' }, [{ name: 'a', run: ran, retries: -1 }]);
    expect(faults.map(({ option }) => option).sort(inOrder)).toEqual(['cost', 'rethrow', 'retries', 'timeout']);
  });

  it('faults of what is given and of options are told together', () => {
    const faults = of({ timeout: -1, signal: 5, onAttempt: 5 }, [ran]);
    expect(faults.map(({ option }) => option).sort(inOrder)).toEqual(['onAttempt', 'signal', 'timeout']);
  });

  it.each([
    [{ timeout: Infinity, deadline: Infinity }],
    [{ cost: 0, retries: 0, reserve: 0, breaker: { cooldown: 0 } }],
    [{ timeout: () => 5, deadline: '1.5s', reserve: '1s' }],
    [{ timeout: undefined }],
  ])('%j can work', (options) => {
    expect(() => make<string>([ran], options as CoreOptions<string>)).not.toThrow();
  });
});

describe('options of one call are checked too', () => {
  it.each([
    ['timeout', -1],
    ['deadline', '5'],
    ['accept', true],
    ['signal', 'stop'],
    ['args', 'Bern'],
    ['onAttempt', 5],
    ['tiemout', 5],
  ])('%s: %p', (option, value) => {
    const chain = createFallbackChain<string>([ran], { name: 'geo' });
    ran.mockClear();
    const faults = faultsOf(() => void chain.run({ [option]: value }).catch(() => {}));
    expect(faults.map((fault) => fault.option)).toEqual([expect.stringContaining(option)]);
    expect(ran).not.toHaveBeenCalled();
  });
});
