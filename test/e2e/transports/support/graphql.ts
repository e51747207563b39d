import { ApolloDriver } from '@nestjs/apollo';
import type { ApolloDriverConfig } from '@nestjs/apollo';
import type { DynamicModule } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import type { MercuriusDriverConfig } from '@nestjs/mercurius';
import { jest } from '@jest/globals';

export function apollo(options: Partial<ApolloDriverConfig> = {}): DynamicModule {
  return GraphQLModule.forRoot<ApolloDriverConfig>({
    driver: ApolloDriver,
    autoSchemaFile: true,
    // An error outside production carries its stack: what it holds is seen.
    includeStacktraceInErrorResponses: true,
    ...options,
  });
}

export async function mercurius(options: Partial<MercuriusDriverConfig> = {}): Promise<DynamicModule> {
  // It serves a page for developers, and requires ES modules, which Jest cannot on Node 20.
  jest.mock('@fastify/static', () => () => {});
  const { MercuriusDriver } = await import('@nestjs/mercurius');
  return GraphQLModule.forRoot<MercuriusDriverConfig>({ driver: MercuriusDriver, autoSchemaFile: true, ...options });
}

export interface Operation {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { data?: unknown; errors?: readonly GraphqlError[]; extensions?: Record<string, unknown> };
}

interface GraphqlError {
  readonly message: string;
  readonly path?: unknown;
  readonly extensions?: Record<string, unknown>;
}

export async function post(url: string, query: string | readonly string[]): Promise<Operation> {
  const body = typeof query === 'string' ? { query } : query.map((each) => ({ query: each }));
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Operation['body'] };
}
