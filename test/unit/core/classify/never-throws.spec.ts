import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { classifyFailure, statusOf, strictLlm } from '../../../../lib/core/classify/index.js';
import { boom, endless, revoked, throwing } from './hostile-values.js';

/** Every name that the classifier reads. */
const KEYS = `cause originalError detail raw exception error errors name message code type status statusCode response
  $metadata $response httpStatusCode metadata headers get getMap getStatus getResponse getError body data details
  retryDelay retryAfter retryAfterMs reason Code __type rawType sqlState killed signal constructor retry-after ratelimit
  isTaskCancelledError isBrokenCircuitError isBulkheadRejectedError x-ratelimit-remaining x-ratelimit-reset`.split(
  /\s+/,
);

const WORDS = `TypeError AggregateError RpcException AbortError ReplyError ETIMEDOUT ERR_NETWORK 53300 rate_limit { 5 -5
  {"error":{"type":"api_error"}} 1m30s "a";r=0;t=5 retryDelay":"5s" 0 429 x`.split(/\s+/);

const VALUES = [429, 403, 200, 503.5, -1, Number.NaN, Infinity, 10n, true, null, undefined, Symbol('s'), ...WORDS];

/** How to make a value, as plain data: fast-check itself looks at what it generates. */
type Recipe =
  | { make: 'value'; index: number }
  | { make: 'trap'; index: number }
  | { make: 'list'; of: Recipe[] }
  | { make: 'function'; of: Recipe; rejects: boolean }
  | { make: 'record'; base: number; of: { key: string; value: Recipe; throws: boolean }[] };

const { recipe } = fc.letrec<{ recipe: Recipe }>((tie) => {
  const property = fc.record({
    key: fc.constantFrom(...KEYS),
    value: tie('recipe'),
    throws: fc.nat(9).map((luck) => luck === 0),
  });
  return {
    recipe: fc.oneof(
      { depthSize: 'large', withCrossShrink: true },
      fc.record({ make: fc.constant('value' as const), index: fc.nat(VALUES.length - 1) }),
      fc.record({ make: fc.constant('record' as const), base: fc.nat(4), of: fc.array(property, { maxLength: 8 }) }),
      fc.record({ make: fc.constant('list' as const), of: fc.array(tie('recipe'), { maxLength: 4 }) }),
      fc.record({ make: fc.constant('function' as const), of: tie('recipe'), rejects: fc.boolean() }),
      fc.record({ make: fc.constant('trap' as const), index: fc.nat(4) }),
    ),
  };
});

const TRAPS: readonly (() => unknown)[] = [revoked, () => throwing({}), () => throwing([]), endless, () => boom];
const BASES: readonly (() => object)[] = [
  () => ({}),
  () => Object.create(null) as object,
  () => new Error('timeout'),
  () => new TypeError('fetch failed'),
  () => new AggregateError([]),
];

function build(made: Recipe): unknown {
  switch (made.make) {
    case 'value':
      return VALUES[made.index];
    case 'trap':
      return TRAPS[made.index]?.();
    case 'list':
      return made.of.map(build);
    case 'function':
      return () => (made.rejects ? Promise.reject(new Error('late')) : build(made.of));
    default: {
      const record = BASES[made.base]?.() ?? {};
      for (const { key, value, throws } of made.of) {
        const property = throws ? { get: boom } : { value: build(value) };
        Object.defineProperty(record, key, { ...property, enumerable: true, configurable: true });
      }
      return record;
    }
  }
}

it('never throws, whatever was thrown, and never gives a status or a delay that is none', () => {
  fc.assert(
    fc.property(recipe, (made) => {
      const error = build(made);
      const { kind, retryAfter = 0 } = classifyFailure(error);
      const status = statusOf(error) ?? 300;
      expect(typeof kind).toBe('string');
      expect(Number.isSafeInteger(retryAfter) && retryAfter >= 0).toBe(true);
      expect(Number.isInteger(status) && status >= 300 && status <= 599).toBe(true);
      expect(() => strictLlm(error)).not.toThrow();
    }),
    { numRuns: 1000 },
  );
});
