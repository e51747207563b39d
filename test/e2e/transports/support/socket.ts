import type { INestApplication } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { closeLater } from '../../../support/apps.js';

/** For `listen`: gateways speak the WebSocket protocol itself. */
export function withSockets(app: INestApplication): void {
  app.useWebSocketAdapter(new WsAdapter(app));
}

/** A client that reads one message after the other. */
export class Socket {
  private readonly messages: unknown[] = [];
  private wake: () => void = () => {};

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data) => {
      this.messages.push(JSON.parse((data as Buffer).toString()));
      this.wake();
    });
  }

  static async open(url: string): Promise<Socket> {
    const socket = new WebSocket(url.replace(/^http/, 'ws'));
    closeLater({ close: async () => socket.terminate() });
    const opened = new Socket(socket);
    await once(socket, 'open');
    return opened;
  }

  send(event: string, data: unknown): void {
    this.socket.send(JSON.stringify({ event, data }));
  }

  async next(): Promise<unknown> {
    while (this.messages.length === 0) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    return this.messages.shift();
  }

  async ask(event: string, data: unknown): Promise<unknown> {
    this.send(event, data);
    return this.next();
  }

  async close(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }
}
