import type { INestMicroservice } from '@nestjs/common';
import { ClientProxyFactory, Transport } from '@nestjs/microservices';
import type { ClientProxy } from '@nestjs/microservices';
import type { Server } from 'node:net';
import { building, closeLater } from '../../../support/apps.js';
import type { Parts } from '../../../support/apps.js';

const HOST = '127.0.0.1';
export const ON_LOOPBACK = { transport: Transport.TCP, options: { host: HOST, port: 0 } } as const;

/** A client of a microservice that listens. */
export function clientOf(service: INestMicroservice): ClientProxy {
  const { port } = service.unwrap<Server>().address() as { port: number };
  const client = ClientProxyFactory.create({ transport: Transport.TCP, options: { host: HOST, port } });
  closeLater({ close: async () => void (await client.close()) });
  return client;
}

/** A microservice that listens on TCP, and its client. */
export async function overTcp(parts: Parts): Promise<{ app: INestMicroservice; client: ClientProxy }> {
  const app = (await building(parts).compile()).createNestMicroservice({ ...ON_LOOPBACK, logger: false });
  closeLater(app);
  await app.listen();
  return { app, client: clientOf(app) };
}

/** What a client is told in place of an answer. */
export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it was answered');
}
