/** What the answer of a GraphQL operation says of the calls behind it: `extensions.degraded`. */
import { Injectable, SetMetadata } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { degradedCalls } from '../http/response-marks.js';
import { currentOutermost } from '../http/scope.js';

interface Result {
  extensions?: Record<string, unknown>;
}

/** The answer of Apollo Server, whole or in parts. */
interface Answer {
  readonly response: { readonly body: { readonly singleResult?: Result; readonly initialResult?: Result } };
}

/** Mercurius, as it stands on an instance of Fastify. */
interface Mercurius {
  addHook(name: 'onResolution', hook: (execution: Result) => Promise<void>): void;
}

/**
 * Apollo's driver finds it by what its decorator `@Plugin()` writes; Mercurius is given a hook before it listens.
 * Without the scope of an HTTP request it says nothing.
 * @internal
 */
@Injectable()
@SetMetadata('graphql:plugin', {})
export class GraphqlMarks implements OnApplicationBootstrap {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  async requestDidStart() {
    return {
      async willSendResponse({ response: { body } }: Answer): Promise<void> {
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
