/**
 * What the compiler checks: a candidate takes the method's parameters and gives its awaited result, and the method's
 * answers can carry the mark. Where that does not hold, the descriptor's type becomes a list of words that says why.
 */
import type { Observable } from 'rxjs';
import type { StreamSource } from '../core/option-types.js';
import type { AttemptContext, Served } from '../core/types.js';
import type { CandidateRef, From } from './candidate-ref.js';

/** Any method at all. @internal */
export type AnyMethod = (...args: any[]) => any;

/** Any class at all, also an abstract one. @internal */
export type AnyClass = abstract new (...args: never) => unknown;

type IsAny<T> = 0 extends 1 & T ? true : false;

/** What a method with fallbacks may return. */
type Protected = PromiseLike<unknown> | Observable<unknown> | AsyncIterable<unknown>;

/** `Passed` for a method of instances that returns a promise or a stream, else what is wrong with it. @internal */
export type OnlyProtected<Host, F extends AnyMethod, Passed> = Host extends { readonly prototype: unknown }
  ? ['static methods cannot have fallbacks']
  : ReturnType<F> extends Protected
    ? Passed
    : [
        'only methods that return promises, Observables or async iterables can have fallbacks; this one returns',
        ReturnType<F>,
      ];

/** The value of a method that returns a promise; an element of one that returns a stream, or promises an Observable. @internal */
export type Given<F extends AnyMethod> =
  ReturnType<F> extends PromiseLike<infer V> ? (V extends Observable<infer E> ? E : V) : ElementOf<ReturnType<F>>;
type ElementOf<R> = R extends Observable<infer E> ? E : R extends AsyncIterable<infer E> ? E : never;

/** All that is wrong with a ladder on a method; `unknown` if nothing is. @internal */
export type Fits<Host, F extends AnyMethod, Refs extends readonly unknown[]> = OnlyProtected<
  Host,
  F,
  [Misfit<Host, F, Refs[number]>] extends [never] ? unknown : Misfit<Host, F, Refs[number]>
>;

/** `never` if a candidate fits the method, else what differs. What the types do not tell is left to start-up. */
type Misfit<Host, F extends AnyMethod, Ref> = [CandidateRef] extends [Ref]
  ? never
  : Ref extends string | symbol
    ? MethodMisfit<Host, Ref, F, 'this class'>
    : Ref extends AnyClass
      ? ['candidate', Ref, 'is a class: write from(Class, method), or from(Class) if it has run(ctx, ...args)']
      : Ref extends { readonly provider: unknown }
        ? ProviderMisfit<ProviderOf<Ref>, MethodOf<Ref>, F>
        : Ref extends { readonly method: infer K }
          ? MethodMisfit<Host, K, F, 'this class'>
          : Ref extends { readonly name: infer Name; run(...args: never): PromiseLike<infer R>; health(): unknown }
            ? Differs<Name, () => NestedChain<R, ReturnType<F>>, F>
            : Ref extends { readonly name: infer Name; readonly run: infer Run }
              ? Differs<Name, Run, F, [AttemptContext]>
              : Differs<'(function)', Ref, F>;

type ProviderOf<Ref> = Ref extends From<infer P> ? P : never;
type MethodOf<Ref> = Ref extends { readonly method?: infer K } ? K : never;

type ProviderMisfit<P, K, F extends AnyMethod> =
  IsAny<P> extends true
    ? never
    : [K] extends [undefined]
      ? RunMisfit<P, F>
      : K extends PropertyKey
        ? MethodMisfit<P, K, F, 'the provider'>
        : RunMisfit<P, F>;

type RunMisfit<P, F extends AnyMethod> = P extends { run: infer Run }
  ? Differs<'from(Provider)', Run, F, [AttemptContext]>
  : ['candidate', P, 'has no run(ctx, ...args): write from(Class, method)'];

type MethodMisfit<Owner, Key, F extends AnyMethod, Whose> =
  IsAny<Owner> extends true
    ? never
    : Key extends keyof Owner
      ? Owner[Key] extends AnyMethod
        ? Differs<Key, Owner[Key], F>
        : ['candidate', Key, 'is not a method of', Whose]
      : string extends Key
        ? never
        : symbol extends Key
          ? never
          : ['candidate', Key, 'is not a public method of', Whose];

/** What a candidate may give: what the method gives, also without its envelope. Not `Awaited`: T stays T. */
type Gives<R> =
  R extends PromiseLike<infer V>
    ? Settles<Plain<V>> | (V extends Observable<infer E> ? Streams<Plain<E>> : never)
    : R extends Observable<infer E>
      ? Streams<Plain<E>> | PromiseLike<Plain<E>>
      : Streams<Plain<ElementOf<R>>>;
type Plain<V> = V | (V extends Served<infer T> ? T : never);
type Settles<T> = T | PromiseLike<T> | Observable<T>;
type Streams<T> = StreamSource<T> | PromiseLike<StreamSource<T>>;
/** What a chain of functions gives inside this method. */
type NestedChain<T, R> = R extends PromiseLike<unknown> ? Promise<T> : AsyncIterable<T>;

/** Compares a candidate with the method; `Before` are the parameters that only the candidate has, in front. */
type Differs<Name, Candidate, F extends AnyMethod, Before extends unknown[] = []> =
  IsAny<Candidate> extends true
    ? never
    : Candidate extends (...args: [...Before, ...Parameters<F>]) => Gives<ReturnType<F>>
      ? never
      : Candidate extends (...args: [...Before, ...infer P]) => infer R
        ? Takes<P, Parameters<F>> extends true
          ? (() => R) extends () => Gives<ReturnType<F>>
            ? never
            : ['candidate', Name, 'gives', Awaited<R>, 'where the method gives', Awaited<ReturnType<F>>]
          : ['candidate', Name, 'does not take the parameters of the method', Parameters<F>]
        : ['candidate', Name, 'does not take', [...Before, ...Parameters<F>]];

type Takes<P extends unknown[], Q extends unknown[]> = ((...args: Compared<P>) => void) extends (
  ...args: Compared<Q>
) => void
  ? true
  : false;

/** Parameters, with `any` in the places that the chain fills. A required one that it fills need not be given. */
type Compared<P extends unknown[]> = P extends [infer Head, ...infer Tail]
  ? [...(IsFilled<Head> extends true ? [any?] : [Head]), ...Compared<Tail>]
  : { [Place in keyof P]: IsFilled<P[Place]> extends true ? any : P[Place] };

type IsFilled<T> =
  IsAny<T> extends true ? false : [NonNullable<T>] extends [AbortSignal | AttemptContext] ? true : false;
