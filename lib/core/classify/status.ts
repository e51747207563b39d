/** Where clients keep the HTTP status. A 2xx on an error is no status: something else went wrong. */
import { call, hasMethod, isObject, read } from './read.js';

function asStatus(value: unknown): number | undefined {
  const status = typeof value === 'string' && /^[345]\d\d$/.test(value) ? Number(value) : value;
  return typeof status === 'number' && Number.isInteger(status) && status >= 300 && status <= 599 ? status : undefined;
}

/** By shape, so that an exception of a second copy of @nestjs/common is one too. @internal */
export function isNestException(node: object): boolean {
  return hasMethod(node, 'getStatus') && hasMethod(node, 'getResponse');
}

/** SendGrid's way: the status is the `code`. With metadata it would be gRPC's, and below 400 an exit code. */
function codeAsStatus(node: object): number | undefined {
  const code = read(node, 'code');
  if (typeof code !== 'number' || code < 400 || read(node, 'metadata') != null) return undefined;
  return asStatus(code);
}

/** @internal */
export function statusIn(node: object, nest: boolean = isNestException(node)): number | undefined {
  const own = (nest ? asStatus(call(node, 'getStatus')) : undefined) ?? asStatus(read(node, 'status'));
  return own ?? asStatus(read(node, 'statusCode')) ?? statusOfAnswer(node) ?? codeAsStatus(node);
}

function statusOfAnswer(node: object): number | undefined {
  const response = read(node, 'response');
  const status = isObject(response)
    ? (asStatus(read(response, 'status')) ?? asStatus(read(response, 'statusCode')))
    : undefined;
  if (status !== undefined) return status;
  return (
    asStatus(read(read(node, '$metadata'), 'httpStatusCode')) ?? asStatus(read(read(node, '$response'), 'statusCode'))
  );
}
