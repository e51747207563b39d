import type { Abstract, Type } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { CandidateOptions, Chain } from '../core/option-types.js';
import type { AttemptContext, OutcomeKind, Verdict } from '../core/types.js';

/** How a provider is named: a class, an abstract class, a token, or a function that gives the class later. @publicApi */
export type Token<P> = Type<P> | Abstract<P> | string | symbol | (() => Type<P> | Abstract<P>);

/**
 * A provider that is a candidate as a whole; name it with `from(Provider)`.
 * @example class Osm implements FallbackCandidate<[string], Place> { run(ctx, query) { … } }
 * @publicApi
 */
export interface FallbackCandidate<A extends unknown[] = any[], T = any> {
  run(ctx: AttemptContext, ...args: A): T | PromiseLike<T> | Observable<T>;
  supports?(...args: A): boolean | PromiseLike<boolean>;
  classify?(
    error: unknown,
    ctx: AttemptContext,
  ): OutcomeKind | Verdict | undefined | PromiseLike<OutcomeKind | Verdict | undefined>;
  assess?(
    value: T,
    ctx: AttemptContext,
  ): OutcomeKind | Verdict | undefined | PromiseLike<OutcomeKind | Verdict | undefined>;
}

/** What `from()` gives. @publicApi */
export type From<P = any, K extends PropertyKey | undefined = PropertyKey | undefined> = CandidateOptions & {
  readonly provider: Token<P>;
  readonly method?: K;
};

type ProviderClass = Exclude<Token<any>, string | symbol>;

/** The instances of a class, or of the class that a function gives later. */
type Provided<C> = C extends () => infer Later ? InstanceOf<Later> : InstanceOf<C>;
type InstanceOf<C> = C extends abstract new (...args: any) => infer P
  ? P
  : C extends { readonly prototype: infer P }
    ? P
    : never;

/** One rung of a ladder, in any of its forms. @publicApi */
export type CandidateRef =
  | string
  | symbol
  | ((...args: any[]) => unknown)
  | ({ method: string | symbol } & CandidateOptions)
  | ({ name: string; run(ctx: AttemptContext, ...args: any[]): unknown } & CandidateOptions)
  | Chain<any>
  | From;

/**
 * A method of another provider, or a provider that implements `FallbackCandidate`, as a candidate. It is injected
 * where the decorated class lives, so the class's own module must provide or import it.
 * @example @FallbackChain([from(RegionalModel, 'picksFor', { timeout: '300ms' })])
 * @publicApi
 */
export function from(
  provider: string | symbol,
  method: string | symbol,
  options?: CandidateOptions,
): From<any, string | symbol>;
export function from(provider: string | symbol, options?: CandidateOptions): From<any, undefined>;
export function from<C extends ProviderClass>(
  provider: Provided<C> extends FallbackCandidate ? C : [Provided<C>, 'has no run(ctx, ...args): name a method too'],
  options?: CandidateOptions,
): From<Provided<C>, undefined>;
export function from<C extends ProviderClass, K extends keyof Provided<C>>(
  provider: C,
  method: K,
  options?: CandidateOptions,
): From<Provided<C>, K>;
export function from(provider: unknown, second?: PropertyKey | CandidateOptions, third?: CandidateOptions): From {
  const isMethod = typeof second === 'string' || typeof second === 'symbol';
  return {
    ...(isMethod ? third : (second as CandidateOptions | undefined)),
    provider: provider as Token<unknown>,
    ...(isMethod && { method: second }),
  };
}

/** Whether a candidate is a provider's. @internal */
export function isFrom(ref: CandidateRef): ref is From {
  return typeof ref === 'object' && ref !== null && 'provider' in ref;
}
