/** What the decorators of Nest's packages say of a method. Their metadata keys are the same in every major. */
import * as nest from '@nestjs/common';
import { RequestMethod } from '@nestjs/common';
import type { Policy } from './decorators/policy.js';
import { propertyIn } from './decorators/property-in.js';

/** `@All` answers them too. */
const WRITING: readonly unknown[] = [
  RequestMethod.POST,
  RequestMethod.PUT,
  RequestMethod.PATCH,
  RequestMethod.DELETE,
  RequestMethod.ALL,
];

const HANDLES = [
  'microservices:pattern',
  'websockets:message_mapping',
  'graphql:resolver_type',
  'graphql:resolve_property',
];

/** The verb of a route that writes; `undefined` for any other method. @internal */
export function writingVerb(policy: Policy, prototype: object): string | undefined {
  const verb = methodsOf(policy, prototype).map((method) => Reflect.getMetadata('method', method) as unknown);
  const writing = verb.find((one) => WRITING.includes(one));
  return writing === undefined ? undefined : RequestMethod[writing as RequestMethod];
}

/** Whether messages or queries of clients end in the method. @internal */
export function isHandler(policy: Policy, prototype: object): boolean {
  return methodsOf(policy, prototype).some((method) => HANDLES.some((key) => Reflect.hasMetadata(key, method)));
}

/** Whether the method is a route, of whatever verb. @internal */
export function isRoute(policy: Policy, prototype: object): boolean {
  return methodsOf(policy, prototype).some((method) => Reflect.hasMetadata('method', method));
}

/**
 * Whether this Nest sends what an async iterable gives; before 12 it sends `{}`. Known by what else came with that major,
 * since packages may not be asked for their version.
 * @internal
 */
export const sendsAsyncIterables = 'StandardSchemaValidationPipe' in nest;

const RESPONSE_OR_NEXT = /^[12]:/;

/** Whether Nest leaves the response to a route: it takes `@Res()` or `@Next()` without `passthrough`. @internal */
export function answersItself(controller: object, key: string | symbol): boolean {
  if (Reflect.getMetadata('__responsePassthrough__', controller, key) === true) return false;
  const parameters = (Reflect.getMetadata('__routeArguments__', controller, key) ?? {}) as object;
  return Object.keys(parameters).some((parameter) => RESPONSE_OR_NEXT.test(parameter));
}

/** Whether the method is a route of server-sent events. @internal */
export function isSseHandler(policy: Policy, prototype: object): boolean {
  return methodsOf(policy, prototype).some((method) => Reflect.hasMetadata('__sse__', method));
}

/** The decorated method, and the one that a subclass has in its place. */
function methodsOf({ target, key }: Policy, prototype: object): object[] {
  return [target, prototype]
    .map((owner) => propertyIn(owner, key)?.value as unknown)
    .filter((method): method is object => typeof method === 'function');
}
