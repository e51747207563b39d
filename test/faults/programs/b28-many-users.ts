/** 10 000 requests of as many users, a third of them failing, on one request-scoped chain; says what was kept of them. */
import { setImmediate as turn } from 'node:timers/promises';
import { Injectable, Module, Scope } from '@nestjs/common';
import { ContextIdFactory, NestFactory } from '@nestjs/core';
import { ChainHealthService, Degraded, Fallback, FallbackEvents, FallbackModule } from 'nestjs-fallback';
import type { ChainHealth, FallbackEvent } from 'nestjs-fallback';

export interface B28Report {
  rejected: number;
  heapGrowth: number;
  snapshot: readonly ChainHealth[];
  /** everything that health says, as JSON */
  health: string;
  /** distinct values of what events and log lines name */
  labels: string[];
  lines: string[];
  /** requests whose object is still there */
  requestsAlive: number;
  /** users whose value is still served */
  kept: number[];
}

const REQUESTS = 10_000;
const WARM_UP = 1_000;

class Request {
  readonly ballast = 'x'.repeat(1_000);

  constructor(readonly user: number) {}
}

let isOutage = false;

@Injectable({ scope: Scope.REQUEST })
class Profiles {
  @Fallback('spare', { name: 'profiles', breaker: { threshold: 1_000_000 } })
  @Degraded({ lastKnownGood: { maxAge: '1h', key: (user: string) => user }, mark: 'receipt' })
  async load(user: string, url: string, request: Request): Promise<string> {
    if (isOutage || request.user % 3 === 0) throw Object.assign(new Error(`no ${user} at ${url}`), { request });
    return `profile of ${user}`;
  }

  async spare(user: string, url: string, request: Request): Promise<string> {
    if (isOutage || request.user % 6 === 0) throw Object.assign(new Error(`no spare ${user} at ${url}`), { request });
    return `spare of ${user}`;
  }
}

@Module({ imports: [FallbackModule.forRoot()], providers: [Profiles] })
class AppModule {}

const lines = new Set<string>();
const labels = new Set<string>();
const write = (line: unknown): void => void lines.add(String(line));
const quiet = (): void => {};
const app = await NestFactory.createApplicationContext(AppModule, {
  logger: { log: quiet, warn: write, error: write },
});
const health = app.get(ChainHealthService);
let isListening = true;
app.get(FallbackEvents).events$.subscribe(({ name, chain, candidate, kind, source, reason }: FallbackEvent) => {
  if (isListening) labels.add([name, chain, candidate, kind, source, reason].map(String).join(' '));
});

const alive: WeakRef<Request>[] = [];
let rejected = 0;
let heapAfterWarmUp = 0;

async function serve(user: number): Promise<void> {
  const incoming = new Request(user);
  alive.push(new WeakRef(incoming));
  const profiles = await app.resolve(Profiles, ContextIdFactory.create(), { strict: false });
  await profiles.load(`user-${user}`, `https://api.example/${user}`, incoming).catch(() => rejected++);
}

async function collected(): Promise<number> {
  for (let times = 0; times < 3; times++) {
    await turn();
    globalThis.gc!();
  }
  return process.memoryUsage().heapUsed;
}

for (let user = 1; user <= REQUESTS; user++) {
  await serve(user);
  if (user === WARM_UP) heapAfterWarmUp = await collected();
}
const heapGrowth = (await collected()) - heapAfterWarmUp;
const requestsAlive = alive.filter((each) => each.deref() !== undefined).length;
const snapshot = health.snapshot();

isOutage = true;
isListening = false;
const kept: number[] = [];
const profiles = await app.resolve(Profiles, ContextIdFactory.create(), { strict: false });
for (let user = 1; user <= REQUESTS; user++) {
  const value = await profiles.load(`user-${user}`, '', new Request(user)).catch(() => undefined);
  if (value !== undefined) kept.push(user);
}

const report: B28Report = {
  rejected,
  heapGrowth,
  snapshot,
  health: JSON.stringify([health.snapshot(), health.check(), health.describe('profiles')]),
  labels: [...labels],
  lines: [...lines],
  requestsAlive,
  kept,
};
process.stdout.write(JSON.stringify(report));
await app.close();
