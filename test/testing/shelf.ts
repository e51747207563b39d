import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AttemptContext, FallbackCandidate, OutcomeKind, Verdict } from '../../lib/index.js';
import type { CheckOptions } from '../../lib/testing/index.js';

export const KEY = 's3cret/key';

type Mood = 'well' | 'limited' | 'broken' | 'locked' | 'hanging';

/** A small library catalogue over HTTP that can be put into any mood. */
export class Catalogue {
  mood: Mood = 'well';
  url = '';
  private held: ServerResponse[] = [];
  private heard?: () => void;
  private readonly server: Server = createServer((request, response) => {
    const title = new URL(request.url!, 'http://catalogue').searchParams.get('title');
    const send = (status: number, body: unknown, headers = {}) =>
      response.writeHead(status, headers).end(JSON.stringify(body));
    if (this.mood === 'hanging') {
      this.held.push(response);
      this.heard?.();
    } else if (this.mood === 'limited') send(429, {}, { 'retry-after': '20' });
    else if (this.mood === 'broken') send(503, {});
    else if (this.mood === 'locked') send(401, {});
    else if (title === '') send(400, {});
    else send(200, title === 'Unwritten' ? [] : [title]);
  });

  async open(): Promise<void> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await once(this.server.close(), 'close');
  }

  holds(): Promise<void> {
    return new Promise((resolve) => {
      this.heard = resolve;
    });
  }
}

export class CatalogueError extends Error {
  constructor(
    readonly status: number,
    readonly headers: Headers,
  ) {
    super(`The catalogue answered ${status}`);
  }
}

/** A candidate with nothing wrong. Those with one thing wrong are made from it. */
export class Shelf implements FallbackCandidate<[title: string], string[]> {
  constructor(protected readonly catalogue: Catalogue) {}

  async run({ signal }: Pick<AttemptContext, 'signal'>, title: string): Promise<string[]> {
    return this.fetch(title, signal);
  }

  supports(title: string): boolean | Promise<boolean> {
    return !title.startsWith('isbn:');
  }

  classify(_error: unknown): OutcomeKind | Verdict | undefined | Promise<OutcomeKind> {
    return undefined;
  }

  assess(_titles: string[]): OutcomeKind | Verdict | undefined | Promise<OutcomeKind> {
    return undefined;
  }

  protected async fetch(title: string, signal?: AbortSignal): Promise<string[]> {
    const url = new URL(`?title=${title}`, this.catalogue.url);
    const response = await fetch(url, { signal: signal ?? null, headers: { authorization: KEY } });
    if (!response.ok) throw new CatalogueError(response.status, response.headers);
    return (await response.json()) as string[];
  }
}

/** All situations of a candidate that asks this catalogue. */
export function situationsOf(catalogue: Catalogue): NonNullable<CheckOptions<[string]>['situations']> {
  const is = (mood: Mood) => () => {
    catalogue.mood = mood;
  };
  return {
    answers: is('well'),
    empty: { arrange: is('well'), args: ['Unwritten'] },
    rateLimited: { arrange: is('limited'), retryAfter: 20_000 },
    failing: is('broken'),
    denied: is('locked'),
    invalid: { arrange: is('well'), args: [''] },
    hanging: { arrange: is('hanging'), reached: () => catalogue.holds() },
  };
}
