/**
 * What each option may be. A rule gives `undefined` for a usable value, else what to do about it. Numbers are finite;
 * zero is legal only where it means something, and `Infinity` only where it means "none".
 */
import { parseDuration } from './duration.js';
import type { BreakerOptions, CandidateOptions, ChainOptions } from './option-types.js';
import { isFailure, isKind } from './verdict.js';

/** @internal */
export type Rule = (value: unknown) => string | undefined;

const rule =
  (isUsable: (value: unknown) => boolean, remedy: string): Rule =>
  (value) =>
    isUsable(value) ? undefined : `${remedy}; got ${show(value)}`;

/** @internal */
export const duration = (may: { beZero?: boolean; beEndless?: boolean } = {}): Rule =>
  rule(
    (value) => {
      const ms = parseDuration(value);
      return ms !== undefined && (ms > 0 || may.beZero === true) && (ms < Infinity || may.beEndless === true);
    },
    `give ${may.beZero === true ? 'zero or ' : ''}a positive number of ms or a string with a unit such as '300ms' or '2s'${may.beEndless === true ? ' (Infinity for none)' : ''}`,
  );

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** @internal */
export const text = rule(
  (value) => typeof value === 'string' && value.trim() !== '',
  'give a name, a string that is not empty',
);
/** @internal */
export const func = rule((value) => typeof value === 'function', 'give a function');
/** @internal */
export const flag = rule((value) => typeof value === 'boolean', 'give true or false');
const price = rule(
  (value) => isNumber(value) && value >= 0 && value < Infinity,
  'give the price of one call, a number from 0 up',
);
const ratio = rule((value) => isNumber(value) && value >= 1 && value < Infinity, 'give a number from 1 up');
const count = rule(
  (value) => isNumber(value) && value >= 1 && (Number.isInteger(value) || value === Infinity),
  'give a whole number from 1 up (Infinity for none)',
);

/** @internal */
export const object = rule(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'give an object',
);
/** @internal */
export const clock = rule(
  (value) =>
    object(value) === undefined &&
    ['now', 'wall', 'setTimer'].every((name) => typeof (value as Record<string, unknown>)[name] === 'function'),
  'give an object with now(), wall() and setTimer()',
);

/** @internal */
export const oneOf = (...words: readonly string[]): Rule =>
  rule((value) => words.includes(value as string), `give one of ${words.map((word) => `'${word}'`).join(', ')}`);

/** The rules of every option of some kind of thing. @internal */
export type Rules<T> = { readonly [K in keyof Required<T>]: Rule | Rules<Extract<T[K], object>> };

const BREAKER_RULES: Rules<BreakerOptions> = {
  threshold: count,
  cooldown: duration({ beZero: true }),
  factor: ratio,
  maxCooldown: duration({ beEndless: true }),
  mode: oneOf('consecutive', 'rate'),
  window: duration(),
  volume: rule((value) => isNumber(value) && value >= 1 && Number.isInteger(value), 'give a whole number from 1 up'),
  share: rule((value) => isNumber(value) && value > 0 && value <= 1, 'give a number above 0 and up to 1'),
};

const either =
  (first: Rule, second: Rule): Rule =>
  (value) =>
    second(value) === undefined ? undefined : first(value);

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isFailureKind = (value: unknown): boolean => isKind(value) && isFailure(value);

/** A list of kinds of failure. @internal */
export const failureKinds = rule(
  (value) => isList(value) && value.every(isFailureKind),
  "give a list of failure kinds such as ['transient', 'timeout']",
);
/** Something may be an instance of it. A predicate in a list would never match anything. */
function isErrorClass(value: unknown): boolean {
  if (typeof value !== 'function') return false;
  if (value[Symbol.hasInstance] !== Function.prototype[Symbol.hasInstance]) return true;
  try {
    return typeof ({} instanceof value) === 'boolean';
  } catch {
    return false;
  }
}

const gate = rule(
  (value) => isList(value) && value.length > 0 && value.every((each) => isFailureKind(each) || isErrorClass(each)),
  "give kinds or error classes such as ['timeout', HttpException], or a function of the last failure",
);
const times = rule(
  (value) => isNumber(value) && Number.isInteger(value) && value >= 0,
  'give a whole number from 0 up',
);
const retries: Rule = (value) => {
  if (typeof value !== 'object' || value === null) return times(value);
  const { times: number, on, ...others } = value as { times?: unknown; on?: unknown };
  if (Object.keys(others).length > 0) return `give { times, on }; there is no ${Object.keys(others).join(', ')}`;
  return times(number) ?? (on === undefined ? undefined : failureKinds(on));
};

const COMMON = {
  timeout: either(duration({ beEndless: true }), func),
  retries,
  isEmpty: func,
  onEmpty: oneOf('accept', 'continue', 'stop'),
  credentials: oneOf('own', 'caller'),
  cost: price,
  supports: func,
  accept: func,
  assess: func,
  classify: func,
  breaker: BREAKER_RULES,
  whenOpen: oneOf('defer', 'skip', 'ignore'),
  maxRetryAfter: duration({ beEndless: true }),
  minInterval: duration({ beEndless: true }),
  maxConcurrent: count,
} as const;

/** @internal */
export const CANDIDATE_RULES: Rules<CandidateOptions> = {
  ...COMMON,
  name: text,
  on: either(gate, func),
  degraded: flag,
  healthKey: text,
};

/** @internal */
export const CHAIN_RULES: Rules<ChainOptions> = {
  ...COMMON,
  name: text,
  primary: CANDIDATE_RULES,
  deadline: duration({ beEndless: true }),
  reserve: duration({ beZero: true }),
  order: rule(
    (value) => value === 'declared' || value === 'cost' || typeof value === 'function',
    "give 'declared', 'cost', or a function of the candidates' names and the arguments",
  ),
  budget: {
    limit: rule(
      (value) => isNumber(value) && value > 0,
      'give what may be spent, a number above 0 (Infinity for none)',
    ),
    per: duration(),
  },
  onBudget: oneOf('free', 'stop'),
  hedge: { after: duration({ beZero: true, beEndless: true }) },
  idempotent: flag,
  enabled: func,
  rethrow: oneOf('aggregate', 'last'),
  unknown: oneOf('transient', 'terminal'),
  detail: oneOf('kinds', 'messages'),
  stream: oneOf('observable', 'async-iterable'),
  commitWhen: func,
  errorIn: func,
  idleTimeout: duration({ beEndless: true }),
  streamDeadline: duration({ beEndless: true }),
};

/** A value in a message: short, and nothing of what is inside it. @internal */
export function show(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? 'a long string' : `'${value}'`;
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined)
    return String(value);
  try {
    return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
  } catch {
    return 'a revoked Proxy';
  }
}
