/** 1 000 calls that share one signal which is never aborted; says what they left behind, and when the process ended. */
import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AttemptSignal, ChainHealthService, Fallback, FallbackModule } from 'nestjs-fallback';

export interface B01Report {
  wrongValues: string[];
  failuresOfA: number | undefined;
  listeners: number;
  warnings: string[];
  timeoutsBefore: number;
  timeoutsAfter: number;
  endedAfter: number;
}

const CALLS = 1_000;

@Injectable()
class Catalogue {
  @Fallback('spare', { timeout: 30_000, breaker: { threshold: 1_000_000 } })
  async find(n: number, @AttemptSignal() _signal?: AbortSignal): Promise<string> {
    await turn();
    if (n % 2 === 0) throw new Error('A is down');
    return `a${n}`;
  }

  async spare(n: number, @AttemptSignal() _signal?: AbortSignal): Promise<string> {
    await turn();
    return `b${n}`;
  }
}

@Module({ imports: [FallbackModule.forRoot({ logger: false })], providers: [Catalogue] })
class AppModule {}

function timeouts(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
}

const warnings: string[] = [];
process.on('warning', ({ name }) => warnings.push(name));

const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
const catalogue = app.get(Catalogue);
const { signal } = new AbortController();
const timeoutsBefore = timeouts();
const wrongValues: string[] = [];
for (let n = 1; n <= CALLS; n++) {
  const value = await catalogue.find(n, signal);
  if (value !== `${n % 2 === 0 ? 'b' : 'a'}${n}`) wrongValues.push(`${n}: ${value}`);
}
const lastCallAt = performance.now();
const timeoutsAfter = timeouts();
// Warnings are emitted a turn later.
await turn();

process.on('exit', () => {
  const report: B01Report = {
    wrongValues,
    failuresOfA: app.get(ChainHealthService).snapshot('Catalogue.find').candidates[0]?.counts.transient,
    listeners: getEventListeners(signal, 'abort').length,
    warnings,
    timeoutsBefore,
    timeoutsAfter,
    endedAfter: performance.now() - lastCallAt,
  };
  process.stdout.write(JSON.stringify(report));
});
