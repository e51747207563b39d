/** Gateways know no filter of the whole application, so each is given ours. */
import { Catch } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import { FallbackExhaustedError, ShuttingDownError } from '../core/errors.js';
import { unavailable } from './unavailable.js';
import type { NobodyAnswered } from './unavailable.js';

/** What the decorators of Nest write, in every major. */
const IS_GATEWAY = 'websockets:is_gateway';
const FILTERS = '__exceptionFilters__';

interface Client {
  readonly readyState?: unknown;
  send?(data: string): void;
  emit?(event: string, payload: unknown): void;
}

@Catch(FallbackExhaustedError, ShuttingDownError)
class GatewayExceptionFilter implements ExceptionFilter {
  catch(error: NobodyAnswered, host: ArgumentsHost): void {
    const client = host.switchToWs().getClient<Client | undefined>();
    const data = unavailable(error);
    // The sockets of `ws` have an `emit` too, which tells nobody but themselves.
    if (typeof client?.readyState === 'number') client.send?.(JSON.stringify({ event: 'exception', data }));
    else client?.emit?.('exception', data);
  }
}

/**
 * For the time before Nest connects the gateways. Filters of the gateway itself and of its handlers come before ours.
 * @internal
 */
export function guardGateways(modules: ModulesContainer): void {
  const providers = [...modules.values()].flatMap((module) => [...module.providers.values()]);
  for (const { metatype } of providers) {
    if (typeof metatype !== 'function' || Reflect.getMetadata(IS_GATEWAY, metatype) !== true) continue;
    const filters = (Reflect.getMetadata(FILTERS, metatype) ?? []) as readonly unknown[];
    if (filters.some((filter) => filter instanceof GatewayExceptionFilter)) continue;
    Reflect.defineMetadata(FILTERS, [new GatewayExceptionFilter(), ...filters], metatype);
  }
}
