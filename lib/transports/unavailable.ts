/** What a client is told of a call that nobody answered, where there is no HTTP: no candidate, no cause, no stack. */
import type { ClientDisconnectedError, FallbackExhaustedError, ShuttingDownError } from '../core/errors.js';

/** What our filters catch. @internal */
export type NobodyAnswered = FallbackExhaustedError | ShuttingDownError | ClientDisconnectedError;

/** @internal */
export const SERVICE_UNAVAILABLE = 503;
/** @internal */
export const UNAVAILABLE_MESSAGE = 'Service Unavailable';

interface Reason {
  readonly statusCode: typeof SERVICE_UNAVAILABLE;
  readonly code: string;
  /** whole seconds until it may be worth to ask again */
  readonly retryAfter?: number;
}

/** Shaped like what Nest makes of its own RpcException and WsException. @internal */
export interface Unavailable extends Reason {
  readonly status: 'error';
  readonly message: typeof UNAVAILABLE_MESSAGE;
}

/** When the soonest circuit may be tried again, in whole seconds and never too early. @internal */
export function retryAfterOf(error: NobodyAnswered): number | undefined {
  const { retryAfter } = error as Partial<FallbackExhaustedError>;
  return retryAfter === undefined ? undefined : Math.ceil(retryAfter / 1_000);
}

/** The payload of an error message. @internal */
export function unavailable(error: NobodyAnswered): Unavailable {
  return { status: 'error', message: UNAVAILABLE_MESSAGE, ...reasonOf(error) };
}

/** What a GraphQL server makes an error of; it takes `extensions` over from whatever a resolver throws. @internal */
export interface UnavailableInGraphql {
  readonly message: typeof UNAVAILABLE_MESSAGE;
  /** outside production servers send it to the client */
  readonly stack: string;
  readonly extensions: Reason;
}

/** @internal */
export function unavailableInGraphql(error: NobodyAnswered): UnavailableInGraphql {
  return { message: UNAVAILABLE_MESSAGE, stack: `Error: ${UNAVAILABLE_MESSAGE}`, extensions: reasonOf(error) };
}

function reasonOf(error: NobodyAnswered): Reason {
  const retryAfter = retryAfterOf(error);
  return { statusCode: SERVICE_UNAVAILABLE, code: error.code, ...(retryAfter !== undefined && { retryAfter }) };
}
