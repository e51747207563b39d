/**
 * An application with calls in flight that is closed, or gets SIGTERM. Says what happened, line by line as it happens,
 * since a process that is ended by a signal says nothing at its exit.
 *
 * Arguments: `close` or `sigterm`, then the calls' time limit in ms or `none`.
 */
import { writeSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Module } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationShutdown } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AttemptSignal, ChainHealthService, Fallback, FallbackModule } from 'nestjs-fallback';
import type { FallbackEvent } from 'nestjs-fallback';

export interface B26Line {
  what: string;
  /** ms since the shutdown began */
  at: number;
  detail?: unknown;
}

const [, , how, limit] = process.argv;
const options = limit === 'none' ? {} : { timeout: Number(limit) };
const begun: string[] = [];
const lag = monitorEventLoopDelay({ resolution: 1 });
let beganAt = performance.now();

function say(what: string, detail?: unknown): void {
  const line: B26Line = { what, at: performance.now() - beganAt, detail };
  writeSync(1, `${JSON.stringify(line)}\n`);
}

function hear({ name, kind }: FallbackEvent): void {
  if (name === 'attempt.settled' || name === 'call.stopped') say(name, kind);
}

@Injectable()
class Quotes implements BeforeApplicationShutdown, OnApplicationShutdown {
  @Fallback('spare', { name: 'quotes', ...options })
  async find(n: number, @AttemptSignal() signal?: AbortSignal): Promise<string> {
    begun.push(`A${n}`);
    if (n !== 1) return sleep(100, `a${n}`);
    signal!.addEventListener('abort', () =>
      say('aborted', { name: (signal!.reason as Error).name, lag: lag.max / 1e6 }),
    );
    return new Promise(() => {});
  }

  async spare(n: number): Promise<string> {
    begun.push(`B${n}`);
    return `b${n}`;
  }

  /** The drain is over. */
  beforeApplicationShutdown(): void {
    say('drained');
  }

  onApplicationShutdown(signal?: string): void {
    say('shutdown', { signal, begun, resources: process.getActiveResourcesInfo() });
  }
}

@Module({
  imports: [FallbackModule.forRoot({ drain: 200, logger: false, observers: [hear] })],
  providers: [Quotes],
})
class AppModule {}

process.on('unhandledRejection', (reason) => say('unhandled', String(reason)));
process.on('exit', (code) => say('exit', code));

const app = await NestFactory.create(AppModule, { logger: false });
app.enableShutdownHooks();
await app.listen(0, '127.0.0.1');
const quotes = app.get(Quotes);

function call(n: number): void {
  quotes.find(n).then(
    (value) => say(`call ${n}`, value),
    ({ name, code, message }: Error & { code: string }) => say(`call ${n}`, { name, code, message }),
  );
}

call(1);
call(2);
lag.enable();
beganAt = performance.now();
if (how === 'close') {
  const closed = app.close();
  setImmediate(call, 3);
  await closed;
  lag.disable();
  const { candidates } = app.get(ChainHealthService).snapshot('quotes');
  const health = candidates.map(({ state, consecutiveFailures, counts }) => ({ state, consecutiveFailures, counts }));
  say('closed', { health, begun, resources: process.getActiveResourcesInfo() });
} else {
  process.once('SIGTERM', () => setImmediate(call, 3));
  process.kill(process.pid, 'SIGTERM');
}
