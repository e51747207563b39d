/**
 * What the compiler checks: a candidate takes the method's parameters and gives its awaited result. Where it does not,
 * the descriptor's type becomes a tuple of words that says what differs.
 */
import type { AttemptContext, Served } from '../core/types.js';
import type { From } from './candidate-ref.js';

/** Any method at all. @internal */
export type AnyMethod = (...args: any[]) => any;

type IsAny<T> = 0 extends 1 & T ? true : false;

/** What a method's answer may be, for a candidate: the value, also without its envelope, now or later. */
type Answer<F extends AnyMethod> = Bare<Awaited<ReturnType<F>>>;
type Bare<T> = T extends Served<infer V> ? T | V : T;

type IsMarked<P> = IsAny<P> extends true ? false : [P] extends [AbortSignal | AttemptContext] ? true : false;

/** Parameters without those that the chain fills. */
type Compared<P extends readonly unknown[]> = number extends P['length']
  ? P
  : P extends readonly []
    ? []
    : P extends readonly [infer Head, ...infer Tail]
      ? IsMarked<Head> extends true
        ? Compared<Tail>
        : [Head, ...Compared<Tail>]
      : P extends readonly [(infer Head)?, ...infer Tail]
        ? IsMarked<Exclude<Head, undefined>> extends true
          ? Compared<Tail>
          : [Head?, ...Compared<Tail>]
        : P;

type TakesParameters<P extends readonly unknown[], F extends AnyMethod> = ((...args: Compared<P>) => void) extends (
  ...args: Compared<Parameters<F>>
) => void
  ? true
  : false;

type GivesAnswer<R, F extends AnyMethod> =
  IsAny<R> extends true ? true : [Awaited<R>] extends [Answer<F>] ? true : false;

type Differs<Name, P extends readonly unknown[], R, F extends AnyMethod> =
  TakesParameters<P, F> extends true
    ? GivesAnswer<R, F> extends true
      ? never
      : ['candidate', Name, 'does not give what the method gives:', Awaited<R>, 'instead of', Awaited<ReturnType<F>>]
    : ['candidate', Name, 'does not take the parameters of the method:', Parameters<F>];

type MethodDiffers<Owner, Key, F extends AnyMethod, Whose extends string> =
  IsAny<Owner> extends true
    ? never
    : Key extends keyof Owner
      ? IsAny<Owner[Key]> extends true
        ? never
        : Owner[Key] extends AnyMethod
          ? Differs<Key, Parameters<Owner[Key]>, ReturnType<Owner[Key]>, F>
          : ['candidate', Key, 'is not a method of', Whose]
      : ['candidate', Key, 'is not a public method of', Whose];

type RunDiffers<Name, Run, F extends AnyMethod> =
  IsAny<Run> extends true
    ? never
    : Run extends (ctx: AttemptContext, ...args: infer A) => infer R
      ? Differs<Name, A, R, F>
      : ['candidate', Name, 'needs run(ctx, ...args)'];

/** `never` if a candidate fits the method, else what differs. */
type Misfit<Host, F extends AnyMethod, Ref> =
  IsAny<Ref> extends true
    ? never
    : Ref extends string | symbol
      ? MethodDiffers<Host, Ref, F, 'this class'>
      : Ref extends { readonly provider: unknown }
        ? Ref extends From<infer P, infer K>
          ? K extends PropertyKey
            ? MethodDiffers<P, K, F, 'the provider'>
            : P extends { run: infer Run }
              ? RunDiffers<'from(Provider)', Run, F>
              : ['candidate', 'from(Provider)', 'needs a provider with run(ctx, ...args)']
          : ['candidate', 'from(Provider)', 'is not what from() gives']
        : Ref extends { method: infer K }
          ? MethodDiffers<Host, K, F, 'this class'>
          : Ref extends { name: infer Name; run: infer Run }
            ? RunDiffers<Name, Run, F>
            : Ref extends abstract new (...args: never) => unknown
              ? ['candidate', 'is a class: write from(Class, method)']
              : Ref extends AnyMethod
                ? Differs<'(function)', Parameters<Ref>, ReturnType<Ref>, F>
                : ['candidate', 'is of no known form'];

/** All that is wrong with a ladder on a method; `unknown` if nothing is. @internal */
export type Fits<Host, F extends AnyMethod, Refs extends readonly unknown[]> =
  ReturnType<F> extends PromiseLike<unknown>
    ? [Misfit<Host, F, Refs[number]>] extends [never]
      ? unknown
      : Misfit<Host, F, Refs[number]>
    : ['only methods that return promises can have fallbacks; this one returns', ReturnType<F>];

/** Whether a method's answers can carry the mark of `@Degraded`; `unknown` if so, else what to do. @internal */
export type CarriesMark<F extends AnyMethod> =
  IsAny<Awaited<ReturnType<F>>> extends true
    ? unknown
    : Awaited<ReturnType<F>> extends Served<unknown> | { degraded?: boolean }
      ? 'degraded' extends keyof Awaited<ReturnType<F>>
        ? unknown
        : Unmarked<F>
      : Unmarked<F>;

type Unmarked<F extends AnyMethod> = [
  "a degraded answer must be told from a full one: return Served<T> with mark: 'served', add degraded?: boolean, give a mark function, or mark: 'receipt'; this method returns",
  Awaited<ReturnType<F>>,
];
