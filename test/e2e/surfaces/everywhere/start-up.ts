/** Calls that come while the application still starts. */
import { Inject, Injectable, Module } from '@nestjs/common';
import type { DynamicModule, OnModuleInit, Provider } from '@nestjs/common';
import { ChainHealthService, FallbackModule } from '../../../../lib/index.js';
import { gate } from '../../../support/answers.js';
import { building, closeLater } from '../../../support/apps.js';
import type { HostType, Hosted } from './host.js';
import type { Surface } from './surface.js';

type Host = InstanceType<HostType>;
type Wanted = (feature: DynamicModule, fallback: DynamicModule) => DynamicModule[];

/** The application hangs in the onModuleInit of a class that calls the method, until the test has made its calls. */
const hanging =
  (imports: Wanted, provider: (hosted: Hosted) => Provider = ({ Host }) => ({ provide: 'HOST', useClass: Host })) =>
  async (hosted: Hosted) => {
    const { Mirror, method } = hosted;
    const entered = gate<Host>();
    const done = gate();
    class Eager implements OnModuleInit {
      readonly host!: Host;

      onModuleInit(): Promise<void> {
        entered.open(this.host);
        return done.opened;
      }
    }
    Inject('HOST')(Eager.prototype, 'host');
    Injectable()(Eager);
    class Feature {}
    Module({})(Feature);
    const feature = { module: Feature, providers: [provider(hosted), Mirror, Eager] };
    const fallback = FallbackModule.forRoot({ logger: false });
    const module = await building({ fallback: null, imports: imports(feature, fallback) }).compile();
    const started = module.init();
    const host = await entered.opened;
    closeLater({
      async close() {
        done.open();
        await started;
        await module.close();
      },
    });
    return { health: module.get(ChainHealthService, { strict: false }), calls: [() => host[method]!()] };
  };

export const AT_START_UP: readonly Surface[] = [
  { name: 'onModuleInit of a module before ours', start: hanging((feature, fallback) => [feature, fallback]) },
  { name: 'onModuleInit of a module after ours', start: hanging((feature, fallback) => [fallback, feature]) },
  {
    name: 'onModuleInit of a global module, which starts before ours',
    start: hanging((feature, fallback) => [{ ...feature, global: true }, fallback]),
  },
  {
    name: 'onModuleInit of another module, where useFactory made the host',
    start: hanging(
      (feature, fallback) => [feature, fallback],
      ({ Host }) => ({ provide: 'HOST', useFactory: () => new Host() }),
    ),
  },
];

/** Nest hands such an instance to nobody but its module; ours can adopt it only once it starts itself. */
export const BEFORE_OURS: readonly Surface[] = [
  {
    name: 'onModuleInit of a global module, which starts before ours, where useFactory made the host',
    start: hanging(
      (feature, fallback) => [{ ...feature, global: true }, fallback],
      ({ Host }) => ({ provide: 'HOST', useFactory: () => new Host() }),
    ),
  },
];
