import { Controller, Get, Res } from '@nestjs/common';
import { ExternalContextCreator } from '@nestjs/core';
import { MessagePattern } from '@nestjs/microservices';
import { SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { firstValueFrom } from 'rxjs';
import { receiptOf } from '../../../lib/index.js';
import type { FallbackEvent, Receipt } from '../../../lib/index.js';
import { members } from '../../support/answers.js';
import { boot, closeAll, listen, platforms } from '../../support/apps.js';
import type { Parts, Platform } from '../../support/apps.js';
import { unhandledDuring } from '../../support/rejections.js';
import { DELAYED, INNER, Quotes, SUBSTITUTE, outage } from './support/quotes.js';
import type { Quote } from './support/quotes.js';
import { Socket, withSockets } from './support/socket.js';
import { overTcp } from './support/tcp.js';

/** The receipts of what the provider has answered. */
const receipts: (Receipt | undefined)[] = [];

@WebSocketGateway()
@Controller()
class Everywhere {
  constructor(private readonly quotes: Quotes) {}

  @Get('quote')
  @MessagePattern('quote')
  @SubscribeMessage('quote')
  async quote(): Promise<Quote> {
    const quote = await this.quotes.live('ACME');
    receipts.push(receiptOf(quote));
    return quote;
  }

  /** It answers by itself, and has begun to before it asks. */
  @Get('by-hand')
  async byHand(@Res() response: ServerResponse & { raw?: ServerResponse; hijack?(): void }): Promise<void> {
    response.hijack?.();
    const raw = response.raw ?? response;
    raw.writeHead(200, { 'content-type': 'application/json' });
    raw.flushHeaders();
    raw.end(JSON.stringify(await this.quote()));
  }
}

interface Heard {
  readonly value: unknown;
  readonly header?: string | null;
}
type Ask = () => Promise<Heard>;

const route =
  (platform: Platform, path: string) =>
  async (parts: Parts): Promise<Ask> => {
    const { url } = await listen(platform, parts, withSockets);
    return async () => {
      const response = await fetch(`${url}/${path}`);
      return { value: await response.json(), header: response.headers.get('degraded') };
    };
  };

const [express, fastify] = platforms as [Platform, Platform];

const SURFACES: Record<string, (parts: Parts) => Promise<Ask>> = {
  'an Express route': route(express, 'quote'),
  'a Fastify route': route(fastify, 'quote'),
  'an Express route that has sent its headers': route(express, 'by-hand'),
  'a Fastify route that has sent its headers': route(fastify, 'by-hand'),
  'a context of GraphQL without a response': async (parts) => {
    const { app } = await listen(express, parts, withSockets);
    const host = app.get(Everywhere);
    const none = [undefined, undefined, undefined, undefined, undefined] as const;
    const handler = () => host.quote();
    const call = app.get(ExternalContextCreator).create(host, handler, 'quote', ...none, 'graphql');
    return async () => ({ value: await (call as () => Promise<unknown>)() });
  },
  'an RPC handler': async (parts) => {
    const { client } = await overTcp(parts);
    return async () => ({ value: await firstValueFrom(client.send('quote', 'ACME')) });
  },
  'a WebSocket handler': async (parts) => {
    const { url } = await listen(express, parts, withSockets);
    const socket = await Socket.open(url);
    return async () => ({ value: await socket.ask('quote', 'ACME') });
  },
  'plain code': async (parts) => {
    const module = await boot({ ...parts, controllers: [] });
    return async () => ({ value: await module.get(Everywhere).quote() });
  },
};

describe('B29: one decorated provider, used from', () => {
  beforeEach(() => {
    receipts.length = 0;
  });
  afterEach(closeAll);

  it.each(Object.entries(SURFACES))('%s', async (name, start) => {
    const events: FallbackEvent[] = [];
    const observers = [(event: FallbackEvent): void => void events.push(event)];
    const providers = name === 'an RPC handler' ? [Quotes] : [Quotes, Everywhere];
    const ask = await start({ controllers: [Everywhere], providers, fallback: { observers } });
    const isRoute = name.endsWith(' route');

    const unhandled = await unhandledDuring(async () => {
      outage.failing = 1;
      const one = await ask();
      expect(one.value).toStrictEqual(DELAYED);
      expect(members(one.header)).toEqual([]);
      outage.failing = 2;
      const other = await ask();
      expect(other.value).toStrictEqual(SUBSTITUTE);
      const said = [{ name: 'quotes', source: 'static', reason: 'transient' }];
      expect(members(other.header)).toEqual(isRoute ? said : []);
    });

    expect(unhandled).toEqual([]);
    expect(receipts).toMatchObject([
      { chain: 'quotes', servedBy: INNER, source: 'candidate', failedOver: true, degraded: false },
      { chain: 'quotes', servedBy: null, source: 'static', reason: 'transient', degraded: true },
    ]);
    expect(events.map((event) => [event.name, event.candidate ?? event['source'], event.kind])).toEqual([
      ['attempt.settled', 'live', 'transient'],
      ['attempt.settled', INNER, 'ok'],
      ['call.served', 'candidate', undefined],
      ['attempt.settled', 'live', 'transient'],
      ['attempt.settled', INNER, 'transient'],
      ['call.served', 'static', undefined],
    ]);
  });
});
