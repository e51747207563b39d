/** What Nest runs for an HTTP request: handlers, and everything that stands around them. */
import {
  Catch,
  Controller,
  Get,
  ImATeapotException,
  Injectable,
  Module,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import type { ArgumentsHost, CanActivate, ExecutionContext, MiddlewareConsumer } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { platforms } from '../../../support/apps.js';
import type { Hosted, Shape } from './host.js';
import { echo, requestOf, start, thrower } from './http-app.js';
import type { HttpSurface, Request } from './http-app.js';
import type { Surface } from './surface.js';

const GUARD: Shape = {
  method: 'canActivate',
  gives(said, [context]) {
    requestOf(context as ExecutionContext).heard = said;
    return true;
  },
};
const INTERCEPTOR: Shape = {
  method: 'intercept',
  gives(said, [context, next]) {
    requestOf(context as ExecutionContext).heard = said;
    return (next as { handle(): unknown }).handle();
  },
};
const PIPE: Shape = { method: 'transform', gives: (said) => said };
const FILTER: Shape = {
  method: 'catch',
  gives(said, [, context]) {
    type Reply = { status(code: number): { send(body: unknown): void } };
    (context as ArgumentsHost).switchToHttp().getResponse<Reply>().status(200).send({ heard: said });
  },
};
const MIDDLEWARE: Shape = {
  method: 'use',
  gives(said, [request, , next]) {
    (request as Request).heard = said;
    (next as () => void)();
  },
};
const HANDLER: Shape = { beside: [Get()], gives: (said) => ({ heard: said }) };

const asGlobal = (token: symbol | string, { Host }: Hosted) => ({ provide: token, useClass: Host });

const HTTP: readonly (HttpSurface & Omit<Surface, 'start'> & { shape: Shape })[] = [
  {
    name: 'a controller (F55)',
    shape: HANDLER,
    parts: ({ Host }) => {
      Controller()(Host);
      return { controllers: [Host] };
    },
  },
  {
    name: 'a request-scoped controller',
    shape: HANDLER,
    requests: 2,
    parts: ({ Host }) => {
      Controller({ scope: Scope.REQUEST })(Host);
      return { controllers: [Host] };
    },
  },
  {
    name: 'a guard named on a handler',
    shape: GUARD,
    parts: ({ Host }) => ({ controllers: [echo([UseGuards(Host)])] }),
  },
  {
    name: 'a request-scoped guard',
    shape: GUARD,
    requests: 2,
    parts: ({ Host }) => {
      Injectable({ scope: Scope.REQUEST })(Host);
      return { controllers: [echo([UseGuards(Host)])] };
    },
  },
  {
    name: 'APP_GUARD',
    shape: GUARD,
    parts: (hosted) => ({ controllers: [echo([])], providers: [asGlobal(APP_GUARD, hosted)] }),
  },
  {
    name: 'a provider that is APP_GUARD too',
    shape: GUARD,
    parts: ({ Host }) => ({
      controllers: [echo([])],
      providers: [Host, { provide: APP_GUARD, useExisting: Host }],
    }),
  },
  {
    name: 'APP_GUARD by useFactory',
    shape: GUARD,
    parts: ({ Host }) => ({
      controllers: [echo([])],
      providers: [{ provide: APP_GUARD, useFactory: () => new Host() }],
    }),
  },
  {
    name: 'a provider that is a global guard',
    shape: GUARD,
    parts: ({ Host }) => ({ controllers: [echo([])], providers: [Host] }),
    prepare: (created, { Host }) => created.useGlobalGuards(created.get<CanActivate>(Host)),
  },
  {
    name: 'an interceptor named on a handler',
    shape: INTERCEPTOR,
    parts: ({ Host }) => ({ controllers: [echo([UseInterceptors(Host)])] }),
  },
  {
    name: 'APP_INTERCEPTOR',
    shape: INTERCEPTOR,
    parts: (hosted) => ({ controllers: [echo([])], providers: [asGlobal(APP_INTERCEPTOR, hosted)] }),
  },
  {
    name: 'a pipe named on a parameter',
    shape: PIPE,
    parts: ({ Host }) => ({ controllers: [echo([], [Host])] }),
  },
  {
    name: 'APP_PIPE',
    shape: PIPE,
    parts: (hosted) => ({ controllers: [echo([])], providers: [asGlobal(APP_PIPE, hosted)] }),
  },
  {
    name: 'an exception filter named on a handler',
    shape: FILTER,
    parts: ({ Host }) => {
      Catch(ImATeapotException)(Host);
      return { controllers: [thrower([UseFilters(Host)])] };
    },
  },
  {
    name: 'APP_FILTER',
    shape: FILTER,
    parts: (hosted) => {
      Catch()(hosted.Host);
      return { controllers: [thrower([])], providers: [asGlobal(APP_FILTER, hosted)] };
    },
  },
  {
    name: 'a middleware class',
    shape: MIDDLEWARE,
    parts: ({ Host, Mirror }) => {
      class Feature {
        configure(consumer: MiddlewareConsumer): void {
          consumer.apply(Host).forRoutes('{*path}');
        }
      }
      Module({ providers: [Mirror] })(Feature);
      return { imports: [Feature], controllers: [echo([])] };
    },
  },
];

export const OVER_HTTP: readonly Surface[] = platforms.flatMap((platform) =>
  HTTP.map((surface) => ({
    name: `${surface.name}, on ${platform.name}`,
    shape: surface.shape,
    start: (hosted: Hosted) => start(platform, surface, hosted),
  })),
);

/** What `useGlobalGuards(new Guard())` is given was built by hand. */
export const BY_HAND: readonly Surface[] = platforms.map((platform) => ({
  name: `a guard built by hand for useGlobalGuards, on ${platform.name}`,
  shape: GUARD,
  start: (hosted) =>
    start(
      platform,
      {
        parts: () => ({ controllers: [echo([])] }),
        prepare: (created, { Host }) => created.useGlobalGuards(new Host() as never),
      },
      hosted,
    ),
}));
