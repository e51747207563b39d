import { createServer, request as send } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** The fixed address of an upstream that may be killed and start again elsewhere. Counts who wants to come in. */
export class Door {
  /** requests, answered or not */
  asked = 0;
  private readonly server: Server;

  /** @param upstream where it is now */
  constructor(private readonly upstream: (path: string) => URL) {
    this.server = createServer((request, response) => this.pass(request, response));
  }

  async open(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** Where nobody answers, or somebody is killed, the connection breaks. */
  private pass(request: IncomingMessage, response: ServerResponse): void {
    this.asked++;
    const onward = send(this.upstream(request.url ?? '/'), (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    onward.end();
  }
}
