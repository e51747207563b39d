/** What is wrong with what only chains of plain functions are given: their candidates, and the inputs of a call. */
import { isSignal } from './cancellation.js';
import type { ConfigurationFault } from './errors.js';
import { isChain } from './nested-chain.js';
import { clock as isClock, func, show, text } from './option-rules.js';
import type { CoreOptions } from './option-types.js';
import { faultsOfShape } from './options.js';

type Inputs<T> = { readonly [K in 'clock' | 'onAttempt' | 'signal' | 'args']?: CoreOptions<T>[K] | undefined };

/** @internal */
export function faultsOfInputs<T>(
  where = 'chain',
  { clock, onAttempt, signal, args }: Inputs<T>,
): ConfigurationFault[] {
  const faults: ConfigurationFault[] = [];
  const check = (option: string, message: string | undefined): void => {
    if (message !== undefined) faults.push({ where, option, message });
  };
  if (clock !== undefined) check('clock', isClock(clock));
  if (onAttempt !== undefined) check('onAttempt', func(onAttempt));
  if (signal !== undefined && !isSignal(signal)) check('signal', 'give an AbortSignal');
  if (args !== undefined && !Array.isArray(args)) check('args', 'give a list of arguments');
  return faults;
}

/** Options of one run. What belongs to the chain's memory is the chain's alone. @internal */
export function faultsOfRun<T>(where: string, given: Inputs<T>, ofChain: Inputs<T>['clock']): ConfigurationFault[] {
  const faults = faultsOfShape(given, where, 'overrides');
  if (faults.length > 0) return faults;
  const { clock } = given;
  const message = 'a chain has one clock for all its runs; give it where the chain is made';
  const isAnother = clock !== undefined && clock !== ofChain;
  return [...faultsOfInputs(where, given), ...(isAnother ? [{ where, option: 'clock', message }] : [])];
}

/** @internal */
export function faultsOfCandidates(where = 'chain', candidates: unknown): ConfigurationFault[] {
  if (!Array.isArray(candidates) || candidates.length === 0) {
    return [{ where, option: 'candidates', message: 'give a list of at least one candidate' }];
  }
  // A copy has no holes.
  return [...(candidates as unknown[])].flatMap((one, place) => {
    const option = `candidates[${place}]`;
    if (!isCandidate(one)) return [{ where, option, message: notACandidate(one) }];
    const name: unknown = typeof one === 'function' ? undefined : (one as { name?: unknown }).name;
    const message = name === undefined ? undefined : text(name);
    return message === undefined ? [] : [{ where, option: `${option}.name`, message }];
  });
}

function isCandidate(value: unknown): boolean {
  return (
    typeof value === 'function' || isChain(value) || typeof (value as { run?: unknown } | null)?.run === 'function'
  );
}

function notACandidate(value: unknown): string {
  return `this is no candidate: ${show(value)}; give a function, { name, run }, or a chain`;
}
