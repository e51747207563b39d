/** Providers that Nest builds itself, in every scope and shape. */
import { Inject, Injectable, Module, Optional, Scope } from '@nestjs/common';
import type { Provider, Type } from '@nestjs/common';
import { ContextIdFactory, LazyModuleLoader, ModuleRef } from '@nestjs/core';
import { expect } from '@jest/globals';
import { ChainHealthService } from '../../../../lib/index.js';
import { boot, building } from '../../../support/apps.js';
import type { Hosted, HostType } from './host.js';
import type { Started, Surface } from './surface.js';

type ContextId = ReturnType<typeof ContextIdFactory.create>;

/** Starts an application with these providers, and calls the method of what it gives for each token. */
export async function providing(
  { Mirror, method }: Hosted,
  providers: Provider[],
  tokens: unknown[],
): Promise<Started> {
  const module = await boot({ providers: [...providers, Mirror] });
  const hosts = tokens.map((token) => module.get<InstanceType<HostType>>(token as string));
  return { health: module.get(ChainHealthService), calls: hosts.map((host) => () => host[method]!()) };
}

/** A singleton of a class that is derived from the host's. */
const derived =
  (derive: (Host: HostType, hosted: Hosted) => Type) =>
  (hosted: Hosted): Promise<Started> => {
    const Derived = derive(hosted.Host, hosted);
    Injectable()(Derived);
    return providing(hosted, [Derived], [Derived]);
  };

/** A provider of this scope, resolved once for each of these requests. */
const scoped =
  (scope: { scope: Scope; durable?: boolean }, ids: () => (ContextId | undefined)[]) =>
  async ({ Host, Mirror, method }: Hosted): Promise<Started> => {
    Injectable(scope)(Host);
    const module = await boot({ providers: [Host, Mirror] });
    const hosts = await Promise.all(ids().map((id) => module.resolve(Host, id)));
    expect(new Set(hosts).size).toBe(scope.durable === true ? 1 : hosts.length);
    return { health: module.get(ChainHealthService), calls: hosts.map((host) => () => host[method]!()) };
  };

/** Two requests of one tenant, as a strategy for durable providers makes them. */
function requestsOfOneTenant(): ContextId[] {
  const tenant = ContextIdFactory.create();
  return [1, 2].map(() => {
    const own = ContextIdFactory.create();
    own.getParent = ({ isTreeDurable }) => (isTreeDurable ? tenant : own);
    return own;
  });
}

async function inTwoHosts({ Host, Mirror, method }: Hosted): Promise<Started> {
  Injectable({ scope: Scope.TRANSIENT })(Host);
  const user = (): Type<{ host: InstanceType<HostType> }> => {
    class User {
      readonly host!: InstanceType<HostType>;
    }
    Inject(Host)(User.prototype, 'host');
    Injectable()(User);
    return User;
  };
  const users = [user(), user()];
  const module = await boot({ providers: [...users, Host, Mirror] });
  const hosts = [...users.map((each) => module.get(each).host), await module.resolve(Host)];
  expect(new Set(hosts).size).toBe(3);
  return { health: module.get(ChainHealthService), calls: hosts.map((host) => () => host[method]!()) };
}

export const BUILT_BY_NEST: readonly Surface[] = [
  { name: 'a singleton', start: (hosted) => providing(hosted, [hosted.Host], [hosted.Host]) },
  {
    name: 'a method named by a symbol',
    shape: { method: Symbol('read') },
    start: (hosted) => providing(hosted, [hosted.Host], [hosted.Host]),
  },
  { name: 'a transient provider in two hosts, and resolved', start: inTwoHosts },
  {
    name: 'a request-scoped provider, in two requests (F55)',
    start: scoped({ scope: Scope.REQUEST }, () => [ContextIdFactory.create(), ContextIdFactory.create()]),
  },
  {
    name: 'a durable provider, in two requests of one tenant',
    start: scoped({ scope: Scope.REQUEST, durable: true }, requestsOfOneTenant),
  },
  {
    name: 'moduleRef.create, twice',
    async start({ Host, Mirror, method }) {
      const module = await boot({ providers: [Mirror, { provide: 'REF', useExisting: ModuleRef }] });
      const ref = module.get<ModuleRef>('REF');
      const hosts = [await ref.create(Host), await ref.create(Host)];
      return { health: module.get(ChainHealthService), calls: hosts.map((host) => () => host[method]!()) };
    },
  },
  {
    name: 'a module that is loaded lazily',
    async start({ Host, Mirror, method }) {
      class Lazy {}
      Module({ providers: [Host, Mirror] })(Lazy);
      const module = await boot({});
      const lazy = await module.get(LazyModuleLoader).load(() => Lazy);
      return { health: module.get(ChainHealthService), calls: [() => lazy.get(Host)[method]!()] };
    },
  },
  {
    name: 'a method that was bound before start-up was done',
    async start({ Host, Mirror, method }) {
      const module = await building({ providers: [Host, Mirror] }).compile();
      const host = module.get(Host);
      const bound = host[method]!.bind(host);
      await module.init();
      return { health: module.get(ChainHealthService), calls: [bound] };
    },
  },
  {
    name: 'two applications in one process (B25 c)',
    start: async (hosted) => [
      await providing(hosted, [hosted.Host], [hosted.Host]),
      await providing(hosted, [hosted.Host], [hosted.Host]),
    ],
  },
  {
    name: 'a token, an abstract class and an alias beside the class',
    start(hosted) {
      abstract class Reader {}
      const { Host } = hosted;
      const others = [
        { provide: 'TOKEN', useClass: Host },
        { provide: Reader, useClass: Host },
        { provide: 'ALIAS', useExisting: Host },
      ];
      return providing(hosted, [Host, ...others], [Host, 'TOKEN', Reader, 'ALIAS']);
    },
  },
  { name: 'a child without a decorator (F55)', start: derived((Host) => class Child extends Host {}) },
  {
    name: 'a child that overrides the method and calls super',
    start: derived((Host, { method }) => {
      class Child extends Host {
        async [method](...args: unknown[]): Promise<unknown> {
          return super[method]!(...args);
        }
      }
      return Child;
    }),
  },
  {
    name: 'a child with injected properties of its own',
    start: derived((Host, { Mirror }) => {
      class Child extends Host {}
      Inject(Mirror)(Child.prototype, 'own');
      Optional()(Child.prototype, 'own');
      return Child;
    }),
  },
  {
    name: 'a mixin over it',
    start: derived((Host) => {
      const mixed = (Base: HostType) => class Mixed extends Base {};
      return mixed(mixed(Host));
    }),
  },
  {
    name: 'an instance that freezes itself',
    start: derived((Host) => {
      class Frozen extends Host {
        constructor() {
          super();
          Object.freeze(this);
        }
      }
      return Frozen;
    }),
  },
  {
    name: 'a Proxy in place of the instance',
    start(hosted) {
      // Binds methods to the instance inside, as it must where there are private fields.
      const get = (target: object, key: PropertyKey): unknown => {
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      };
      const useClass = new Proxy(hosted.Host, {
        construct: (type, args, newTarget) => new Proxy(Reflect.construct(type, args, newTarget) as object, { get }),
      });
      return providing(hosted, [{ provide: 'PROXY', useClass }], ['PROXY']);
    },
  },
];
