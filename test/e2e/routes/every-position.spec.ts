import {
  Controller,
  Get,
  Header,
  Injectable,
  Query,
  SetMetadata,
  UseGuards,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import type { CanActivate, ExecutionContext, Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { EventEmitter2, EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiQuery, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Type as Transform } from 'class-transformer';
import { IsInt } from 'class-validator';
import { Degraded, FallbackChain } from '../../../lib/index.js';
import { down } from '../../support/answers.js';
import { closeAll, listen, platforms } from '../../support/apps.js';
import { decorate, everyPlace, metadataOf } from '../../support/decorate.js';

class Page {
  @ApiProperty()
  @IsInt()
  @Transform(() => Number)
  number!: number;
}

class Answer {
  @ApiProperty() by!: string;
  @ApiProperty() isPage!: boolean;
}

@Injectable()
class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const roles = this.reflector.get<string[] | undefined>('roles', context.getHandler());
    return roles?.includes(context.switchToHttp().getRequest<{ headers: { role: string } }>().headers.role) ?? true;
  }
}

const SYMBOL = Symbol('metadata');

const named = (name: string, decorator: unknown) => ({ name, decorator });
type Named = ReturnType<typeof named>;

/** What others put on one handler: route, roles, pipes, API document, two events, metadata under a symbol. */
const OTHERS: readonly Named[] = [
  named('Get', Get('read')),
  named('ApiOperation', ApiOperation({ summary: 'Reads a page' })),
  named('SetMetadata', SetMetadata('roles', ['admin'])),
  named('OnEvent 1', OnEvent('first')),
  named('ApiQuery', ApiQuery({ name: 'lang', required: false, enum: ['de', 'en'] })),
  named('UsePipes', UsePipes(new ValidationPipe({ transform: true }))),
  named('OnEvent 2', OnEvent('second')),
  named('UseGuards', UseGuards(RolesGuard)),
  named('ApiOkResponse', ApiOkResponse({ type: Answer })),
  named('Header', Header('X-Own', 'kept')),
  named('symbol', SetMetadata(SYMBOL, { by: 'symbol' })),
];
const LADDER = named('FallbackChain', FallbackChain(['backup'], { breaker: { threshold: Infinity } }));
const DEGRADED = named('Degraded', Degraded({ substitute: { by: 'substitute' }, mark: 'receipt' }));

/** How often the method itself was reached, by class. */
const reached = new Map<string, number>();

function controllerOf(name: string, decorators: readonly Named[]): Type {
  const { [name]: controller } = {
    [name]: class {
      async read(page: Page): Promise<object> {
        reached.set(name, (reached.get(name) ?? 0) + 1);
        return page.number === 0 ? down() : { by: 'read', isPage: page instanceof Page };
      }

      async backup(page: Page): Promise<object> {
        return { by: 'backup', isPage: page instanceof Page };
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

const ladders = everyPlace(OTHERS, LADDER);
const substitutes = everyPlace(OTHERS, DEGRADED);
const both = ladders.flatMap((list) => everyPlace(list, DEGRADED));
const cases = [...ladders, ...substitutes, ...both].map((decorators, place) => {
  const name = `Case${place}`;
  return {
    order: decorators.map((each) => `@${each.name}`).join(' '),
    path: `/${name}/read`,
    name,
    controller: controllerOf(name, decorators),
    onFailure: decorators.includes(LADDER) ? 'backup' : 'substitute',
  };
});
const reference = controllerOf('Reference', OTHERS);

it('B05: every position, and every pair of positions, is covered', () => {
  expect(cases).toHaveLength(12 + 12 + 12 * 13);
  expect(new Set(cases.map(({ order }) => order)).size).toBe(cases.length);
});

describe('B05: our decorators among those of others', () => {
  let url: string;
  let document: OpenAPIObject;
  /** how often each event reached the method, by class */
  const heard = { first: new Map<string, number>(), second: new Map<string, number>() };

  beforeAll(async () => {
    const controllers = [reference, ...cases.map(({ controller }) => controller)];
    const imports = [EventEmitterModule.forRoot({ maxListeners: 0 })];
    const running = await listen(platforms[0]!, { controllers, providers: [RolesGuard], imports });
    url = running.url;
    document = SwaggerModule.createDocument(running.app, new DocumentBuilder().build());
    for (const event of ['first', 'second'] as const) {
      reached.clear();
      await running.app.get(EventEmitter2).emitAsync(event, { number: 1 });
      heard[event] = new Map(reached);
    }
  });
  afterAll(closeAll);

  it('the API document of the undecorated method is what it should be', () => {
    expect(document.paths['/Reference/read']).toMatchObject({
      get: {
        summary: 'Reads a page',
        parameters: [
          { name: 'number', in: 'query', required: true, schema: { type: 'number' } },
          { name: 'lang', in: 'query', required: false, schema: { enum: ['de', 'en'] } },
        ],
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Answer' } } } } },
      },
    });
  });

  describe.each(cases)('$order', ({ path, name, controller, onFailure }) => {
    it('the API document has parameters, summary and answer', () => {
      const text = JSON.stringify(document.paths[path]).replaceAll(name, 'Reference');
      expect(JSON.parse(text)).toEqual(document.paths['/Reference/read']);
    });

    it('both events reach the method, once each', () => {
      expect([heard.first.get(name), heard.second.get(name)]).toEqual([1, 1]);
    });

    it('all metadata is that of the undecorated method', () => {
      const [own, others] = [controller, reference].map((each) => each.prototype as { read: object });
      const metadata = metadataOf(others!.read);
      expect([...metadata.keys()]).toEqual(
        expect.arrayContaining(['path', 'roles', '__guards__', '__pipes__', SYMBOL]),
      );
      expect(metadataOf(own!.read)).toEqual(metadata);
      for (const key of Reflect.getMetadataKeys(others!, 'read') as unknown[]) {
        expect(Reflect.getMetadata(key, own!, 'read')).toEqual(Reflect.getMetadata(key, others!, 'read'));
      }
    });

    it('the route is guarded, its parameter made, its failure answered', async () => {
      const get = (number: number, role: string): Promise<Response> =>
        fetch(`${url}${path}?number=${number}`, { headers: { role } });
      expect((await get(1, 'visitor')).status).toBe(403);
      const healthy = await get(1, 'admin');
      expect([healthy.status, healthy.headers.get('x-own')]).toEqual([200, 'kept']);
      expect(await healthy.json()).toEqual({ by: 'read', isPage: true });
      expect(await (await get(0, 'admin')).json()).toMatchObject({ by: onFailure });
    });
  });
});
