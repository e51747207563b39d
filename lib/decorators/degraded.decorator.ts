import type { Receipt, Served } from '../core/types.js';
import type { DegradedOptions } from '../substitutes/degraded-options.js';
import type { AnyMethod, Given, OnlyProtected } from './candidate-types.js';
import { requestProvider, storeToken } from './injection.js';
import { policyFor } from './wrap-method.js';

type Mark = NonNullable<DegradedOptions['mark']>;

/** A method decorator that the compiler accepts only where the answers can carry the mark. @publicApi */
export type DegradedDecorator<M, Skip> = <Host extends object, F extends AnyMethod>(
  target: Host,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<F> & OnlyProtected<Host, F, Carries<M, Skip, Given<F>>>,
) => void;

/** `unknown` if answers can carry the mark, else what to do. Marks that the types do not tell are left to start-up. */
type Carries<M, Skip, Answer> = 'receipt' extends M
  ? unknown
  : M extends 'served'
    ? [Answer] extends [Served<unknown>]
      ? unknown
      : ["mark: 'served' needs a method that returns Promise<Served<T>>; this one gives", Answer]
    : M extends AnyMethod
      ? M extends (value: Answer, receipt: Receipt) => Answer
        ? unknown
        : ['the mark function must take and give what the method gives:', Answer]
      : true extends Skip
        ? unknown
        : true extends Flag<Answer>
          ? unknown
          : [
              "a degraded answer must be told from a full one: return Served<T> with mark: 'served', add degraded?: boolean, give a mark function, or mark: 'receipt'; this method gives",
              Answer,
            ];

/** The property that `mark: 'property'` sets. */
type Flag<Answer> = 'degraded' extends keyof Answer ? Answer['degraded'] : never;

/**
 * What is served, marked, when nothing answered; alone or with `@FallbackChain` or `@Fallback`. The compiler refuses
 * it on a method whose answers, or a stream's elements, cannot carry the mark.
 * @throws FallbackConfigurationError at start-up, naming class, method and option
 * @example @Degraded({ lastKnownGood: { maxAge: '15m' }, substitute: [], mark: 'served' })
 * @publicApi
 */
export function Degraded<const M extends Mark = 'property', const Skip extends boolean = false>(
  options: DegradedOptions & { mark?: M; skip?: Skip },
): DegradedDecorator<M, Skip>;
export function Degraded<T>(options: DegradedOptions<T>): DegradedDecorator<Mark, boolean>;
export function Degraded(options: DegradedOptions) {
  return (target: object, key: string | symbol, descriptor: PropertyDescriptor): void => {
    policyFor('Degraded', target, key, descriptor).degraded.push(options);
    const token = storeToken(options);
    if (token !== undefined) requestProvider(target, token);
  };
}
