import type { ConfigurationFault } from './core/errors.js';
import { isHealthStore } from './core/health-store.js';
import type { HealthStore } from './core/health-store.js';
import { isChain } from './core/nested-chain.js';
import { CHAIN_RULES, clock, duration, func, object, oneOf, show } from './core/option-rules.js';
import { faultsOf } from './core/options.js';
import type { CandidateOptions, Chain, ChainOptions } from './core/option-types.js';
import type { Clock, Duration, FallbackEvent } from './core/types.js';
import { isStore } from './core/value-store.js';
import type { CacheLike, ValueStore } from './core/value-store.js';
import { differencesOf } from './fallback.differences.js';
import { MESSAGES } from './fallback.messages.js';

/**
 * Options of the whole application.
 * @example FallbackModule.forRoot({ defaults: { timeout: '2s' }, overrides: { geocoder: { deadline: '5s' } } })
 * @publicApi
 */
export interface FallbackModuleOptions {
  /** options of every chain, unless it says otherwise */
  defaults?: ChainOptions;
  /** options by chain name and, inside, by candidate name: numbers that come from the environment */
  overrides?: Record<string, ChainOptions & { candidates?: Record<string, CandidateOptions> }>;
  /**
   * chains of plain functions to run with this application's clock, defaults and overrides, and to be watched like
   * those of methods, wherever `FallbackService.run` or another chain of the application calls them
   */
  chains?: readonly Chain<any>[];
  /** where last known good values are kept, unless a chain names its own; default: in this process, the last 1 000, at most 64 MB */
  valueStore?: ValueStore | CacheLike;
  /**
   * where the health of candidates is kept together with other processes, so that what one has learned all know;
   * default: in this process
   */
  healthStore?: HealthStore;
  /** how long a store may take to answer; default 250 ms */
  storeTimeout?: Duration;
  /** `false`: no scope per HTTP request, so no marks on responses and no abort when the client goes away */
  http?: false | { receipt?: 'degraded' | 'always' };
  /** how long calls in flight may go on once the application shuts down; default 5 s */
  drain?: Duration;
  /** hear every event; none can change an outcome */
  observers?: readonly ((event: FallbackEvent) => void)[];
  /** default: the machine's */
  clock?: Clock;
  /** `false`: no log lines, neither of degraded and exhausted calls nor of the chains at start-up */
  logger?: false;
}

const WHERE = 'FallbackModule.forRoot';

/** What `FallbackModule.forFeature()` takes. @internal */
export interface FallbackFeatureOptions {
  readonly chains: readonly Chain<any>[];
}

const chains = (value: unknown): string | undefined =>
  Array.isArray(value) && value.every(isChain) ? undefined : MESSAGES.notChains;

/** An address in place of a store may hold a password. */
const shown = (value: unknown): string => (typeof value === 'string' ? 'a text' : show(value));

const RULES = {
  defaults: CHAIN_RULES,
  overrides: object,
  chains,
  valueStore: (value: unknown) => (isStore(value) ? undefined : MESSAGES.notAStore(shown(value))),
  healthStore: (value: unknown) => (isHealthStore(value) ? undefined : MESSAGES.notAHealthStore(shown(value))),
  storeTimeout: duration({ beEndless: true }),
  http: (value: unknown) => (value === false ? undefined : object(value)),
  observers: (value: unknown) =>
    Array.isArray(value) && value.every((each) => func(each) === undefined) ? undefined : 'give a list of functions',
  clock,
  drain: duration({ beZero: true, beEndless: true }),
  logger: (value: unknown) => (value === false ? undefined : 'leave it out, or give false'),
};

/** What is wrong with the module's own options. @internal */
export function faultsOfModule(options: unknown): ConfigurationFault[] {
  const faults = faultsOf(options, RULES, WHERE);
  const http: unknown = (options as FallbackModuleOptions | null | undefined)?.http;
  if (object(http) !== undefined) return faults;
  return [...faults, ...faultsOf(http, { receipt: oneOf('degraded', 'always') }, WHERE, 'http')];
}

/** What is wrong with the options of `forFeature`. @internal */
export function faultsOfFeature(options: unknown): ConfigurationFault[] {
  const where = 'FallbackModule.forFeature';
  const faults = faultsOf(options, { chains }, where);
  const isMissing = faults.length === 0 && (options as Partial<FallbackFeatureOptions>).chains === undefined;
  return isMissing ? [{ where, option: 'chains', message: MESSAGES.notChains }] : faults;
}

/** The options in which those of a second `forRoot` differ. @internal */
export function faultsOfSecond(first: unknown, second: unknown): ConfigurationFault[] {
  return differencesOf(first, second).map((option) => ({
    where: WHERE,
    ...(option !== '' && { option }),
    message: MESSAGES.differentOptions,
  }));
}

/** The options without those that are faulty, so that start-up can go on and report everything at once. @internal */
export function usable(options: FallbackModuleOptions, faults: readonly ConfigurationFault[]): FallbackModuleOptions {
  const faulty = new Set(faults.map(({ option = '' }) => option.split('.')[0]));
  if (faulty.has('')) return {};
  return Object.fromEntries(Object.entries(options).filter(([name]) => !faulty.has(name)));
}
