/** Candidates that are another provider: one of its methods, or the whole of it. */
import type { CandidateSpec } from '../core/chain-spec.js';
import type { Invoke } from '../core/plan.js';
import type { CandidateOptions } from '../core/option-types.js';
import type { FallbackCandidate, From, Token } from './candidate-ref.js';
import { UNMARKED, fillArguments, marksOf } from './fill-arguments.js';
import { isThunk, slotOf } from './injection.js';
import type { Marked, Method, Policy } from './policy.js';
import { callMethod, outerOf } from './runtime-of.js';

/**
 * A candidate named by `from()`.
 * @param own the marks of the decorated method
 * @param instance an instance of the decorated class, if there is one already
 * @internal
 */
export function providerCandidate(policy: Policy, ref: From, own: Marked, instance: object | undefined): CandidateSpec {
  const { provider, method, ...options } = ref;
  const slot = slotOf(policy.target, provider);
  const providerIn = (host: unknown): object => (host as Record<symbol, object>)[slot]!;
  const owner = providerName(provider);
  if (method === undefined) {
    const of = providerIn as (host: unknown) => FallbackCandidate;
    const sample = sampleOf(provider, instance === undefined ? undefined : providerIn(instance));
    const invoke: Invoke = (attempt) =>
      of(attempt.call.host).run(attempt.context, ...fillArguments(attempt, own, UNMARKED));
    return { name: options.name ?? owner, options: { ...hooksOf(of, sample), ...options }, invoke };
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

/** The hooks that the provider has are the candidate's own; for those that it lacks the chain's hold. */
function hooksOf(of: (host: unknown) => FallbackCandidate, sample: Partial<FallbackCandidate>): CandidateOptions {
  const hooks: CandidateOptions = {};
  if (sample.supports) {
    hooks.supports = function supports(this: unknown, ...args) {
      return of(this).supports!(...args);
    };
  }
  if (sample.classify) {
    hooks.classify = function classify(this: unknown, error, ctx) {
      return of(this).classify!(error, ctx);
    };
  }
  if (sample.assess) {
    hooks.assess = function assess(this: unknown, value, ctx) {
      return of(this).assess!(value, ctx);
    };
  }
  return hooks;
}

/** What shows which hooks a provider has: its instance, else its class; for a bare token nothing does. */
function sampleOf(provider: Token<unknown>, instance: unknown): Partial<FallbackCandidate> {
  if (typeof instance === 'object' && instance !== null) return instance;
  const type = isThunk(provider) ? provider() : provider;
  return typeof type === 'function' ? (type.prototype as Partial<FallbackCandidate>) : {};
}
