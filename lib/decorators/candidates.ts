/** From the forms in which a candidate can be written to the one that the engine calls. */
import { isAsyncIterable } from '../core/async-iterable.js';
import type { CandidateSpec } from '../core/chain-spec.js';
import { FallbackConfigurationError } from '../core/errors.js';
import { isChain } from '../core/nested-chain.js';
import type { NestedChain } from '../core/nested-chain.js';
import { isObservable } from '../core/observable.js';
import { show } from '../core/option-rules.js';
import type { Invoke } from '../core/plan.js';
import { isThenable } from '../core/thenable.js';
import type { CandidateOptions } from '../core/option-types.js';
import { currentScope } from '../http/scope.js';
import { MESSAGES } from '../fallback.messages.js';
import { isFrom } from './candidate-ref.js';
import type { CandidateRef } from './candidate-ref.js';
import { fillArguments, marksOf } from './fill-arguments.js';
import { UNMARKED, markedParameters, nameOf } from './policy.js';
import type { Marked, Method, Policy } from './policy.js';
import { providerCandidate } from './provider-candidates.js';
import { callMethod, outerOf } from './runtime-of.js';

type Methods = Record<string | symbol, Method>;
type Named = { name?: string; run: (ctx: unknown, ...args: unknown[]) => unknown } & CandidateOptions;

/** Candidate 0: the method's own body. @internal */
export function primaryOf({ target, key, original }: Policy, name = String(key)): CandidateSpec {
  const marked = markedParameters(target, key);
  const where = nameOf(target, key);
  return {
    name,
    options: {},
    invoke: (attempt) => {
      const given = original.apply(attempt.call.host, fillArguments(attempt, marked, marked));
      return attempt.call.plan.stream === null ? noStream(given, where) : given;
    },
  };
}

/** A decorated method keeps its kind, and this one would lose it. */
function noStream(given: unknown, where: string): unknown {
  if (isThenable(given) || !(isObservable(given) || isAsyncIterable(given))) return given;
  throw new FallbackConfigurationError([{ where, message: MESSAGES.givesStream }]);
}

/**
 * One further candidate, or a sentence that says why it is none. One without a name is `candidate<index>`.
 * @internal
 */
export function candidateOf(policy: Policy, ref: CandidateRef, index: number): CandidateSpec | string {
  const own = markedParameters(policy.target, policy.key);
  if (typeof ref === 'string' || typeof ref === 'symbol') return methodCandidate(ref, {}, own);
  if (typeof ref === 'function') return inlineCandidate(ref as Method, own, index);
  if (typeof ref !== 'object' || ref === null) return MESSAGES.notACandidate(show(ref));
  if (isChain(ref)) return chainCandidate(ref, own);
  if (isFrom(ref)) {
    if (ref.provider === undefined) return MESSAGES.unknownProvider;
    return providerCandidate(policy, ref, own);
  }
  if ('method' in ref) {
    const { method, ...options } = ref;
    return methodCandidate(method, options, own);
  }
  if (typeof (ref as Named).run === 'function') return namedCandidate(ref as Named, own, index);
  return MESSAGES.notACandidate(show(ref));
}

function methodCandidate(key: string | symbol, options: CandidateOptions, own: Marked): CandidateSpec {
  const marked = marksOf(key);
  const invoke: Invoke = (attempt) => {
    const host = attempt.call.host as Methods;
    return callMethod(host[key]!, host, fillArguments(attempt, own, marked(host)), () => outerOf(attempt));
  };
  return { name: options.name ?? String(key), options, invoke };
}

function inlineCandidate(fn: Method, own: Marked, index: number): CandidateSpec | string {
  if (isClass(fn)) return MESSAGES.bareClass(fn.name);
  const invoke: Invoke = (attempt) => fn.apply(attempt.call.host, fillArguments(attempt, own, own));
  return { name: fn.name || `candidate${index}`, options: {}, invoke };
}

function namedCandidate({ run, ...options }: Named, own: Marked, index: number): CandidateSpec {
  const invoke: Invoke = (attempt) =>
    run.call(attempt.call.host, attempt.context, ...fillArguments(attempt, own, UNMARKED));
  return { name: options.name ?? `candidate${index}`, options, invoke };
}

function chainCandidate(chain: NestedChain, own: Marked): CandidateSpec {
  const invoke: Invoke = (attempt) => {
    const { signal, deadline } = outerOf(attempt);
    const inputs = { signal, deadline, scope: currentScope() };
    const { stream, engine } = attempt.call.plan;
    const args = fillArguments(attempt, own, UNMARKED);
    return stream === null ? chain.nested(args, inputs, engine) : chain.nestedStream(args, inputs, engine);
  };
  return { name: chain.name, options: {}, invoke };
}

function isClass(fn: Method): boolean {
  return Object.getOwnPropertyDescriptor(fn, 'prototype')?.writable === false;
}
