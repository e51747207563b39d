import { Catch } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { throwError } from 'rxjs';
import type { Observable } from 'rxjs';
import { ClientDisconnectedError, FallbackExhaustedError, ShuttingDownError } from '../core/errors.js';
import {
  SERVICE_UNAVAILABLE,
  UNAVAILABLE_MESSAGE,
  retryAfterOf,
  unavailable,
  unavailableInGraphql,
} from '../transports/unavailable.js';
import type { NobodyAnswered } from '../transports/unavailable.js';

/**
 * An exhausted call is an honest 503 that says when to come back, one that came too late for the application another.
 * What the candidates said stays inside.
 * @internal
 */
@Catch(FallbackExhaustedError, ShuttingDownError, ClientDisconnectedError)
export class FallbackExceptionFilter implements ExceptionFilter {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  catch(error: NobodyAnswered, host: ArgumentsHost): Observable<never> | void {
    const type = host.getType<string>();
    if (type === 'rpc') return throwError(() => unavailable(error));
    if (type === 'graphql') throw forGraphql(error);
    this.answerHttp(error, type, host);
  }

  private answerHttp(error: NobodyAnswered, type: string, host: ArgumentsHost): void {
    const httpAdapter = this.adapterHost.httpAdapter as AbstractHttpAdapter | null | undefined;
    // Queue workers and whatever else calls through Nest: the error is theirs to handle.
    const response = host.switchToHttp().getResponse<{ raw?: { headersSent: boolean } } | undefined>();
    if (type !== 'http' || httpAdapter == null || response === undefined) throw error;
    // Fastify does not know of a head that a handler wrote to the raw response itself.
    if (
      httpAdapter.isHeadersSent(response) ||
      response.raw?.headersSent === true ||
      error instanceof ClientDisconnectedError
    ) {
      httpAdapter.end(response);
      return;
    }
    const retryAfter = retryAfterOf(error);
    if (retryAfter !== undefined) httpAdapter.setHeader(response, 'Retry-After', String(retryAfter));
    const body = { statusCode: SERVICE_UNAVAILABLE, message: UNAVAILABLE_MESSAGE, error: error.code };
    httpAdapter.reply(response, body, SERVICE_UNAVAILABLE);
  }
}

/** The same error, with a message for clients: whoever formats or logs it still knows it and what the candidates threw. */
function forGraphql(error: NobodyAnswered): NobodyAnswered {
  if (error instanceof ClientDisconnectedError) return error; // nobody hears of it
  return Object.assign(copyOf(error), unavailableInGraphql(error));
}

function copyOf(error: FallbackExhaustedError | ShuttingDownError): FallbackExhaustedError | ShuttingDownError {
  if (!(error instanceof FallbackExhaustedError)) return new ShuttingDownError();
  const { chain, attempts, retryAfter, lastStatus } = error;
  return new FallbackExhaustedError({ chain, attempts, failures: error.failures(), said: '', retryAfter, lastStatus });
}
