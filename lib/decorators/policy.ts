/**
 * What the decorators wrote down about a method: one policy, whatever their number and order, found through the
 * prototype that declares the method. Decorators decide nothing; the policy is compiled at start-up.
 */
import { MARKED, POLICIES } from '../fallback.constants.js';
import type { ChainOptions } from '../core/option-types.js';
import type { DegradedOptions } from '../substitutes/degraded-options.js';
import type { CandidateRef } from './candidate-ref.js';

/** @internal */
export type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Places of the parameters that the chain fills; -1 for none. @internal */
export interface Marked {
  context: number;
  signal: number;
}

/** @internal */
export interface Policy {
  /** the prototype that declares the method */
  readonly target: object;
  readonly key: string | symbol;
  /** the method as it was written */
  readonly original: Method;
  /** every ladder declared on it: more than one is a fault */
  readonly ladders: { readonly candidates: readonly CandidateRef[]; readonly options: ChainOptions }[];
  readonly degraded: DegradedOptions[];
}

/** A method without marked parameters. @internal */
export const UNMARKED: Marked = { context: -1, signal: -1 };

function ownMap<V>(target: object, key: symbol): Map<string | symbol, V> {
  if (!Object.hasOwn(target, key)) Object.defineProperty(target, key, { value: new Map() });
  return (target as Record<symbol, Map<string | symbol, V>>)[key]!;
}

/** The policies that `target` itself declares. @internal */
export function ownPolicies(target: object): Map<string | symbol, Policy> {
  return ownMap(target, POLICIES);
}

/** The policies that hold for instances of a class: its own, and inherited ones that it does not override. @internal */
export function policiesOf(prototype: object): Policy[] {
  const found = new Map<string | symbol, Policy | undefined>();
  for (let level: object | null = prototype; level !== null && level !== Object.prototype; level = parentOf(level)) {
    const own = Object.hasOwn(level, POLICIES) ? ownPolicies(level) : undefined;
    for (const key of Reflect.ownKeys(level)) if (!found.has(key)) found.set(key, own?.get(key));
    // An overriding method may still call the inherited one through `super`.
    for (const [key, policy] of own ?? []) if (found.get(key) !== policy) found.set(Symbol('overridden'), policy);
  }
  return [...found.values()].filter((policy) => policy !== undefined);
}

function parentOf(prototype: object): object | null {
  return Object.getPrototypeOf(prototype) as object | null;
}

/** Marks one parameter of a method. @internal */
export function markParameter(what: keyof Marked, target: object, key: string | symbol, place: number): void {
  const marks = ownMap<Marked>(target, MARKED);
  marks.set(key, { ...(marks.get(key) ?? UNMARKED), [what]: place });
}

/** The marked parameters of the method that an object of this prototype has under `key`. @internal */
export function markedParameters(prototype: object, key: string | symbol): Marked {
  for (let level: object | null = prototype; level !== null; level = parentOf(level)) {
    const marks = Object.hasOwn(level, MARKED) ? ownMap<Marked>(level, MARKED).get(key) : undefined;
    if (marks !== undefined) return marks;
    if (Object.hasOwn(level, key)) return UNMARKED;
  }
  return UNMARKED;
}

/** `Class.method`, or `Class[Symbol(description)]`. @internal */
export function nameOf(target: object, key: string | symbol): string {
  const { name } = target.constructor;
  return typeof key === 'symbol' ? `${name}[${String(key)}]` : `${name}.${key}`;
}
