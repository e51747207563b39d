import { Catch } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { throwError } from 'rxjs';
import type { Observable } from 'rxjs';
import { ClientDisconnectedError, FallbackExhaustedError } from '../core/errors.js';

const SERVICE_UNAVAILABLE = 503;

/**
 * An exhausted call is an honest 503 that says when to come back. What the candidates said stays inside.
 * @internal
 */
@Catch(FallbackExhaustedError, ClientDisconnectedError)
export class FallbackExceptionFilter implements ExceptionFilter {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  catch(error: FallbackExhaustedError | ClientDisconnectedError, host: ArgumentsHost): Observable<never> | void {
    if (host.getType() !== 'http') return throwError(() => error);
    const { httpAdapter } = this.adapterHost;
    const response = host.switchToHttp().getResponse<{ raw?: { headersSent: boolean } }>();
    // Fastify does not know of a head that a handler wrote to the raw response itself.
    if (
      httpAdapter.isHeadersSent(response) ||
      response.raw?.headersSent === true ||
      error instanceof ClientDisconnectedError
    ) {
      httpAdapter.end(response);
      return;
    }
    const { code, retryAfter } = error;
    if (retryAfter !== undefined) {
      httpAdapter.setHeader(response, 'Retry-After', String(Math.ceil(retryAfter / 1_000)));
    }
    const body = { statusCode: SERVICE_UNAVAILABLE, message: 'Service Unavailable', error: code };
    httpAdapter.reply(response, body, SERVICE_UNAVAILABLE);
  }
}
