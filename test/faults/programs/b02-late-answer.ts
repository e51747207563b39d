/** One call whose first candidate is abandoned; `process.argv[2]` says what comes of it afterwards. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  AttemptSignal,
  ChainHealthService,
  Degraded,
  Fallback,
  FallbackModule,
  FallbackService,
} from 'nestjs-fallback';
import type { FallbackEvent, Source } from 'nestjs-fallback';

export interface B02Report {
  /** the answer, or whether the rejection was the caller's own reason */
  outcome: string;
  /** ms from the start to the answer */
  took: number;
  /** ms that two bare timers of the same lengths took in the same process at the same time */
  bareTimersTook: number;
  invoked: string[];
  kindsOfA: (string | undefined)[];
  failuresAt40: number;
  failuresAt200: number;
  lastKnownGood: { value: string; source: Source | undefined } | null;
}

const scenario = process.argv[2];
const events: FallbackEvent[] = [];
const invoked: string[] = [];
let isOutage = false;

@Injectable()
class Feed {
  @Fallback('spare', { primary: { timeout: 20 } })
  @Degraded({ lastKnownGood: { maxAge: '1m' }, mark: 'receipt' })
  load(@AttemptSignal() _signal?: AbortSignal): Promise<string> {
    if (isOutage) return Promise.reject(new Error('A is down'));
    invoked.push('A');
    return new Promise((resolve, reject) => {
      if (scenario === 'b') setTimeout(resolve, 80, 'late');
      else setTimeout(reject, scenario === 'c' ? 20 : 80, new Error('A failed late'));
    });
  }

  async spare(): Promise<string> {
    if (isOutage) throw new Error('B is down');
    invoked.push('B');
    await sleep(10);
    return 'B';
  }
}

@Module({
  imports: [FallbackModule.forRoot({ logger: false, observers: [(event) => void events.push(event)] })],
  providers: [Feed],
})
class AppModule {}

const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
const feed = app.get(Feed);
const failuresOfA = (): number =>
  app.get(ChainHealthService).snapshot('Feed.load').candidates[0]?.consecutiveFailures ?? NaN;

const reason = { says: 'the caller went away' };
const signal = scenario === 'd' ? AbortSignal.abort(reason) : undefined;

// A fresh turn of the loop: timers are counted from its beginning.
await sleep(5);
const startedAt = performance.now();
const elapsed = (): number => performance.now() - startedAt;
const at40 = sleep(40);
const at200 = sleep(200);
const bareTimers = sleep(20)
  .then(() => sleep(10))
  .then(elapsed);
const call = feed.load(signal).then(
  (outcome) => ({ outcome, took: elapsed() }),
  (error: unknown) => ({
    outcome: error === reason ? 'rejected with the very reason' : String(error),
    took: elapsed(),
  }),
);
const { outcome, took } = await call;
await at40;
const failuresAt40 = failuresOfA();
await at200;
const failuresAt200 = failuresOfA();
const kindsOfA = events
  .filter(({ name, candidate }) => name === 'attempt.settled' && candidate === 'load')
  .map(({ kind }) => kind);

isOutage = true;
const lastKnownGood = await app
  .get(FallbackService)
  .withReceipt(() => feed.load())
  .then(
    ({ value, receipt }) => ({ value, source: receipt?.source }),
    () => null,
  );

const report: B02Report = {
  outcome,
  took,
  bareTimersTook: await bareTimers,
  invoked,
  kindsOfA,
  failuresAt40,
  failuresAt200,
  lastKnownGood,
};
process.stdout.write(JSON.stringify(report));
