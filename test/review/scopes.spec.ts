import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Controller, Get, Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ClientDisconnectedError, FallbackChain, FallbackService } from '../../lib/index.js';
import type { Receipt } from '../../lib/index.js';
import { chainsOf, gate } from '../support/answers.js';
import type { Gate } from '../support/answers.js';
import { boot, closeAll, listen, platforms } from '../support/apps.js';

@Injectable()
class Jobs {
  @FallbackChain([], { name: 'quick' })
  async quick(): Promise<string> {
    return 'quick';
  }

  @FallbackChain([], { name: 'slow' })
  async slow(begun: Gate, finish: Gate): Promise<string> {
    begun.open();
    await finish.opened;
    return 'slow';
  }
}

type Outcome = { value: unknown } | { error: unknown };
const outcomeOf = (work: Promise<unknown>): Promise<Outcome> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

/** What one request does, in hand. */
class Course {
  readonly begun = gate();
  readonly goOn = gate();
  readonly closed = gate();
  readonly answered = gate();
  readonly afterwards = gate();
  readonly result = gate<Outcome>();
  receipts: readonly Receipt[] | undefined;
  during: readonly Receipt[] | undefined;
}
let course: Course;

@Controller()
class JobsController {
  constructor(
    private readonly jobs: Jobs,
    private readonly fallback: FallbackService,
  ) {}

  /** Work that is still running when the response is sent. */
  @Get('background')
  background(): string {
    void this.work().then(course.result.open);
    return 'accepted';
  }

  /** Its background work makes calls when it has answered, be the client there or not. */
  @Get('answers-later')
  async answersLater(): Promise<string> {
    void this.work().then(course.result.open);
    course.begun.open();
    await course.goOn.opened;
    return 'answered';
  }

  /** The same where the work is inside a scope of its own. */
  @Get('with-receipt')
  async withReceipt(): Promise<string> {
    void outcomeOf(
      this.fallback.withReceipt(async () => {
        await course.afterwards.opened;
        return this.jobs.quick();
      }),
    ).then(course.result.open);
    course.begun.open();
    await course.goOn.opened;
    return 'answered';
  }

  /** A handler that still runs when its client is gone. */
  @Get('still-runs')
  async stillRuns(): Promise<string> {
    course.begun.open();
    await course.goOn.opened;
    course.result.open(await outcomeOf(this.jobs.quick()));
    return 'answered';
  }

  private async work(): Promise<Outcome> {
    await course.afterwards.opened;
    const outcome = await outcomeOf(this.jobs.quick());
    course.receipts = this.fallback.currentReceipts();
    return outcome;
  }
}

const request = (path: string): string => `GET /${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;

describe.each(platforms)('$name: work and its request', (platform) => {
  afterEach(closeAll);

  const start = async () => {
    course = new Course();
    const { closed, answered } = course;
    const { app, port, url } = await listen(platform, { controllers: [JobsController], providers: [Jobs] }, (made) =>
      made.use((_request: unknown, response: ServerResponse, next: () => void) => {
        response.once('close', () => closed.open());
        const end = response.end.bind(response) as (...args: unknown[]) => typeof response;
        response.end = ((...args: unknown[]) => {
          const given = end(...args);
          answered.open();
          return given;
        }) as never;
        next();
      }),
    );
    return { app, port, url };
  };

  const disconnect = async (port: number, path: string): Promise<void> => {
    const socket: Socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(request(path));
    await course.begun.opened;
    socket.destroy();
    await once(socket, 'close');
    await course.closed.opened;
  };

  it('what outlives its response is collected nowhere any more', async () => {
    const { url } = await start();
    expect(await (await fetch(`${url}/background`)).text()).toBe('accepted');
    await course.answered.opened;
    course.afterwards.open();
    expect(await course.result.opened).toEqual({ value: 'quick' });
    expect(course.receipts).toEqual([]);
  });

  it('is not rejected for ever, when the client left before the handler answered', async () => {
    const { port } = await start();
    await disconnect(port, 'answers-later');
    course.goOn.open();
    await course.answered.opened;
    course.afterwards.open();
    expect(await course.result.opened).toEqual({ value: 'quick' });
    expect(course.receipts).toEqual([]);
  });

  it('neither is it inside a withReceipt of its own', async () => {
    const { port } = await start();
    await disconnect(port, 'with-receipt');
    course.goOn.open();
    await course.answered.opened;
    course.afterwards.open();
    expect(await course.result.opened).toMatchObject({ value: { value: 'quick', receipt: { chain: 'quick' } } });
  });

  it('a handler that still runs when its client is gone has its calls ended', async () => {
    const { port } = await start();
    await disconnect(port, 'still-runs');
    course.goOn.open();
    expect(await course.result.opened).toEqual({ error: expect.any(ClientDisconnectedError) });
  });

  it('so has background work while the handler still runs', async () => {
    const { port } = await start();
    await disconnect(port, 'answers-later');
    course.afterwards.open();
    expect(await course.result.opened).toEqual({ error: expect.any(ClientDisconnectedError) });
    course.goOn.open();
    await course.answered.opened;
  });
});

describe('work that outlives its withReceipt', () => {
  afterEach(closeAll);

  it('adds no receipt to what was handed out, and has none of its own', async () => {
    const module = await boot({ providers: [Jobs] });
    const [jobs, fallback] = [module.get(Jobs), module.get(FallbackService)];
    const [begun, finish] = [gate(), gate()];
    let work: Promise<unknown> | undefined;
    let late: readonly Receipt[] | undefined;
    const { receipts } = await fallback.withReceipt(async () => {
      await jobs.quick();
      const outlive = async (): Promise<void> => {
        await jobs.slow(begun, finish);
        await jobs.quick();
        late = fallback.currentReceipts();
      };
      work = outlive();
      await begun.opened;
    });
    expect(chainsOf(receipts)).toEqual(['quick']);
    finish.open();
    await work;
    expect(chainsOf(receipts)).toEqual(['quick']);
    expect(late).toEqual([]);
  });

  it('also when it failed, and adds nothing to the scope around it once that is over', async () => {
    const module = await boot({ providers: [Jobs] });
    const [jobs, fallback] = [module.get(Jobs), module.get(FallbackService)];
    const [begun, finish] = [gate(), gate()];
    let work: Promise<unknown> | undefined;
    const outer = await fallback.withReceipt(async () => {
      const inner = fallback.withReceipt(() => {
        work = jobs.slow(begun, finish);
        throw new Error('failed');
      });
      await expect(inner).rejects.toThrow('failed');
    });
    finish.open();
    expect(await work).toBe('slow');
    expect(outer.receipts).toEqual([]);
  });
});
