import type { Receipt, Served } from '../core/types.js';
import type { DegradedOptions } from '../substitutes/degraded-options.js';
import type { AnyMethod, CarriesMark } from './candidate-types.js';
import { policyFor } from './wrap-method.js';

type Descriptor<F extends AnyMethod, Check> = TypedPropertyDescriptor<F> & Check;

/** @publicApi */
export type DegradedDecorator<Needs> = <F extends AnyMethod>(
  target: object,
  key: string | symbol,
  descriptor: Descriptor<F, Needs extends 'nothing' ? unknown : CarriesMark<F>>,
) => void;

type MarkFunction<T> = (value: T, receipt: Receipt) => T;

/**
 * What is served, marked, when nothing answered; alone or with `@FallbackChain` or `@Fallback`. The compiler refuses
 * it on a method whose answers cannot carry the mark.
 * @throws FallbackConfigurationError at start-up, naming class, method and option
 * @example @Degraded({ lastKnownGood: { maxAge: '15m' }, substitute: [], mark: 'served' })
 * @publicApi
 */
export function Degraded(options: DegradedOptions & { mark: 'receipt' }): DegradedDecorator<'nothing'>;
export function Degraded(options: DegradedOptions & { skip: true; mark?: 'receipt' }): DegradedDecorator<'nothing'>;
export function Degraded(
  options: DegradedOptions & { mark: 'served' },
): <F extends (...args: never[]) => PromiseLike<Served<unknown>>>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<F>,
) => void;
export function Degraded<T>(
  options: Omit<DegradedOptions<T>, 'mark'> & { mark: MarkFunction<T> },
): <F extends (...args: never[]) => PromiseLike<T>>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<F>,
) => void;
export function Degraded(options: DegradedOptions): DegradedDecorator<'mark'>;
export function Degraded(options: DegradedOptions) {
  return (target: object, key: string | symbol, descriptor: PropertyDescriptor): void => {
    policyFor('Degraded', target, key, descriptor).degraded.push(options);
  };
}
