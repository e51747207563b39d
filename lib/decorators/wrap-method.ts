/** The one place where a method is replaced. */
import 'reflect-metadata';
import { FallbackConfigurationError } from '../core/errors.js';
import { MODULE_REF, RUNTIME } from '../fallback.constants.js';
import { MESSAGES } from '../fallback.messages.js';
import { refusedFace } from '../streaming/faces.js';
import { streamKindOf } from '../fallback.stream-kind.js';
import { requestRuntime } from './injection.js';
import { nameOf, ownPolicies } from './policy.js';
import type { Method, Policy } from './policy.js';
import { runtimeOf, setWrapper } from './runtime-of.js';

/**
 * The policy of a method, made by the first decorator that asks. From then on the method is a thin wrapper with the
 * metadata, name, length and properties of the original, whatever decorators stand above, below or between.
 * @internal
 */
export function policyFor(
  decorator: string,
  target: object,
  key: string | symbol,
  descriptor: PropertyDescriptor | undefined,
): Policy {
  if (typeof target === 'function') throw refusal(`${target.name}.${String(key)}`, MESSAGES.notStatic(decorator));
  const original: unknown = descriptor?.value;
  if (typeof original !== 'function') throw refusal(nameOf(target, key), MESSAGES.notAMethod(decorator));
  const known = ownPolicies(target).get(key);
  if (known !== undefined) return known;
  const policy: Policy = { target, key, original: original as Method, ladders: [], degraded: [] };
  ownPolicies(target).set(key, policy);
  requestRuntime(target);
  const wrapper = disguise(wrapperOf(policy), policy.original);
  setWrapper(wrapper, policy);
  descriptor!.value = wrapper;
  // At once, so that a decorator above that reads the prototype and not the descriptor finds the wrapper too.
  Object.defineProperty(target, key, descriptor!);
  return policy;
}

function wrapperOf(policy: Policy): Method {
  return function (this: unknown, ...args) {
    const runtime = runtimeOf(this);
    if (runtime !== null) return runtime.call(policy, this as object, args);
    if (isBuiltByNest(this)) {
      const kind = streamKindOf(policy, Object.getPrototypeOf(this) as object, policy.ladders[0]?.options ?? {});
      return refusedFace(kind, refusal(nameOf(policy.target, policy.key), MESSAGES.moduleMissing));
    }
    return policy.original.apply(this, args);
  };
}

function isBuiltByNest(host: unknown): boolean {
  const has = (key: symbol): boolean => (host as Record<symbol, unknown> | undefined)?.[key] !== undefined;
  return has(MODULE_REF) && !has(RUNTIME);
}

function disguise(wrapper: Method, original: Method): Method {
  for (const key of Reflect.ownKeys(original)) {
    if (key !== 'prototype') Object.defineProperty(wrapper, key, Object.getOwnPropertyDescriptor(original, key)!);
  }
  for (const key of Reflect.getOwnMetadataKeys(original) as unknown[]) {
    Reflect.defineMetadata(key, Reflect.getOwnMetadata(key, original), wrapper);
  }
  return wrapper;
}

function refusal(where: string, message: string): FallbackConfigurationError {
  return new FallbackConfigurationError([{ where, message }]);
}
