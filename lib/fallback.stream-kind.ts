/** Which kind of stream a method gives, if it gives one: what it is declared to give, never what it happens to return. */
import 'reflect-metadata';
import type { ChainOptions } from './core/option-types.js';
import type { Policy } from './decorators/policy.js';
import { isRoute, isSseHandler } from './fallback.routes.js';
import type { StreamKind } from './streaming/faces.js';

/**
 * The kind of stream that a method gives; null for promises.
 * @param prototype of the instance: its class may have put another method in the place
 * @internal
 */
export function streamKindOf(policy: Policy, prototype: object, { stream }: ChainOptions): StreamKind | null {
  if (isSseHandler(policy, prototype)) return 'events';
  const kind = stream ?? declaredKind(policy);
  return kind === 'observable' && isRoute(policy, prototype) ? 'body' : kind;
}

function declaredKind(policy: Policy): StreamKind | null {
  if (functionKind(policy) === 'AsyncGeneratorFunction') return 'async-iterable';
  const emitted: unknown = Reflect.getMetadata('design:returntype', policy.target, policy.key);
  return isObservableClass(emitted) ? 'observable' : null;
}

/** What kind of function a method is by its own word: `AsyncFunction`, `AsyncGeneratorFunction`, … @internal */
export function functionKind({ original }: Policy): string {
  return (original as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] ?? '';
}

/** Of whichever copy of RxJS. */
function isObservableClass(type: unknown): boolean {
  if (typeof type !== 'function') return false;
  const { subscribe, pipe } = (type.prototype ?? {}) as { subscribe?: unknown; pipe?: unknown };
  return typeof subscribe === 'function' && typeof pipe === 'function';
}
