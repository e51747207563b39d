/** The provider that all processes call: a real HTTP server, which counts, and answers as it is told. */
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Mood = 'well' | 'down' | 'hanging' | 'limiting' | 'flaky';

export class Upstream {
  mood: Mood = 'well';
  /** of those who have a backup: others may try one that is known to be down */
  requests = 0;
  /** what a flaky one does next */
  chance = (): number => 1;
  private url = '';
  private held: (() => void)[] | null = null;
  private readonly server: Server;

  private constructor() {
    this.server = createServer(({ url: path }, response) => {
      const { pathname, searchParams } = new URL(path!, this.url);
      if (pathname === '/') this.requests++;
      const answer = { key: searchParams.get('key'), nonce: searchParams.get('nonce'), from: 'primary' };
      const { mood } = this;
      const act = (): void => this.answer(mood, JSON.stringify(answer), response);
      if (this.held === null) act();
      else this.held.push(act);
    });
  }

  static async start(): Promise<Upstream> {
    const upstream = new Upstream();
    await new Promise<void>((resolve) => {
      upstream.server.listen(0, '127.0.0.1', resolve);
    });
    upstream.url = `http://127.0.0.1:${(upstream.server.address() as AddressInfo).port}`;
    return upstream;
  }

  get address(): string {
    return this.url;
  }

  /** Takes requests and answers none of them until the returned function is called. */
  hold(): () => void {
    const held: (() => void)[] = [];
    this.held = held;
    return () => {
      this.held = null;
      for (const act of held) act();
    };
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }

  private answer(mood: Mood, body: string, response: ServerResponse): void {
    if (mood === 'hanging') return;
    if (mood === 'limiting') response.writeHead(429, { 'Retry-After': '1' }).end();
    else if (mood === 'down' || (mood === 'flaky' && this.chance() < 0.3)) response.writeHead(503).end();
    else response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
  }
}
