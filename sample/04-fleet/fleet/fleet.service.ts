import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { CircuitState, FallbackEvent } from 'nestjs-fallback';
import { AppProcess } from '../../stage/app-process.js';
import { Door } from '../../stage/door.js';
import { RedisServer } from '../../stage/redis-server.js';
import { until } from '../../stage/until.js';
import { ExchangesService } from '../exchanges/exchanges.service.js';

/** The compiled program that each process runs. */
export const PROGRAM = Symbol('program');

export type StoreEvent = 'store.failed' | 'store.recovered';

/** Three processes of one application, the Redis that they share, and the doors of the exchanges that they call. */
@Injectable()
export class FleetService implements OnModuleInit, OnApplicationShutdown {
  readonly redis = new RedisServer();
  readonly processes = [new AppProcess('process 1'), new AppProcess('process 2'), new AppProcess('process 3')] as const;
  readonly bourse: Door;
  private readonly kiosk: Door;

  constructor(
    readonly exchanges: ExchangesService,
    @Inject(PROGRAM) private readonly program: URL,
  ) {
    this.bourse = new Door((path) => exchanges.url('bourse', path));
    this.kiosk = new Door((path) => exchanges.url('kiosk', path));
  }

  async onModuleInit(): Promise<void> {
    await Promise.all([this.redis.start(), this.bourse.open(), this.kiosk.open()]);
    const env = { PORT: '0', REDIS_URL: this.redis.url, BOURSE_URL: this.bourse.url, KIOSK_URL: this.kiosk.url };
    await Promise.all(this.processes.map((process) => process.start(this.program, env)));
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.stop()));
    await this.redis.kill();
    this.bourse.close();
    this.kiosk.close();
  }

  /** What each process knows of the bourse. */
  async circuits(): Promise<CircuitState[]> {
    const healths = await Promise.all(this.processes.map((process) => process.health()));
    return healths.map(({ candidates: [bourse] }) => bourse!.state);
  }

  /** Resolves when all processes know it to be in this state. */
  async untilAll(state: CircuitState): Promise<void> {
    await until(`all circuits are ${state}`, async () => (await this.circuits()).every((each) => each === state));
  }

  /** How often each process has told this of the store of health. */
  told(name: StoreEvent): number[] {
    return this.processes.map(
      ({ events }) => events.filter((event) => event.name === name && isOfHealth(event)).length,
    );
  }

  async untilAllTold(name: StoreEvent): Promise<void> {
    await until(`all have told ${name}`, () => this.told(name).every((times) => times > 0));
  }
}

/** The store of last known good values tells the same names, of other operations. */
function isOfHealth({ operation }: FallbackEvent): boolean {
  return ['admit', 'record', 'control'].includes(String(operation));
}
