/** Over real HTTP: what the losers' connections see, and whose context everything runs in. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AttemptSignal, FallbackChain } from '../../lib/index.js';
import type { AttemptContext } from '../../lib/index.js';
import { boot, closeAll, platforms } from '../support/apps.js';
import { Script, serve } from '../e2e/interceptor/route.js';

const FREE = { cost: 0, hedge: { after: 0 } } as const;

/** A provider that answers `/fast` at once and `/slow` never, and tells when a caller of that has gone. */
class Provider {
  readonly server: Server;
  readonly left: Promise<unknown>;
  private readonly asked: Promise<unknown>;

  constructor() {
    let hear!: (what: unknown) => void;
    let note!: (what: unknown) => void;
    this.left = new Promise((resolve) => {
      hear = resolve;
    });
    this.asked = new Promise((resolve) => {
      note = resolve;
    });
    this.server = createServer((request, response) => {
      if (request.url === '/slow') {
        response.on('close', () => hear(response.writableFinished));
        note(undefined);
      } else void this.asked.then(() => response.end('fast'));
    });
  }

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
}

describe('a hedge between requests', () => {
  let provider: Provider;
  let url: string;
  beforeEach(async () => {
    provider = new Provider();
    url = await provider.listen();
  });
  afterEach(async () => {
    await closeAll();
    provider.server.close();
    provider.server.closeAllConnections();
  });

  it('the request of the loser is ended, and only that', async () => {
    class Reader {
      @FallbackChain([{ name: 'fast', run: (ctx: AttemptContext) => text(`${url}/fast`, ctx.signal) }], FREE)
      read(@AttemptSignal() signal?: AbortSignal): Promise<string> {
        return text(`${url}/slow`, signal!);
      }
    }
    const app = await boot({ providers: [Reader] });
    await expect(app.get(Reader).read()).resolves.toBe('fast');
    expect(await provider.left).toBe(false);
  });

  it("candidates, hooks and what follows run in the caller's own context, whoever wakes the call", async () => {
    const user = new AsyncLocalStorage<string>();
    const seen: string[] = [];
    const note = (what: string) => seen.push(`${what} ${user.getStore()}`);
    class Reader {
      @FallbackChain(
        [
          { name: 'b', run: async (ctx: AttemptContext) => (note('b'), await wait(5_000, ctx.signal), 'b') },
          { name: 'c', run: () => (note('c'), Promise.resolve('c')), accept: () => (note('accept'), true) },
        ],
        { cost: 0, hedge: { after: 15 } },
      )
      async read(@AttemptSignal() signal?: AbortSignal): Promise<string> {
        note('a');
        await wait(10_000, signal!);
        return 'a';
      }
    }
    const reader = (await boot({ providers: [Reader] })).get(Reader);
    const names = ['ann', 'bob', 'eve'];
    // All wait in one list, whose timer was set by the first.
    const answers = await Promise.all(names.map((name) => user.run(name, () => reader.read())));
    expect(answers).toEqual(['c', 'c', 'c']);
    expect(seen.sort()).toEqual(names.flatMap((n) => ['a', 'accept', 'b', 'c'].map((w) => `${w} ${n}`)).sort());
  });
});

async function text(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal });
  return response.text();
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

describe.each(platforms)('$name: a hedged handler behind the interceptor', (platform) => {
  afterEach(closeAll);

  it('the handler is slow: another candidate answers beside it', async () => {
    const script = new Script();
    let end!: () => void;
    script.body = () =>
      new Promise<string>((resolve) => {
        end = () => resolve('late');
      });
    const { ask, counts } = await serve(platform, script, { options: FREE });
    expect((await ask()).text).toBe('backup <1>');
    expect(counts()).toEqual([{ cancelled: 1 }, { ok: 1 }]);
    expect(script.seen).toEqual(['inner', 'pipe', 'body', 'backup']);
    end();
  });

  it('the handler answers first: with what inner interceptors made of it', async () => {
    const script = new Script();
    script.backup = () => new Promise(() => {});
    const { ask, counts } = await serve(platform, script, { options: FREE });
    expect((await ask()).text).toBe('mapped body <1>');
    expect(counts()).toEqual([{ ok: 1 }, { cancelled: 1 }]);
  });
});
