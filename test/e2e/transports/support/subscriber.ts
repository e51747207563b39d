import { once } from 'node:events';
import { WebSocket } from 'ws';
import { closeLater } from '../../../support/apps.js';

interface Message {
  readonly type: string;
  readonly payload?: { readonly data?: Readonly<Record<string, unknown>>; readonly extensions?: unknown };
}

/** A client of subscriptions, by the protocol `graphql-transport-ws`. */
export class Subscriber {
  private constructor(private readonly socket: WebSocket) {}

  static async open(url: string): Promise<Subscriber> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws');
    closeLater({ close: async () => socket.terminate() });
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init' }));
    await once(socket, 'message');
    return new Subscriber(socket);
  }

  /** Everything that an operation is sent, up to its end or to as many answers as are wanted. */
  ask(query: string, most = Infinity): Promise<Message[]> {
    const messages: Message[] = [];
    const done = new Promise<Message[]>((resolve) => {
      this.socket.on('message', (data) => {
        const message = JSON.parse((data as Buffer).toString()) as Message;
        messages.push(message);
        if (message.type !== 'next' || messages.length === most) resolve(messages);
      });
    });
    this.socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
    return done;
  }

  close(): void {
    this.socket.close();
  }
}
