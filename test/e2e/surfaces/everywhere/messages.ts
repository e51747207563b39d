/** What runs without a request: jobs, events, and messages over TCP. */
import { Controller, Injectable, Scope } from '@nestjs/common';
import { EventEmitter2, EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import { ClientProxyFactory, EventPattern, MessagePattern, Transport } from '@nestjs/microservices';
import { Cron, ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import type { Server } from 'node:net';
import { firstValueFrom } from 'rxjs';
import { ChainHealthService } from '../../../../lib/index.js';
import { boot, building, closeLater, listen, platforms } from '../../../support/apps.js';
import type { Hosted } from './host.js';
import type { Started, Surface } from './surface.js';

/** What was said where nobody waits for an answer. */
function mailbox() {
  let receive: (said: string) => void = () => {};
  return {
    put: (said: string): void => receive(said),
    next: (cause: () => unknown): Promise<string> =>
      new Promise((resolve) => {
        receive = resolve;
        cause();
      }),
  };
}

const jobs = mailbox();
const events = mailbox();

const NEVER = '0 0 0 1 1 *';

async function overTcp(
  { Host, Mirror }: Hosted,
  ask: (client: Client) => unknown,
  scope = Scope.DEFAULT,
): Promise<Started> {
  Controller({ scope })(Host);
  const host = '127.0.0.1';
  const module = await building({ controllers: [Host], providers: [Mirror] }).compile();
  const app = module.createNestMicroservice({ transport: Transport.TCP, options: { host, port: 0 }, logger: false });
  await app.listen();
  const { port } = app.unwrap<Server>().address() as { port: number };
  const client = ClientProxyFactory.create({ transport: Transport.TCP, options: { host, port } });
  closeLater(app);
  closeLater({ close: async () => void (await client.close()) });
  return {
    health: app.get(ChainHealthService),
    calls: [() => ask(client)],
  };
}
type Client = ReturnType<typeof ClientProxyFactory.create>;

/** An application that answers HTTP and TCP. */
async function hybrid({ Host, Mirror }: Hosted): Promise<Started> {
  Controller()(Host);
  const host = '127.0.0.1';
  const { app } = await listen(platforms[0]!, { controllers: [Host], providers: [Mirror] });
  const service = app.connectMicroservice({ transport: Transport.TCP, options: { host, port: 0 } });
  await app.startAllMicroservices();
  const { port } = service.unwrap<Server>().address() as { port: number };
  const client = ClientProxyFactory.create({ transport: Transport.TCP, options: { host, port } });
  closeLater({ close: async () => void (await client.close()) });
  return { health: app.get(ChainHealthService), calls: [() => firstValueFrom(client.send('read', {}))] };
}

const onEvents = (
  name: string,
  beside: readonly unknown[],
  decorator: (options: { scope: Scope }) => ClassDecorator,
  scope = Scope.DEFAULT,
): Surface => ({
  name,
  shape: { beside },
  async start({ Host, Mirror }) {
    decorator({ scope })(Host);
    const hosts =
      decorator === Controller ? { controllers: [Host], providers: [Mirror] } : { providers: [Host, Mirror] };
    const module = await boot({ ...hosts, imports: [EventEmitterModule.forRoot()] });
    const emitter = module.get(EventEmitter2);
    const emit = (event: string) => async (): Promise<unknown> => {
      const heard: unknown[] = await emitter.emitAsync(event);
      return heard.length === 1 ? heard[0] : heard;
    };
    return { health: module.get(ChainHealthService), calls: beside.map((_, place) => emit(`event ${place}`)) };
  },
});

export const MESSAGES: readonly Surface[] = [
  {
    name: 'a cron job',
    shape: { beside: [Cron(NEVER, { name: 'job' })], gives: jobs.put },
    async start({ Host, Mirror }) {
      const module = await boot({ providers: [Host, Mirror], imports: [ScheduleModule.forRoot()] });
      const job = module.get(SchedulerRegistry).getCronJob('job');
      return { health: module.get(ChainHealthService), calls: [() => jobs.next(() => job.fireOnTick())] };
    },
  },
  onEvents('an event handler', [OnEvent('event 0')], Injectable),
  onEvents('an event handler of two stacked events', [OnEvent('event 0'), OnEvent('event 1')], Injectable),
  onEvents('a request-scoped event handler', [OnEvent('event 0'), OnEvent('event 1')], Injectable, Scope.REQUEST),
  onEvents('an event handler of a controller', [OnEvent('event 0'), OnEvent('event 1')], Controller),
  {
    name: 'a message handler over TCP',
    shape: { beside: [MessagePattern('read')] },
    start: (hosted) => overTcp(hosted, (client) => firstValueFrom(client.send('read', {}))),
  },
  {
    name: 'a request-scoped message handler over TCP',
    shape: { beside: [MessagePattern('read')] },
    start: (hosted) => overTcp(hosted, (client) => firstValueFrom(client.send('read', {})), Scope.REQUEST),
  },
  { name: 'a message handler of a hybrid application', shape: { beside: [MessagePattern('read')] }, start: hybrid },
  {
    name: 'an event handler over TCP',
    shape: { beside: [EventPattern('happened')], gives: events.put },
    start: (hosted) => overTcp(hosted, (client) => events.next(() => client.emit('happened', {}).subscribe())),
  },
];
