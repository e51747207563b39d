/** Which kind of stream a method gives, if it gives one: what it is declared to give, never what it happens to return. */
import 'reflect-metadata';
import type { ConfigurationFault } from './core/errors.js';
import type { ChainOptions } from './core/option-types.js';
import { nameOf } from './decorators/policy.js';
import type { Policy } from './decorators/policy.js';
import { MESSAGES } from './fallback.messages.js';
import { isRoute, isSseHandler, sendsAsyncIterables } from './fallback.routes.js';
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

/** What only streams have. */
const OF_STREAMS = ['commitWhen', 'errorIn', 'idleTimeout', 'streamDeadline'] as const;

/** What is wrong with a method of that kind: one that promises has no use for what is said of streams. @internal */
export function faultsOfKind(policy: Policy, prototype: object, kind: StreamKind | null): ConfigurationFault[] {
  const where = nameOf(policy.target, policy.key);
  if (kind !== null) {
    const isUnsent = kind === 'async-iterable' && !sendsAsyncIterables && isRoute(policy, prototype);
    return isUnsent ? [{ where, message: MESSAGES.generatorOnRoute }] : [];
  }
  if (functionKind(policy) === 'GeneratorFunction') return [{ where, message: MESSAGES.generator }];
  const { options = {} } = policy.ladders[0] ?? {};
  const given: string[] = OF_STREAMS.filter((option) => options?.[option] !== undefined);
  if (policy.degraded[0]?.lastKnownGood?.collect !== undefined) given.push('lastKnownGood.collect');
  return given.map((option) => ({ where, option, message: MESSAGES.onlyStreams }));
}

/** What kind of function a method is by its own word: `AsyncFunction`, `AsyncGeneratorFunction`, … */
function functionKind({ original }: Policy): string {
  return (original as { [Symbol.toStringTag]?: string })[Symbol.toStringTag] ?? '';
}

/** Of whichever copy of RxJS. */
function isObservableClass(type: unknown): boolean {
  if (typeof type !== 'function') return false;
  const { subscribe, pipe } = (type.prototype ?? {}) as { subscribe?: unknown; pipe?: unknown };
  return typeof subscribe === 'function' && typeof pipe === 'function';
}
