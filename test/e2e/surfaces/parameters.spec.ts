import { Controller, Get, Injectable, Param } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Attempt, AttemptSignal, AttemptTimeoutError, FallbackChain, from } from '../../../lib/index.js';
import type { AttemptContext } from '../../../lib/index.js';
import { down } from '../../support/answers.js';
import { boot, closeAll, listen, platforms } from '../../support/apps.js';
import { TestClock } from '../../support/test-clock.js';

const never = (): Promise<never> => new Promise(() => {});

@Injectable()
class Mirror {
  seen: unknown[] = [];

  async fetch(@AttemptSignal() signal: AbortSignal | undefined, path: string): Promise<string> {
    this.seen = [signal, path];
    return 'mirror';
  }
}

@Injectable()
class Files {
  readonly seen: Record<string, unknown[]> = {};

  @FallbackChain(['second', 'third'], { name: 'files', timeout: 100 })
  async fetch(path: string, @AttemptSignal() signal?: AbortSignal): Promise<string> {
    this.seen.first = [path, signal];
    return never();
  }

  /** The marked place of a candidate is its own. */
  async second(path: string, _none?: unknown, @AttemptSignal() signal?: AbortSignal): Promise<string> {
    this.seen.second = [path, signal];
    return never();
  }

  async third(
    path: string,
    _none?: unknown,
    @Attempt() attempt?: AttemptContext,
    @AttemptSignal() signal?: AbortSignal,
  ): Promise<string> {
    this.seen.third = [path, attempt, signal];
    return 'third';
  }

  @FallbackChain(['unmarked'], { name: 'unmarked' })
  async toUnmarked(_path: string, @AttemptSignal() _signal?: AbortSignal): Promise<string> {
    return down();
  }

  async unmarked(path: string, signal?: AbortSignal): Promise<string> {
    this.seen.unmarked = [path, signal];
    return 'unmarked';
  }

  @FallbackChain(
    [
      {
        name: 'mirror',
        run(this: Files, { signal }: AttemptContext, path: string) {
          this.seen.inline = [signal, path];
          return down();
        },
      },
      'last',
    ],
    { name: 'context' },
  )
  async withContext(_path: string, @Attempt() attempt?: AttemptContext): Promise<string> {
    this.seen.primary = [attempt];
    throw new Error('first');
  }

  async last(_path: string, @Attempt() attempt?: AttemptContext): Promise<string> {
    const { chain, candidate, index, attempt: number, errors, idempotencyKey, signal, deadline } = attempt!;
    this.seen.last = [{ chain, candidate, index, number, idempotencyKey }, errors, signal, deadline.remaining()];
    return 'last';
  }
}

@Injectable()
class Mirrored {
  @FallbackChain([from(Mirror, 'fetch')], { name: 'mirrored' })
  async fetch(@AttemptSignal() _signal: AbortSignal | undefined, _path: string): Promise<string> {
    return down();
  }
}

@Controller()
class FilesController {
  seen: unknown[] = [];

  @Get('files/:path')
  @FallbackChain(['backup'], { name: 'handler' })
  async fetch(@Param('path') _path: string, @AttemptSignal() signal?: AbortSignal): Promise<string> {
    this.seen.push(signal);
    return down();
  }

  async backup(path: string, @Attempt() attempt?: AttemptContext): Promise<string> {
    this.seen.push(attempt!.signal);
    return `backup of ${path}`;
  }
}

describe('@AttemptSignal() and @Attempt()', () => {
  afterEach(closeAll);

  const start = async () => {
    const clock = new TestClock();
    const module = await boot({ providers: [Files, Mirror, Mirrored], fallback: { clock } });
    return { clock, files: module.get(Files), module };
  };

  it.each([
    ['with a caller that has no signal', undefined],
    ["with a caller's signal", new AbortController().signal],
  ])("each attempt gets a signal of its own, in its method's own marked place, %s", async (_caller, signal) => {
    const { clock, files } = await start();
    const call = files.fetch('/a', signal);
    await clock.advance(200);
    expect(await call).toBe('third');
    const [first, second, third] = [files.seen.first![1], files.seen.second![1], files.seen.third![2]] as AbortSignal[];
    for (const path of [files.seen.first![0], files.seen.second![0], files.seen.third![0]]) expect(path).toBe('/a');
    expect(new Set([signal, first, second, third]).size).toBe(4);
    expect([first!.aborted, second!.aborted, third!.aborted]).toEqual([true, true, false]);
    expect(first!.reason).toBeInstanceOf(AttemptTimeoutError);
    expect(files.seen.third![1]).toMatchObject({ candidate: 'third', index: 2, attempt: 2 });
    expect((files.seen.third![1] as AttemptContext).signal).toBe(third);
  });

  it("the caller's abort reaches the running attempt with the caller's reason", async () => {
    const { files } = await start();
    const caller = new AbortController();
    const call = files.fetch('/a', caller.signal);
    const reason = { by: 'caller' };
    caller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect((files.seen.first![1] as AbortSignal).reason).toBe(reason);
    expect(files.seen.second).toBeUndefined();
  });

  it("a candidate without a mark gets the attempt's signal where the caller's stood", async () => {
    const { files } = await start();
    const { signal } = new AbortController();
    await files.toUnmarked('/a', signal);
    expect(files.seen.unmarked![0]).toBe('/a');
    expect(files.seen.unmarked![1]).toBeInstanceOf(AbortSignal);
    expect(files.seen.unmarked![1]).not.toBe(signal);
    await files.toUnmarked('/b');
    expect(files.seen.unmarked).toEqual(['/b', undefined]);
  });

  it("a provider's method has a marked place of its own", async () => {
    const { module } = await start();
    expect(await module.get(Mirrored).fetch(undefined, '/a')).toBe('mirror');
    const [signal, path] = module.get(Mirror).seen;
    expect(signal).toBeInstanceOf(AbortSignal);
    expect(path).toBe('/a');
  });

  it('the context tells of the attempt, its call and what failed before', async () => {
    const { files } = await start();
    expect(await files.withContext('/a')).toBe('last');
    const [about, errors, signal, remaining] = files.seen.last!;
    expect(about).toEqual({
      chain: 'context',
      candidate: 'last',
      index: 2,
      number: 2,
      idempotencyKey: (files.seen.primary![0] as AttemptContext).idempotencyKey,
    });
    expect((errors as Error[]).map(({ message }) => message)).toEqual(['first', 'upstream is down']);
    expect(signal).not.toBe(files.seen.inline![0]);
    expect(remaining).toBe(Infinity);
    expect(files.seen.inline![1]).toBe('/a');
  });

  it('by hand, without Nest, the marked parameters hold what the caller gave', async () => {
    const files = new Files();
    const { signal } = new AbortController();
    void files.fetch('/a', signal);
    expect(files.seen.first).toEqual(['/a', signal]);
    expect(files.seen.first![1]).toBe(signal);
  });
});

describe.each(platforms)('$name: marked parameters of a handler', (platform) => {
  afterEach(closeAll);

  it('are filled by the chain', async () => {
    const { app, url } = await listen(platform, { controllers: [FilesController] });
    expect(await (await fetch(`${url}/files/x`)).text()).toBe('backup of x');
    const { seen } = app.get(FilesController);
    expect(seen[0]).toBeInstanceOf(AbortSignal);
    expect(seen[1]).toBeInstanceOf(AbortSignal);
    expect(seen[1]).not.toBe(seen[0]);
  });
});
