/** What the hooks make of what they may be given; nothing of the provider is needed for it. */
import { rateLimited } from '../core/index.js';
import { hookFinding, rateLimitStops, supportsRefuses } from './findings.js';
import type { Finding } from './findings.js';
import { begin } from './probe.js';
import type { Checked } from './probe.js';

/** Anything can be thrown, and sooner or later it is. */
const STRANGE_ERRORS: readonly (readonly [what: string, error: unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['a string', 'it did not work'],
  ['an Error without a status', new Error('it did not work')],
  ['an object without a prototype', Object.create(null)],
];

/** A 429 as usual clients tell of it. */
const RATE_LIMITS: readonly (readonly [what: string, error: unknown])[] = [
  ['a 429 in error.status', Object.assign(new Error('Too Many Requests'), { status: 429 })],
  ['a 429 in error.statusCode', Object.assign(new Error('Too Many Requests'), { statusCode: 429 })],
  [
    'a 429 in error.response.status',
    Object.assign(new Error('Too Many Requests'), { response: { status: 429, headers: { 'retry-after': '1' } } }),
  ],
  ['rateLimited()', rateLimited()],
];

/** @internal */
export async function checkHooks(
  candidate: Checked,
  { args, patience }: { args: unknown[]; patience: number },
): Promise<Finding[]> {
  return [...(await checkSupports(candidate, args, patience)), ...(await checkClassify(candidate, args, patience))];
}

async function checkSupports(candidate: Checked, args: unknown[], patience: number): Promise<Finding[]> {
  if (candidate.supports === undefined) return [];
  const supports = candidate.supports.bind(candidate);
  const { kind, faults } = await begin({ run: () => null, supports }, patience, { args }).observed;
  if (faults.length > 0) return faults.map(({ hook, fault }) => hookFinding(hook, fault, 'the given arguments'));
  if (kind !== undefined) return [];
  return [supportsRefuses()];
}

async function checkClassify(candidate: Checked, args: unknown[], patience: number): Promise<Finding[]> {
  if (candidate.classify === undefined) return [];
  const classify = candidate.classify.bind(candidate);
  const ask = (error: unknown) => begin(throwing(error, { classify }), patience, { args }).observed;

  // One finding of each kind says enough: whoever mends it mends the others.
  const found = new Map<Finding['code'], Finding>();
  const note = (each: Finding) => found.has(each.code) || found.set(each.code, each);
  for (const [what, error] of [...STRANGE_ERRORS, ...RATE_LIMITS]) {
    const { faults } = await ask(error);
    for (const { hook, fault } of faults) note(hookFinding(hook, fault, what));
    if (found.has('hook-silent')) return [...found.values()];
  }
  for (const [what, error] of RATE_LIMITS) {
    if ((await ask(error)).isStopped) note(rateLimitStops(`for ${what}, classify`));
  }
  return [...found.values()];
}

function throwing(thrown: unknown, hooks: Pick<Checked, 'classify'>): Checked {
  return {
    ...hooks,
    run() {
      throw thrown;
    },
  };
}
