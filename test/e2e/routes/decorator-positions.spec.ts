import {
  Controller,
  Get,
  Header,
  HttpCode,
  Injectable,
  Query,
  SetMetadata,
  UseGuards,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import type { CanActivate, ExecutionContext, Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Type as Transform } from 'class-transformer';
import { IsInt } from 'class-validator';
import { Degraded, Fallback, FallbackChain } from '../../../lib/index.js';
import { decorate, everyPlace } from '../../support/decorate.js';
import { down } from '../../support/answers.js';
import { closeAll, listen, platforms } from '../../support/apps.js';

class Page {
  @IsInt()
  @Transform(() => Number)
  number!: number;
}

@Injectable()
class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const roles = this.reflector.get<string[] | undefined>('roles', context.getHandler());
    if (roles === undefined) throw new Error('the handler lost its roles');
    const { headers } = context.switchToHttp().getRequest<{ headers: { role?: string } }>();
    return roles.includes(headers.role ?? '');
  }
}

const named = (name: string, decorator: unknown) => ({ name, decorator });
type Named = ReturnType<typeof named>;

const NEST: readonly Named[] = [
  named('Get', Get('read')),
  named('Header', Header('X-Own', 'kept')),
  named('HttpCode', HttpCode(203)),
  named('UseGuards', UseGuards(RolesGuard)),
  named('SetMetadata', SetMetadata('roles', ['admin'])),
  named('UsePipes', UsePipes(new ValidationPipe({ transform: true }))),
];

/** A controller whose handler has these decorators; it fails for page 0, and always when `alwaysFails`. */
function controllerOf(place: number, decorators: readonly Named[], alwaysFails: boolean): Type {
  const name = `Case${place}`;
  const { [name]: controller } = {
    [name]: class {
      async read(page: Page) {
        if (alwaysFails || page.number === 0) return down();
        return { by: 'handler', number: page.number, isPage: page instanceof Page };
      }

      async backup(page: Page) {
        return { by: 'backup', number: page.number, isPage: page instanceof Page };
      }
    },
  };
  const { prototype } = controller!;
  Query()(prototype, 'read', 0);
  const types = [Reflect.metadata('design:type', Function), Reflect.metadata('design:paramtypes', [Page])];
  decorate([...decorators.map(({ decorator }) => decorator), ...types], prototype, 'read');
  Controller(name)(controller!);
  return controller!;
}

const nameOf = (decorators: readonly Named[]): string => decorators.map(({ name }) => `@${name}`).join(' ');

/** What stands for each of ours: a ladder, a substitute, and both in every pair of places. */
const ladders = everyPlace(NEST, named('Fallback', Fallback('backup'))).map((decorators) => ({
  decorators,
  onFailure: { by: 'backup', number: 0, isPage: true },
  alwaysFails: false,
}));
const substitutes = everyPlace(
  NEST,
  named('Degraded', Degraded({ substitute: ({ number }: Page) => ({ by: 'substitute', number }) })),
).map((decorators) => ({
  decorators,
  onFailure: { by: 'substitute', number: 0, degraded: true },
  alwaysFails: false,
}));
const both = everyPlace(NEST, named('FallbackChain', FallbackChain(['backup'], { accept: () => false }))).flatMap(
  (list) =>
    everyPlace(list, named('Degraded', Degraded({ substitute: () => ({ by: 'substitute' }) }))).map((decorators) => ({
      decorators,
      onFailure: { by: 'substitute', degraded: true },
      alwaysFails: true,
    })),
);
const cases = [...ladders, ...substitutes, ...both].map((each, place) => ({
  ...each,
  order: nameOf(each.decorators),
  path: `Case${place}/read`,
  controller: controllerOf(place, each.decorators, each.alwaysFails),
}));

it('covers every place', () => {
  expect(ladders).toHaveLength(7);
  expect(substitutes).toHaveLength(7);
  expect(both).toHaveLength(56);
  expect(new Set(cases.map(({ order }) => order)).size).toBe(70);
});

describe.each(platforms)('$name: a route with our decorators in any place', (platform) => {
  let url: string;
  beforeAll(async () => {
    const controllers = cases.map(({ controller }) => controller);
    ({ url } = await listen(platform, { controllers, providers: [RolesGuard] }));
  });
  afterAll(closeAll);

  it.each(cases)('$order', async ({ path, onFailure, alwaysFails }) => {
    const get = (number: unknown, role?: string): Promise<Response> =>
      fetch(`${url}/${path}?number=${String(number)}`, role === undefined ? {} : { headers: { role } });

    expect((await get(1)).status).toBe(403);
    expect((await get(1, 'visitor')).status).toBe(403);

    const failing = await get(0, 'admin');
    expect(failing.status).toBe(203);
    expect(failing.headers.get('x-own')).toBe('kept');
    expect(await failing.json()).toEqual(onFailure);

    const invalid = await get('many', 'admin');
    expect(invalid.status).toBe(400);
    expect(invalid.headers.has('degraded')).toBe(false);

    if (alwaysFails) return;
    const healthy = await get(3, 'admin');
    expect(healthy.status).toBe(203);
    expect(healthy.headers.get('x-own')).toBe('kept');
    expect(await healthy.json()).toEqual({ by: 'handler', number: 3, isPage: true });
  });
});
