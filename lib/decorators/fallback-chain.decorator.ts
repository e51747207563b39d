import type { ChainOptions } from '../core/option-types.js';
import { isFrom } from './candidate-ref.js';
import type { CandidateRef } from './candidate-ref.js';
import type { AnyClass, AnyMethod, Fits } from './candidate-types.js';
import { requestProvider } from './injection.js';
import { policyFor } from './wrap-method.js';

/** What can be written as a candidate. A bare class can, so that the compiler says what to write instead. */
type Written = CandidateRef | AnyClass;

/** A method decorator that the compiler accepts only where the candidates fit the method. @publicApi */
export type LadderDecorator<Refs extends readonly unknown[]> = <Host extends object, F extends AnyMethod>(
  target: Host,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<F> & Fits<Host, F, Refs>,
) => void;

/**
 * Names, in order, who answers when the method's own provider does not. The method's body is candidate 0.
 * @throws FallbackConfigurationError at start-up, naming class, method and option
 * @example @FallbackChain([from(RegionalModel, 'picksFor'), 'editorsPicks'], { timeout: '800ms' })
 * @publicApi
 */
export function FallbackChain<const Refs extends readonly Written[]>(
  candidates: Refs,
  options: ChainOptions = {},
): LadderDecorator<Refs> {
  return (target, key, descriptor) => declareLadder('FallbackChain', target, key, descriptor, candidates, options);
}

/**
 * A chain of two: the method, then one other.
 * @throws FallbackConfigurationError at start-up, naming class, method and option
 * @example @Fallback('fromArchive', { timeout: '2s' })
 * @publicApi
 */
export function Fallback<const Ref extends Written>(
  candidate: Ref,
  options: ChainOptions = {},
): LadderDecorator<readonly [Ref]> {
  return (target, key, descriptor) => declareLadder('Fallback', target, key, descriptor, [candidate], options);
}

function declareLadder(
  decorator: string,
  target: object,
  key: string | symbol,
  descriptor: PropertyDescriptor | undefined,
  written: readonly Written[],
  options: ChainOptions,
): void {
  const candidates = written as readonly CandidateRef[];
  policyFor(decorator, target, key, descriptor).ladders.push({ candidates, options });
  if (!Array.isArray(candidates)) return; // start-up says so
  for (const candidate of candidates as readonly CandidateRef[]) {
    if (isFrom(candidate) && candidate.provider !== undefined) requestProvider(target, candidate.provider);
  }
}
