import { Catch } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { throwError } from 'rxjs';
import type { Observable } from 'rxjs';
import { ClientDisconnectedError, FallbackExhaustedError, ShuttingDownError } from '../core/errors.js';

const SERVICE_UNAVAILABLE = 503;

type Caught = FallbackExhaustedError | ShuttingDownError | ClientDisconnectedError;

/**
 * An exhausted call is an honest 503 that says when to come back, one that came too late for the application another.
 * What the candidates said stays inside.
 * @internal
 */
@Catch(FallbackExhaustedError, ShuttingDownError, ClientDisconnectedError)
export class FallbackExceptionFilter implements ExceptionFilter {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  catch(error: Caught, host: ArgumentsHost): Observable<never> | void {
    const type = host.getType<string>();
    if (type === 'rpc' || type === 'ws') return throwError(() => error);
    const httpAdapter = this.adapterHost.httpAdapter as AbstractHttpAdapter | null | undefined;
    // GraphQL, queue workers and whatever else calls through Nest: the error is theirs to handle.
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
    const { code, retryAfter } = error as Partial<FallbackExhaustedError>;
    if (retryAfter !== undefined) {
      httpAdapter.setHeader(response, 'Retry-After', String(Math.ceil(retryAfter / 1_000)));
    }
    const body = { statusCode: SERVICE_UNAVAILABLE, message: 'Service Unavailable', error: code };
    httpAdapter.reply(response, body, SERVICE_UNAVAILABLE);
  }
}
