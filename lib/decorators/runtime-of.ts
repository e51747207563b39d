import type { CallInputs } from '../core/call.js';
import type { AttemptView } from '../core/plan.js';
import { shared } from '../core/shared.js';
import { RUNTIME } from '../fallback.constants.js';
import type { Method, Policy } from './policy.js';

/** What a decorated method asks of its application's runtime. @internal */
export interface Runtime {
  /** recognised by this, not by class: a mocking tool may inject anything, and there may be two copies of the package */
  readonly isFallbackRuntime: true;
  call(policy: Policy, host: object, args: readonly unknown[], inputs?: CallInputs): unknown;
}

/** The runtime of an instance; null if it has none, or only something that a mocking tool made up. @internal */
export function runtimeOf(host: unknown): Runtime | null {
  const runtime = (host as Record<symbol, Runtime | undefined> | undefined)?.[RUNTIME];
  return runtime?.isFallbackRuntime === true ? runtime : null;
}

const wrappers = shared('wrappers', () => new WeakMap<object, Policy>());

/** Remembers that a method is a wrapper, so that one chain can be told that it runs inside another. @internal */
export function setWrapper(wrapper: Method, policy: Policy): void {
  wrappers.set(wrapper, policy);
}

/** The policy of a decorated method; `undefined` for anything else. @internal */
export function policyOf(method: unknown): Policy | undefined {
  return typeof method === 'function' ? wrappers.get(method) : undefined;
}

/**
 * Calls a method as a candidate. If it is a decorated one, its chain gets the attempt's signal and what is left of the
 * outer deadline.
 * @internal
 */
export function callMethod(method: Method, host: object, args: unknown[], outer: () => CallInputs): unknown {
  const policy = policyOf(method);
  const runtime = policy === undefined ? null : runtimeOf(host);
  return runtime === null ? method.apply(host, args) : runtime.call(policy!, host, args, outer());
}

/** What an inner chain gets from the attempt that it is. @internal */
export function outerOf({ signal, call }: AttemptView): CallInputs {
  return { signal, deadline: call.deadline.remaining() };
}
