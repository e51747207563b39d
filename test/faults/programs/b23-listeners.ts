/**
 * Three calls (healthy, fallback, exhausted) before four listeners of which three are broken; `process.argv[2]` says
 * where they listen: `none`, `observers` or `subscribers`. It says what the calls gave and what was heard.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Fallback, FallbackEvents, FallbackExhaustedError, FallbackModule } from 'nestjs-fallback';
import type { FallbackEvent } from 'nestjs-fallback';

export interface B23Report {
  /** value or message, and how long it took, of each call */
  outcomes: string[];
  took: number;
  /** the events' JSON, as the recording listener wrote it down */
  heard: string[];
  /** lines of the log that speak of listeners */
  lines: string[];
  uncaught: string[];
}

const [, , where] = process.argv;
const heard: string[] = [];
const lines: string[] = [];
const uncaught: string[] = [];
process.on('uncaughtException', (error) => uncaught.push(`exception ${String(error)}`));
process.on('unhandledRejection', (error) => uncaught.push(`rejection ${String(error)}`));

/** Nothing can write it as JSON. */
function tangled<T extends object>(object: T): T & { big: bigint; self: unknown } {
  const made: { self?: unknown } = object;
  made.self = made;
  return Object.assign(object, { big: 10n, self: made.self });
}

const listeners: readonly ((event: FallbackEvent) => unknown)[] = [
  () => {
    throw tangled(new Error('secret of the first listener'));
  },
  () => Promise.reject(tangled(new Error('secret of the second listener'))),
  () => new Promise(() => {}),
  (event) => heard.push(JSON.stringify(event)),
];

type Question = ReturnType<typeof tangled<{ isUp: boolean; isSpareUp: boolean; text: string }>>;

@Injectable()
class Things {
  @Fallback('spare', { name: 'things' })
  async load(question: Question): Promise<string> {
    if (!question.isUp) throw tangled(new Error('secret of the candidate'));
    return 'a';
  }

  async spare(question: Question): Promise<string> {
    if (!question.isSpareUp) throw tangled(new Error('secret of the spare'));
    return 'b';
  }
}

const observers = where === 'observers' ? (listeners as ((event: FallbackEvent) => void)[]) : [];
@Module({ imports: [FallbackModule.forRoot({ observers })], providers: [Things] })
class AppModule {}

const quiet = (): void => {};
const app = await NestFactory.createApplicationContext(AppModule, {
  logger: {
    log: quiet,
    error: quiet,
    warn: (line: unknown) => /observer/.test(String(line)) && lines.push(String(line)),
  },
});
Logger.flush();
if (where === 'subscribers') {
  for (const listener of listeners) app.get(FallbackEvents).events$.subscribe(listener);
}

const things = app.get(Things);
const outcomes: string[] = [];
const startedAt = performance.now();
for (const [isUp, isSpareUp] of [
  [true, true],
  [false, true],
  [false, false],
] as const) {
  const question = tangled({ isUp, isSpareUp, text: 'secret of the caller' });
  outcomes.push(
    await things
      .load(question)
      .catch((error: unknown) => `${error instanceof FallbackExhaustedError} ${String(error)}`),
  );
}
const took = performance.now() - startedAt;
await sleep(20);
await app.close();
const report: B23Report = { outcomes, took, heard, lines, uncaught };
process.stdout.write(JSON.stringify(report));
