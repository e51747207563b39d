import { Inject, Injectable, Module } from '@nestjs/common';
import type { INestApplicationContext, Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Cron, ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FallbackExhaustedError, FallbackModule, FallbackService, receiptOf } from '../../../lib/index.js';
import type { FallbackEvent, FallbackModuleOptions } from '../../../lib/index.js';
import { closeAll, closeLater, listen, platforms } from '../../support/apps.js';
import { Queue } from './support/queue.js';
import type { Job } from './support/queue.js';
import { ANSWERS, Quotes, SUBSTITUTE, outage } from './support/quotes.js';
import type { Quote } from './support/quotes.js';

const NEVER = '0 0 0 1 1 *';

/** A worker as queues have it: a provider with a method per job. */
@Injectable()
class QuotesProcessor {
  constructor(
    private readonly quotes: Quotes,
    private readonly fallback: FallbackService,
    @Inject(Queue) queue: Queue,
  ) {
    queue.work((job) => this.process(job));
  }

  async process(job: Job): Promise<Quote> {
    const work = () => (job.name === 'strict' ? this.quotes.strict(job.data) : this.quotes.live(job.data));
    const { value, receipt } = await this.fallback.withReceipt(work);
    job.log(`${receipt?.servedBy ?? receipt?.source}`);
    return value;
  }
}

@Injectable()
class Nightly {
  readonly quotes: Quote[] = [];
  /** receipts that a job without a scope of its own can see */
  receipts = 0;
  done: Promise<void> | undefined;

  constructor(
    private readonly live: Quotes,
    private readonly fallback: FallbackService,
  ) {}

  @Cron(NEVER, { name: 'nightly' })
  tick(): void {
    this.done = this.run();
  }

  private async run(): Promise<void> {
    this.quotes.push(await this.live.live('ACME'));
    this.receipts += this.fallback.currentReceipts().length;
  }
}

/** As its time has come. */
async function fire(app: INestApplicationContext): Promise<Nightly> {
  await app.get(SchedulerRegistry).getCronJob('nightly').fireOnTick();
  const nightly = app.get(Nightly);
  await nightly.done;
  return nightly;
}

async function context(providers: Provider[], options: FallbackModuleOptions = {}): Promise<INestApplicationContext> {
  @Module({ imports: [FallbackModule.forRoot({ logger: false, ...options }), ScheduleModule.forRoot()], providers })
  class Root {}
  const app = await NestFactory.createApplicationContext(Root, { logger: false, abortOnError: false });
  closeLater(app);
  return app;
}

describe('an application without HTTP', () => {
  beforeEach(() => {
    outage.failing = 0;
  });
  afterEach(closeAll);

  it('plain code gets every answer of the ladder', async () => {
    const quotes = (await context([Quotes])).get(Quotes);
    for (const [failing, expected] of ANSWERS.entries()) {
      outage.failing = failing;
      const quote = await quotes.live('ACME');
      expect(quote).toStrictEqual(expected);
      expect(receiptOf(quote)?.source).toBe(failing === 0 ? undefined : ['', 'candidate', 'static'][failing]);
    }
  });

  it('a worker of a queue: answers complete the job, an exhausted call fails it for the queue to try again', async () => {
    const queue = new Queue({ attempts: 2 });
    await context([Quotes, QuotesProcessor, { provide: Queue, useValue: queue }]);
    for (const [failing, expected] of ANSWERS.entries()) {
      outage.failing = failing;
      const job = queue.add('live', 'ACME');
      expect(await job.finished()).toStrictEqual(expected);
      expect(job.logs).toEqual([['live', 'internal-host-7', 'static'][failing]]);
    }
    const failed = queue.add('strict', 'ACME');
    await expect(failed.finished()).rejects.toBeInstanceOf(FallbackExhaustedError);
    expect(failed.attempts).toBe(2);
    outage.failing = 0;
    expect(await queue.add('live', 'ACME').finished()).toStrictEqual(ANSWERS[0]);
  });

  it('a cron job', async () => {
    const app = await context([Quotes, Nightly]);
    for (outage.failing = 0; outage.failing < ANSWERS.length; outage.failing += 1) await fire(app);
    const { quotes, receipts } = app.get(Nightly);
    expect(quotes).toStrictEqual([...ANSWERS]);
    expect(receipts).toBe(0);
  });

  it('a worker that the application stops under is told by a rejection', async () => {
    const events: FallbackEvent[] = [];
    const observers = [(event: FallbackEvent): void => void events.push(event)];
    const queue = new Queue({ attempts: 1 });
    const app = await context([Quotes, QuotesProcessor, { provide: Queue, useValue: queue }], { observers });
    await app.get(FallbackService).drain();
    await expect(queue.add('live', 'ACME').finished()).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
    expect(events.map(({ name, kind }) => [name, kind])).toEqual([['call.stopped', 'cancelled']]);
  });
});

describe.each(platforms)('`http: false` on $name', (platform) => {
  afterEach(closeAll);

  it('the same answers without scope and marks, and jobs beside the requests', async () => {
    const { app } = await listen(platform, {
      imports: [ScheduleModule.forRoot()],
      providers: [Quotes, Nightly],
      fallback: { http: false },
    });
    outage.failing = 2;
    expect((await fire(app)).quotes).toStrictEqual([SUBSTITUTE]);
    const { value, receipt } = await app.get(FallbackService).withReceipt(() => app.get(Quotes).live('ACME'));
    expect(value).toStrictEqual(SUBSTITUTE);
    expect(receipt).toMatchObject({ chain: 'quotes', source: 'static', degraded: true });
  });
});
