import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Controller, Get, Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  AttemptSignal,
  ChainHealthService,
  ClientDisconnectedError,
  Degraded,
  FallbackChain,
  receiptOf,
} from '../../../lib/index.js';
import type { FallbackEvent } from '../../../lib/index.js';
import { gate } from '../../support/answers.js';
import { closeAll, listen, platforms } from '../../support/apps.js';

/** What an upstream sees that answers only when it is told to. */
@Injectable()
class Upstream {
  readonly begun = gate();
  readonly deafBegun = gate();
  readonly finish = gate();
  readonly aborted = gate<unknown>();
  readonly ended = gate<unknown>();
  backups = 0;

  @FallbackChain(['backup'], { name: 'stoppable' })
  @Degraded({ substitute: 'substitute', mark: 'receipt' })
  async stoppable(@AttemptSignal() signal?: AbortSignal): Promise<string> {
    signal!.addEventListener('abort', () => this.aborted.open(signal!.reason), { once: true });
    this.begun.open();
    await this.finish.opened;
    return 'late';
  }

  @FallbackChain(['backup'], { name: 'deaf' })
  async deaf(): Promise<string> {
    this.deafBegun.open();
    await this.finish.opened;
    return 'late';
  }

  async backup(): Promise<string> {
    this.backups++;
    return 'backup';
  }
}

@Controller()
class UpstreamController {
  constructor(private readonly upstream: Upstream) {}

  @Get('stoppable') stoppable(): Promise<string> {
    return this.watched(this.upstream.stoppable());
  }

  @Get('deaf') deaf(): Promise<string> {
    return this.watched(this.upstream.deaf());
  }

  @Get('goes-on') async goesOn(): Promise<string> {
    await this.upstream.deaf().catch(() => {});
    return this.watched(this.upstream.stoppable());
  }

  @Get('background') background(): string {
    void this.watched(this.upstream.stoppable());
    return 'accepted';
  }

  @Get('quick') quick(): string {
    return 'quick';
  }

  private watched(call: Promise<string>): Promise<string> {
    call.then(this.upstream.ended.open, this.upstream.ended.open);
    return call;
  }
}

const request = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;

async function readUntil(socket: Socket, end: string): Promise<string> {
  let text = '';
  while (!text.includes(end)) text += String(((await once(socket, 'data')) as [Buffer])[0]);
  return text;
}

describe.each(platforms)('$name: a client that goes away', (platform) => {
  afterEach(closeAll);

  const start = async (http?: false) => {
    const events: FallbackEvent[] = [];
    const observers = [(event: FallbackEvent) => void events.push(event)];
    const { app, port } = await listen(platform, {
      controllers: [UpstreamController],
      providers: [Upstream],
      fallback: { observers, ...(http === false && { http }) },
    });
    return {
      events,
      port,
      server: app.getHttpServer() as Server,
      upstream: app.get(Upstream),
      health: app.get(ChainHealthService),
    };
  };

  it('aborts the running attempt with ClientDisconnectedError, and nothing further runs', async () => {
    const { events, port, upstream, health } = await start();
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(request('/stoppable'));
    await upstream.begun.opened;
    socket.destroy();
    const reason = await upstream.aborted.opened;
    const error = await upstream.ended.opened;
    expect(reason).toBeInstanceOf(ClientDisconnectedError);
    expect(reason).toHaveProperty('code', 'CLIENT_DISCONNECTED');
    expect(error).toBe(reason);
    expect(receiptOf(error)).toMatchObject({ stoppedBy: 'cancelled', attempts: [{ kind: 'cancelled' }] });
    expect(upstream.backups).toBe(0);
    expect(events.map(({ name }) => name)).toEqual(['attempt.settled', 'call.stopped']);
    expect(health.snapshot('stoppable')).toMatchObject({
      status: 'up',
      candidates: [
        { consecutiveFailures: 0, counts: { cancelled: 1 } },
        { consecutiveFailures: 0, counts: {} },
      ],
    });
  });

  it('ends a call whose candidate does not listen', async () => {
    const { port, upstream, health } = await start();
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(request('/deaf'));
    await upstream.deafBegun.opened;
    socket.resetAndDestroy();
    expect(await upstream.ended.opened).toBeInstanceOf(ClientDisconnectedError);
    upstream.finish.open();
    expect(upstream.backups).toBe(0);
    expect(health.snapshot('deaf').candidates[0]).toMatchObject({ consecutiveFailures: 0, counts: { cancelled: 1 } });
  });

  it('ends the calls that its request makes afterwards, before any candidate runs', async () => {
    const { port, upstream, health } = await start();
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(request('/goes-on'));
    await upstream.deafBegun.opened;
    socket.destroy();
    expect(await upstream.ended.opened).toBeInstanceOf(ClientDisconnectedError);
    expect(upstream.backups).toBe(0);
    expect(health.snapshot('stoppable').candidates.map(({ counts }) => counts)).toEqual([{}, {}]);
  });

  it('ends only its own calls', async () => {
    const { port, upstream } = await start();
    const [gone, patient] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    gone.on('error', () => {});
    patient.write(request('/deaf'));
    await upstream.deafBegun.opened;
    gone.write(request('/stoppable'));
    await upstream.begun.opened;
    gone.destroy();
    expect(await upstream.aborted.opened).toBeInstanceOf(ClientDisconnectedError);
    upstream.finish.open();
    expect(await readUntil(patient, 'late')).toContain('HTTP/1.1 200');
    patient.destroy();
  });

  it('a response that was finished ends nothing: what goes on in the background goes on', async () => {
    const { port, upstream } = await start();
    const socket = connect(port, '127.0.0.1');
    socket.write(request('/background', 'Connection: close\r\n'));
    expect(await readUntil(socket, 'accepted')).toContain('HTTP/1.1 200');
    if (!socket.closed) await once(socket, 'close');
    upstream.finish.open();
    expect(await upstream.ended.opened).toBe('late');
  });

  it('on a connection kept alive each request is one of its own', async () => {
    const { port, upstream } = await start();
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(request('/quick'));
    await readUntil(socket, 'quick');
    socket.write(request('/stoppable'));
    await upstream.begun.opened;
    socket.destroy();
    expect(await upstream.aborted.opened).toBeInstanceOf(ClientDisconnectedError);
  });

  it('with `http: false` nobody is told', async () => {
    const { server, port, upstream } = await start(false);
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(request('/deaf'));
    await upstream.deafBegun.opened;
    const [serverSide] = await accepted;
    const seen = once(serverSide, 'close');
    socket.destroy();
    await seen;
    upstream.finish.open();
    expect(await upstream.ended.opened).toBe('late');
  });
});
