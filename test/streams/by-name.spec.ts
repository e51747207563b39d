import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Observable, of } from 'rxjs';
import { createFallbackChain } from '../../lib/core/index.js';
import { FallbackChain, FallbackService } from '../../lib/index.js';
import { REASON } from '../support/stream-check.js';
import { closeApps, startApp } from '../support/nest-app.js';
import { failing } from '../support/stream-sources.js';
import { TestClock, settle } from '../support/test-clock.js';
import { down } from './commit-cases.js';

@Injectable()
class Host {
  readonly seen: unknown[] = [];

  @FallbackChain(['spare'], { name: 'generator' })
  async *generator(question: string): AsyncGenerator<string> {
    this.seen.push(question);
    yield* failing(down);
  }

  @FallbackChain([], { name: 'observable' })
  observable(question: string): Observable<string> {
    return of(question, 'o2');
  }

  @FallbackChain([], { name: 'promise' })
  async promise(): Promise<string> {
    return 'value';
  }

  @FallbackChain([], { name: 'stalled' })
  async *stalled(): AsyncGenerator<string> {
    await new Promise(() => {});
    yield 'never';
  }

  async *spare(question: string): AsyncGenerator<string> {
    this.seen.push(question);
    yield `${question}!`;
  }
}

const plain = createFallbackChain<unknown>(
  [
    (_ctx, question) => {
      asked.push(question);
      throw down;
    },
    async function* (_ctx, question) {
      yield question;
    },
  ],
  { name: 'plain' },
);
const asked: unknown[] = [];

afterEach(closeApps);

async function open() {
  const clock = new TestClock();
  const started = await startApp({ providers: [Host], options: { clock, logger: false, chains: [plain] } });
  return { ...started, clock, host: started.app.get(Host), fallback: started.app.get(FallbackService) };
}

async function all(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const element of stream) seen.push(element);
  return seen;
}

describe('FallbackService.stream', () => {
  it('runs a decorated stream method by name, on its own provider, with arguments', async () => {
    const { fallback, host } = await open();
    await expect(all(fallback.stream('generator', ['who']))).resolves.toEqual(['who!']);
    expect(host.seen).toEqual(['who', 'who']);
  });

  it('an Observable chain as an async iterable', async () => {
    const { fallback } = await open();
    await expect(all(fallback.stream('observable', ['o1']))).resolves.toEqual(['o1', 'o2']);
  });

  it('a chain of plain functions, by name and by itself', async () => {
    const { fallback, events } = await open();
    await expect(all(fallback.stream('plain', [1]))).resolves.toEqual([1]);
    await expect(all(fallback.stream(plain, [2]))).resolves.toEqual([2]);
    expect(events.filter(({ name, chain }) => name === 'stream.committed' && chain === 'plain')).toHaveLength(2);
  });

  it('a stream is not run, and a promise is not streamed: the error says so', async () => {
    const { fallback } = await open();
    await expect(fallback.run('generator', ['who'])).rejects.toThrow(/stream/);
    const given = async () => all(fallback.stream('promise'));
    await expect(given()).rejects.toThrow(/generator|run\(|promise/);
  });

  it('runs nothing before the first next()', async () => {
    const { fallback, host } = await open();
    asked.length = 0;
    fallback.stream('generator', ['who']);
    fallback.stream('plain', [1]);
    await settle();
    expect([host.seen, asked]).toEqual([[], []]);
  });

  it('options and the signal of one call', async () => {
    const { fallback, clock } = await open();
    const timedOut = all(fallback.stream('stalled', [], { timeout: 10 })).catch((error: unknown) => error);
    const caller = new AbortController();
    const aborted = all(fallback.stream('stalled', [], { signal: caller.signal })).catch((error: unknown) => error);
    await clock.advance(10);
    await expect(timedOut).resolves.toMatchObject({ code: 'FALLBACK_EXHAUSTED' });
    caller.abort(REASON);
    await expect(aborted).resolves.toBe(REASON);
  });

  it('a name that there is not: the error names the chains there are', async () => {
    const { fallback } = await open();
    const stream = () => all(fallback.stream('nowhere'));
    await expect((async () => stream())()).rejects.toThrow(/generator/);
  });

  it('B26 after the drain new streams are refused', async () => {
    const { fallback, clock } = await open();
    const stalled = all(fallback.stream('stalled')).catch((error: unknown) => error);
    await settle();
    const draining = fallback.drain();
    await expect(all(fallback.stream('generator', ['who']))).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
    await clock.advance(5_000);
    await expect(stalled).resolves.toMatchObject({ code: 'SHUTTING_DOWN' });
    await draining;
  });
});
