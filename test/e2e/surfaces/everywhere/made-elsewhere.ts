/** Instances that Nest did not build, and classes that tests put others in place of. */
import { Scope } from '@nestjs/common';
import type { Provider } from '@nestjs/common';
import { jest } from '@jest/globals';
import { ChainHealthService } from '../../../../lib/index.js';
import { boot, building, closeLater } from '../../../support/apps.js';
import { providing } from './built-by-nest.js';
import type { Hosted } from './host.js';
import type { Surface } from './surface.js';

const made =
  (providers: (Host: Hosted['Host']) => Provider[], ...tokens: unknown[]): Surface['start'] =>
  (hosted) =>
    providing(hosted, providers(hosted.Host), tokens);

/** A factory that makes an instance for each request or host: nothing can be injected into what it makes. */
const outOfSight =
  (scope: Scope): Surface['start'] =>
  async ({ Host, Mirror, method }) => {
    const provider = { provide: Host, scope, useFactory: () => new Host() };
    const module = await boot({ providers: [provider, Mirror] });
    const host = await module.resolve(Host);
    return { health: module.get(ChainHealthService), calls: [() => host[method]!()] };
  };

export const MADE_ELSEWHERE: readonly Surface[] = [
  {
    name: 'useFactory (B25 e)',
    start: made((Host) => [{ provide: 'MADE', useFactory: () => new Host() }], 'MADE'),
  },
  {
    name: 'an async useFactory',
    start: made((Host) => [{ provide: 'MADE', useFactory: async () => new Host() }], 'MADE'),
  },
  { name: 'useValue', start: made((Host) => [{ provide: 'MADE', useValue: new Host() }], 'MADE') },
  {
    name: 'useFactory and useValue beside each other, under one chain',
    start: made(
      (Host) => [
        Host,
        { provide: 'A', useFactory: () => new Host() },
        { provide: 'B', useValue: new Host() },
        { provide: 'C', inject: ['A'], useFactory: (given: unknown) => given },
      ],
      'A',
      'B',
      'C',
    ),
  },
  {
    name: 'a frozen one by useFactory',
    start: made((Host) => [{ provide: 'MADE', useFactory: () => Object.freeze(new Host()) }], 'MADE'),
  },
  {
    name: 'a child by useFactory',
    start: made((Host) => {
      class Child extends Host {}
      return [{ provide: 'MADE', useFactory: () => new Child() }];
    }, 'MADE'),
  },
];

export const BARE: readonly Surface[] = [
  { name: 'a request-scoped useFactory', start: outOfSight(Scope.REQUEST) },
  { name: 'a transient useFactory', start: outOfSight(Scope.TRANSIENT) },
];

export const IN_TESTS: readonly Surface[] = [
  {
    name: 'jest.spyOn that lets calls through, and mockRestore',
    async start(hosted) {
      const { Host, Mirror, method } = hosted;
      const module = await boot({ providers: [Host, Mirror] });
      const host = module.get(Host);
      const spied = (): Promise<unknown> => {
        const spy = jest.spyOn(host, method as string);
        return host[method]!().finally(() => spy.mockRestore());
      };
      return { health: module.get(ChainHealthService), calls: [spied, () => host[method]!()] };
    },
  },
  {
    name: 'overrideProvider by the decorated class',
    async start({ Host, Mirror, method }) {
      class Original {}
      const builder = building({ providers: [Original, Mirror] })
        .overrideProvider(Original)
        .useClass(Host);
      const module = await (await builder.compile()).init();
      closeLater(module);
      return {
        health: module.get(ChainHealthService),
        calls: [() => module.get<InstanceType<typeof Host>>(Original)[method]!()],
      };
    },
  },
  {
    name: 'overrideProvider by an instance of it',
    async start({ Host, Mirror, method }) {
      class Original {}
      const builder = building({ providers: [Original, Mirror] })
        .overrideProvider(Original)
        .useValue(new Host());
      const module = await (await builder.compile()).init();
      closeLater(module);
      return {
        health: module.get(ChainHealthService),
        calls: [() => module.get<InstanceType<typeof Host>>(Original)[method]!()],
      };
    },
  },
  {
    name: 'useMocker for a candidate',
    async start({ Host, Mirror, method }) {
      const builder = building({ providers: [Host] }).useMocker((token) => (token === Mirror ? new Mirror() : {}));
      const module = await (await builder.compile()).init();
      closeLater(module);
      return { health: module.get(ChainHealthService), calls: [() => module.get(Host)[method]!()] };
    },
  },
];
