/** A handler behind FallbackInterceptor whose pipe, inner interceptor, body and backup do what a test says. */
import { Controller, Get, Param, UseInterceptors } from '@nestjs/common';
import type { NestInterceptor, PipeTransform, Type } from '@nestjs/common';
import { map, tap } from 'rxjs';
import { ChainHealthService, Degraded, FallbackChain, FallbackInterceptor } from '../../../lib/index.js';
import type { ChainOptions, DegradedOptions, FallbackEvent, FallbackModuleOptions } from '../../../lib/index.js';
import { listen } from '../../support/apps.js';
import type { Parts, Platform } from '../../support/apps.js';
import { decorate } from '../../support/decorate.js';

/** What the parts of the route do, and who was called, in order. */
export class Script {
  readonly seen: string[] = [];
  pipe: (id: string) => unknown = (id) => `<${id}>`;
  inner: NestInterceptor['intercept'] = (_context, next) => {
    this.seen.push('inner');
    return next.handle().pipe(
      map((value) => `mapped ${String(value)}`),
      tap({ finalize: () => this.seen.push('finalized') }),
    );
  };
  body: (id: string) => unknown = (id) => `body ${id}`;
  backup: (id: string) => unknown = (id) => `backup ${id}`;
}

export interface RouteParts {
  readonly options?: ChainOptions;
  readonly degraded?: DegradedOptions;
  readonly candidates?: readonly unknown[];
  /** before the inner interceptor; default: FallbackInterceptor */
  readonly interceptors?: readonly unknown[];
  readonly onMethod?: readonly unknown[];
}

/** `GET /<id>` */
function routeWith(script: Script, parts: RouteParts = {}): Type {
  const {
    options = {},
    degraded,
    candidates = ['backup'],
    interceptors = [FallbackInterceptor],
    onMethod = [],
  } = parts;
  const pipe: PipeTransform = {
    transform(id: string) {
      script.seen.push('pipe');
      return script.pipe(id);
    },
  };
  class Route {
    read(id: string): unknown {
      script.seen.push('body');
      return options.stream === undefined ? settledBy(() => script.body(id)) : script.body(id);
    }

    backup(id: string): unknown {
      script.seen.push('backup');
      return options.stream === undefined ? settledBy(() => script.backup(id)) : script.backup(id);
    }
  }
  Param('id', pipe)(Route.prototype, 'read', 0);
  decorate(
    [
      Get(':id'),
      ...onMethod,
      FallbackChain(candidates as [], { name: 'route', ...options }),
      ...(degraded === undefined ? [] : [Degraded(degraded as never)]),
    ],
    Route.prototype,
    'read',
  );
  const inner: NestInterceptor = { intercept: (context, next) => script.inner(context, next) };
  UseInterceptors(...(interceptors as Type<NestInterceptor>[]), inner)(Route);
  Controller()(Route);
  return Route;
}

async function settledBy(run: () => unknown): Promise<unknown> {
  return run();
}

/** A listening application with this route; `ask` is a GET. */
export async function serve(
  platform: Platform,
  script: Script,
  { fallback = {}, parts = {}, ...route }: RouteParts & { fallback?: FallbackModuleOptions; parts?: Parts } = {},
) {
  const events: FallbackEvent[] = [];
  const observers = [(event: FallbackEvent): void => void events.push(event)];
  const controllers = [...(parts.controllers ?? []), routeWith(script, route)];
  const running = await listen(platform, { ...parts, controllers, fallback: { observers, ...fallback } });
  const health = running.app.get(ChainHealthService);
  return {
    ...running,
    events,
    health,
    /** the counts of both candidates */
    counts: () => health.snapshot('route').candidates.map((candidate) => candidate.counts),
    ask: (path = '/1') => ask(running.url + path),
  };
}

export async function ask(url: string) {
  const response = await fetch(url);
  return { status: response.status, headers: response.headers, text: await response.text() };
}
