/** What is wrong with what only chains of plain functions are given: their candidates, and the inputs of a call. */
import { isSignal } from './cancellation.js';
import type { ConfigurationFault } from './errors.js';
import { isChain } from './nested-chain.js';
import { clock as isClock, func, show } from './option-rules.js';
import type { CoreOptions } from './option-types.js';

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

/** @internal */
export function faultsOfCandidates(where = 'chain', candidates: unknown): ConfigurationFault[] {
  if (!Array.isArray(candidates) || candidates.length === 0) {
    return [{ where, option: 'candidates', message: 'give a list of at least one candidate' }];
  }
  return candidates.flatMap((one: unknown, place) =>
    isCandidate(one) ? [] : [{ where, option: `candidates[${place}]`, message: notACandidate(one) }],
  );
}

function isCandidate(value: unknown): boolean {
  return (
    typeof value === 'function' || isChain(value) || typeof (value as { run?: unknown } | null)?.run === 'function'
  );
}

function notACandidate(value: unknown): string {
  return `this is no candidate: ${show(value)}; give a function, { name, run }, or a chain`;
}
