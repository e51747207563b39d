/** What a GraphQL server sends: `extensions.degraded`, and nothing of candidates where nobody answered. */
import { Injectable, SetMetadata } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { FallbackExhaustedError, ShuttingDownError } from '../core/errors.js';
import { degradedCalls } from '../http/response-marks.js';
import { currentOutermost } from '../http/scope.js';
import { unavailableInGraphql } from './unavailable.js';

/** What came of an operation. */
interface Result {
  extensions?: Record<string, unknown>;
}

/** Apollo's view of one that failed: errors of GraphQL itself, around what the resolvers threw. */
interface Failed {
  readonly errors: readonly { readonly originalError?: unknown }[];
}

/** Apollo's view of its answer, which comes whole or in parts. */
interface Answered {
  readonly response: { readonly body: { readonly singleResult?: Result; readonly initialResult?: Result } };
}

/** Mercurius, as it stands on an instance of Fastify. */
interface Mercurius {
  addHook(name: 'onResolution', hook: (execution: Result) => Promise<void>): void;
}

/**
 * Apollo's driver finds it by what its decorator `@Plugin()` writes; Mercurius is given a hook before it listens.
 * Without the scope of an HTTP request nothing is said to be degraded.
 * @internal
 */
@Injectable()
@SetMetadata('graphql:plugin', {})
export class GraphqlMarks implements OnApplicationBootstrap {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  async requestDidStart() {
    return {
      /** before the application's own `formatError` */
      async didEncounterErrors({ errors }: Failed): Promise<void> {
        hide(errors);
      },
      async willSendResponse({ response: { body } }: Answered): Promise<void> {
        mark(body.singleResult ?? body.initialResult);
      },
    };
  }

  onApplicationBootstrap(): void {
    const adapter = this.adapterHost.httpAdapter as typeof this.adapterHost.httpAdapter | undefined;
    const server = adapter?.getInstance<{ graphql?: Partial<Mercurius> } | undefined>();
    server?.graphql?.addHook?.('onResolution', async (execution) => mark(execution));
  }
}

function mark(result: Result | undefined): void {
  const degraded = degradedCalls(currentOutermost());
  if (result !== undefined && degraded.length > 0) result.extensions = { ...result.extensions, degraded };
}

/** Nest calls no filter for field resolvers, so their errors are still as the call threw them. */
function hide(errors: Failed['errors']): void {
  for (const error of errors) {
    const { originalError: thrown } = error;
    if (thrown instanceof FallbackExhaustedError || thrown instanceof ShuttingDownError)
      Object.assign(error, unavailableInGraphql(thrown));
  }
}
