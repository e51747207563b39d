/** Candidates that are another provider: one of its methods, or the whole of it. */
import type { CandidateSpec } from '../core/chain-spec.js';
import type { Invoke } from '../core/plan.js';
import type { CandidateOptions } from '../core/option-types.js';
import type { FallbackCandidate, From, Token } from './candidate-ref.js';
import { fillArguments, marksOf } from './fill-arguments.js';
import { isThunk, slotOf } from './injection.js';
import { hasMethod } from './property-in.js';
import { UNMARKED } from './policy.js';
import type { Marked, Method, Policy } from './policy.js';
import { callMethod, outerOf } from './runtime-of.js';

/**
 * A candidate named by `from()`.
 * @param own the marks of the decorated method
 * @param sample what shows the provider's methods; without any it is asked for each of them at every call
 * @internal
 */
export function providerCandidate(policy: Policy, ref: From, own: Marked, sample: object | undefined): CandidateSpec {
  const { provider, method, ...options } = ref;
  const slot = slotOf(policy.target, provider);
  const providerIn = (host: unknown): object => (host as Record<symbol, object>)[slot]!;
  const owner = providerName(provider);
  if (method === undefined) {
    const of = providerIn as (host: unknown) => FallbackCandidate;
    const invoke: Invoke = (attempt) =>
      of(attempt.call.host).run(attempt.context, ...fillArguments(attempt, own, UNMARKED));
    return { name: options.name ?? owner, options: { ...hooksOf(of, sample ?? UNSEEN), ...options }, invoke };
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

/** The hooks that the provider has are the candidate's own; for those that it lacks the chain's hold. */
function hooksOf(of: (host: unknown) => FallbackCandidate, sample: Partial<FallbackCandidate>): CandidateOptions {
  const hooks: CandidateOptions = {};
  const mayHave = (hook: keyof FallbackCandidate): boolean => sample === UNSEEN || hasMethod(sample, hook);
  if (mayHave('supports')) {
    hooks.supports = function supports(this: unknown, ...args) {
      return of(this).supports?.(...args) ?? true;
    };
  }
  if (mayHave('classify')) {
    hooks.classify = function classify(this: unknown, error, ctx) {
      return of(this).classify?.(error, ctx);
    };
  }
  if (mayHave('assess')) {
    hooks.assess = function assess(this: unknown, value, ctx) {
      return of(this).assess?.(value, ctx);
    };
  }
  return hooks;
}
