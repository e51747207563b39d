/** Candidates that are another provider: one of its methods, or the whole of it. */
import type { CandidateSpec } from '../core/chain-spec.js';
import type { Invoke } from '../core/plan.js';
import type { CandidateOptions } from '../core/option-types.js';
import type { FallbackCandidate, From, Token } from './candidate-ref.js';
import { fillArguments, marksOf } from './fill-arguments.js';
import { isThunk, slotOf } from './injection.js';
import { UNMARKED } from './policy.js';
import type { Marked, Method, Policy } from './policy.js';
import { callMethod, outerOf } from './runtime-of.js';

/**
 * A candidate named by `from()`.
 * @param own the marks of the decorated method
 * @internal
 */
export function providerCandidate(policy: Policy, ref: From, own: Marked): CandidateSpec {
  const { provider, method, ...options } = ref;
  const slot = slotOf(policy.target, provider);
  const providerIn = (host: unknown): object => (host as Record<symbol, object>)[slot]!;
  const owner = providerName(provider);
  if (method === undefined) {
    const of = providerIn as (host: unknown) => FallbackCandidate;
    const invoke: Invoke = (attempt) =>
      of(attempt.call.host).run(attempt.context, ...fillArguments(attempt, own, UNMARKED));
    return { name: options.name ?? owner, options, hooks: (ofChain) => hooksOf(of, ofChain), invoke };
  }
  const key = method as string | symbol;
  const marked = marksOf(key);
  const invoke: Invoke = (attempt) => {
    const target = providerIn(attempt.call.host) as Record<string | symbol, Method>;
    return callMethod(target[key]!, target, fillArguments(attempt, own, marked(target)), () => outerOf(attempt));
  };
  return { name: options.name ?? `${owner}.${String(key)}`, options, invoke };
}

/** @internal */
export function providerName(token: Token<unknown>): string {
  if (isThunk(token)) return providerName(token());
  return typeof token === 'function' ? token.name : String(token);
}

/** A provider that exists, but whose methods show only when it is made. @internal */
export const UNSEEN: object = Object.freeze({});

/**
 * A provider's hooks are the candidate's own; for those that it lacks the chain's hold. It is looked at when it is asked:
 * what a factory makes for a request, or a constructor puts on it, shows nowhere before.
 */
function hooksOf(of: (host: unknown) => Partial<FallbackCandidate>, ofChain: CandidateOptions): CandidateOptions {
  return {
    supports(this: unknown, ...args) {
      const provider = of(this);
      if (typeof provider.supports === 'function') return provider.supports(...args);
      return ofChain.supports === undefined ? true : ofChain.supports.apply(this, args);
    },
    classify(this: unknown, error, ctx) {
      const provider = of(this);
      if (typeof provider.classify === 'function') return provider.classify(error, ctx);
      return ofChain.classify?.call(this, error, ctx);
    },
    assess(this: unknown, value, ctx) {
      const provider = of(this);
      if (typeof provider.assess === 'function') return provider.assess(value, ctx);
      return ofChain.assess?.call(this, value, ctx);
    },
  };
}
