import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createFallbackChain } from '../../lib/core/index.js';
import type { AttemptContext } from '../../lib/index.js';
import { gate } from '../support/answers.js';
import { TestClock } from '../support/test-clock.js';

/** An upstream on loopback that answers in pieces and never ends by itself. */
class Upstream {
  readonly asked = gate();
  readonly left = gate();
  requests = 0;
  private readonly server: http.Server;

  constructor(private readonly pieces: readonly string[]) {
    this.server = http.createServer((request, response) => {
      this.requests++;
      request.on('close', this.left.open);
      response.on('close', this.left.open);
      response.flushHeaders();
      for (const piece of this.pieces) response.write(piece);
      this.asked.open();
    });
  }

  async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

const text = new TextDecoder();
let silent: Upstream;
let talking: Upstream;

beforeEach(async () => {
  silent = await new Upstream([]).listen();
  talking = await new Upstream(['b1']).listen();
});

afterEach(async () => {
  await Promise.all([silent.close(), talking.close()]);
});

/** The forms in which clients give bodies. */
const CLIENTS: readonly (readonly [
  string,
  (url: string, ctx: AttemptContext) => Promise<AsyncIterable<Uint8Array>>,
])[] = [
  ['fetch, with the signal', async (url, { signal }) => (await fetch(url, { signal })).body!],
  ['fetch, deaf to the signal', async (url) => (await fetch(url)).body!],
  [
    'node:http, deaf to the signal',
    async (url) => {
      const [response] = (await once(http.get(url, { agent: false }), 'response')) as [http.IncomingMessage];
      return response;
    },
  ],
];

describe.each(CLIENTS)('real upstreams through %s', (_what, read) => {
  it('B17 one that answers politely and is silent: the other is asked, and its socket is let go of', async () => {
    const clock = new TestClock();
    const opened = gate();
    const chain = createFallbackChain<Uint8Array>(
      [
        async (ctx) => {
          const body = await read(silent.url, ctx);
          opened.open();
          return body;
        },
        (ctx) => read(talking.url, ctx),
      ],
      { timeout: 20, clock },
    );
    const stream = chain.stream();
    const first = stream.next();
    await opened.opened;
    await clock.advance(20);
    await silent.left.opened;
    await expect(first.then(({ value }) => text.decode(value as Uint8Array))).resolves.toBe('b1');

    const pending = stream.next();
    await expect(stream.return()).resolves.toEqual({ value: undefined, done: true });
    await expect(pending).resolves.toEqual({ value: undefined, done: true });
    await talking.left.opened;
    expect([silent.requests, talking.requests]).toEqual([1, 1]);
  });
});

it('F42 an upstream that dies in the middle: its error, and nobody else is asked', async () => {
  const chain = createFallbackChain<Uint8Array>([
    async () => (await fetch(talking.url)).body!,
    async () => (await fetch(silent.url)).body!,
  ]);
  const stream = chain.stream();
  await stream.next();
  const second = stream.next();
  await Promise.all([talking.close(), expect(second).rejects.toThrow('terminated')]);
  talking = await new Upstream([]).listen();
  expect(silent.requests).toBe(0);
  expect(chain.health()[0]).toMatchObject({ consecutiveFailures: 1, lastKind: 'transient' });
});

it('F41 an upstream that is not there: the other answers', async () => {
  const url = silent.url;
  await silent.close();
  silent = await new Upstream([]).listen();
  const chain = createFallbackChain<Uint8Array>([
    async () => (await fetch(url)).body!,
    async () => (await fetch(talking.url)).body!,
  ]);
  const stream = chain.stream();
  const { value } = await stream.next();
  expect(text.decode(value as Uint8Array)).toBe('b1');
  await stream.return();
});
