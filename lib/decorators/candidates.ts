/** From the forms in which a candidate can be written to the one that the engine calls. */
import { isSignal } from '../core/cancellation.js';
import type { CandidateSpec } from '../core/compile.js';
import { show } from '../core/option-rules.js';
import type { AttemptView, Invoke } from '../core/plan.js';
import type { CandidateOptions } from '../core/types.js';
import { MESSAGES } from '../fallback.messages.js';
import { isFrom } from './candidate-ref.js';
import type { CandidateRef, FallbackCandidate, From, Token } from './candidate-ref.js';
import { isThunk, slotOf } from './injection.js';
import { markedParameters } from './policy.js';
import type { Marked, Method, Policy } from './policy.js';

type Methods = Record<string | symbol, Method>;
type Named = { name: string; run: (ctx: unknown, ...args: unknown[]) => unknown } & CandidateOptions;

/** Candidate 0: the method's own body. @internal */
export function primaryOf({ target, key, original }: Policy, name = textOf(key)): CandidateSpec {
  const marked = markedParameters(target, key);
  return { name, options: {}, invoke: (attempt) => original.apply(attempt.call.host, fill(attempt, marked, marked)) };
}

/**
 * One further candidate, or a sentence that says why it is none.
 * @param instance an instance of the decorated class, if there is one already
 * @internal
 */
export function candidateOf(policy: Policy, ref: CandidateRef, instance?: object): CandidateSpec | string {
  const own = markedParameters(policy.target, policy.key);
  if (typeof ref === 'string' || typeof ref === 'symbol') return methodCandidate(ref, {}, own);
  if (typeof ref === 'function') return inlineCandidate(ref as Method, own);
  if (typeof ref !== 'object' || ref === null) return MESSAGES.notACandidate(show(ref));
  if (isFrom(ref)) return providerCandidate(policy, ref, own, instance);
  if ('method' in ref) {
    const { method, ...options } = ref;
    return methodCandidate(method, options, own);
  }
  if (typeof (ref as Named).run === 'function') return namedCandidate(ref as Named, own);
  return MESSAGES.notACandidate(show(ref));
}

function methodCandidate(key: string | symbol, options: CandidateOptions, own: Marked): CandidateSpec {
  const marked = marksOf(key);
  const invoke: Invoke = (attempt) => {
    const host = attempt.call.host as Methods;
    return host[key]!.apply(host, fill(attempt, own, marked(host)));
  };
  return { name: options.name ?? textOf(key), options, invoke };
}

function inlineCandidate(fn: Method, own: Marked): CandidateSpec | string {
  if (isClass(fn)) return MESSAGES.bareClass(fn.name);
  if (fn.name === '') return MESSAGES.anonymous;
  return { name: fn.name, options: {}, invoke: (attempt) => fn.apply(attempt.call.host, fill(attempt, own, own)) };
}

function namedCandidate({ run, ...options }: Named, own: Marked): CandidateSpec {
  const invoke: Invoke = (attempt) => run.call(attempt.call.host, attempt.context, ...fill(attempt, own, NONE));
  return { name: options.name, options, invoke };
}

function providerCandidate(policy: Policy, ref: From, own: Marked, instance: object | undefined): CandidateSpec {
  const { provider, method, ...options } = ref;
  const slot = slotOf(policy.target, provider);
  const providerIn = (host: unknown): Methods => (host as Record<symbol, Methods>)[slot]!;
  const owner = providerName(provider);
  if (method === undefined) {
    const of = providerIn as unknown as (host: unknown) => FallbackCandidate;
    return wholeProvider(options, owner, of, sampleOf(provider, instance && providerIn(instance)), own);
  }
  const marked = marksOf(method as string | symbol);
  const invoke: Invoke = (attempt) => {
    const target = providerIn(attempt.call.host);
    return target[method as string]!.apply(target, fill(attempt, own, marked(target)));
  };
  return { name: options.name ?? `${owner}.${textOf(method as string | symbol)}`, options, invoke };
}

/** The hooks that the provider has are the candidate's own; for those that it lacks the chain's hold. */
function wholeProvider(
  options: CandidateOptions,
  owner: string,
  of: (host: unknown) => FallbackCandidate,
  sample: Partial<FallbackCandidate>,
  own: Marked,
): CandidateSpec {
  const hooks: CandidateOptions = {
    ...(sample.supports && {
      supports: function supports(this: unknown, ...args) {
        return of(this).supports!(...args);
      },
    }),
    ...(sample.classify && {
      classify: function classify(this: unknown, error, ctx) {
        return of(this).classify!(error, ctx);
      },
    }),
    ...(sample.assess && {
      assess: function assess(this: unknown, value, ctx) {
        return of(this).assess!(value, ctx);
      },
    }),
  };
  const invoke: Invoke = (attempt) => of(attempt.call.host).run(attempt.context, ...fill(attempt, own, NONE));
  return { name: options.name ?? owner, options: { ...hooks, ...options }, invoke };
}

/** What shows which hooks a provider has: its instance, else its class; for a bare token nothing does. */
function sampleOf(provider: Token<unknown>, instance: unknown): Partial<FallbackCandidate> {
  if (typeof instance === 'object' && instance !== null) return instance;
  const type = isThunk(provider) ? provider() : provider;
  return typeof type === 'function' ? (type.prototype as Partial<FallbackCandidate>) : {};
}

const NONE: Marked = { context: -1, signal: -1 };

/**
 * The arguments of a call as one candidate gets them. A caller's signal is replaced by the attempt's, which follows
 * it; what the candidate marked is filled in. Without marks they are the call's own.
 */
function fill(attempt: AttemptView, host: Marked, own: Marked): unknown[] {
  const { args } = attempt.call;
  const hasSignal = host.signal >= 0 && isSignal(args[host.signal]);
  if (!hasSignal && own.signal < 0 && own.context < 0) return args as unknown[];
  const filled: unknown[] = [...args];
  if (hasSignal) filled[host.signal] = attempt.signal;
  if (own.signal >= 0) filled[own.signal] = attempt.signal;
  if (own.context >= 0) filled[own.context] = attempt.context;
  return filled;
}

/** Looks up a method's marks once per prototype: instances of one class come one after another. */
function marksOf(key: string | symbol): (target: object) => Marked {
  let seen: object | null = null;
  let marked = NONE;
  return (target) => {
    const prototype = Object.getPrototypeOf(target) as object | null;
    if (prototype !== seen) {
      seen = prototype;
      marked = prototype === null ? NONE : markedParameters(prototype, key);
    }
    return marked;
  };
}

function isClass(fn: Method): boolean {
  return Object.getOwnPropertyDescriptor(fn, 'prototype')?.writable === false;
}

/** @internal */
export function providerName(token: Token<unknown>): string {
  if (isThunk(token)) return providerName(token());
  return typeof token === 'function' ? token.name : textOf(token);
}

function textOf(key: string | symbol): string {
  return String(key);
}
