/** What two copies of the package in one process make of each other, as data. */
import 'reflect-metadata';
import { getEventListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Receipt } from '../../../lib/index.js';
import { classesOf, down } from './classes.js';
import type { Copy, Kind } from './classes.js';

export type Report = Awaited<ReturnType<typeof report>>;

const KINDS: readonly Kind[] = ['rateLimited', 'transient', 'terminal', 'unsupported', 'denied', 'budgetExhausted'];
/** A time that nothing else waits for. */
const TIMEOUT = 54_321;
const TOKENS = ['CHAIN_HEALTH', 'FALLBACK_SERVICE', 'FALLBACK_EVENTS'];
const CLASSES = ['ChainHealthService', 'FallbackService', 'FallbackEvents'];

const errorOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no error',
    (error: unknown) => error,
  );
const versionOf = (name: string): string => {
  const entry = createRequire(process.argv[1]!).resolve(name);
  return (JSON.parse(readFileSync(join(dirname(entry), 'package.json'), 'utf8')) as { version: string }).version;
};
const summary = (receipt: Receipt | undefined) =>
  receipt && { chain: receipt.chain, source: receipt.source, servedBy: receipt.servedBy, degraded: receipt.degraded };

export async function report(copies: Readonly<Record<'esm' | 'cjs', Copy>>, ofModule: 'esm' | 'cjs') {
  const mine = copies[ofModule];
  const other = copies[ofModule === 'esm' ? 'cjs' : 'esm'];
  const both = [mine, other];
  const { Mirror, Host, Child, Handlers, failing } = classesOf(mine, other);

  class App {}
  Module({
    imports: [mine.FallbackModule.forRoot({ logger: false })],
    controllers: [Handlers],
    providers: [Mirror, Host, Child, { provide: 'OTHER', useClass: other.FallbackService }],
  })(App);
  const app = await NestFactory.create(App, { logger: false });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const host = app.get(Host);
  const health = app.get(mine.ChainHealthService);
  const services = [app.get(mine.FallbackService), app.get<InstanceType<Copy['FallbackService']>>('OTHER')];

  const isOf = (
    error: unknown,
    name: 'FallbackExhaustedError' | 'AttemptTimeoutError' | 'FallbackConfigurationError',
  ) => both.map((copy) => error instanceof copy[name]);

  async function decorated() {
    return {
      answers: [await host.read('backup'), await host.read('mirror')],
      byHand: String(await errorOf(new Host().read('backup'))),
      policyOfBoth: await host.ofBoth(),
      child: await app.get(Child).ofBoth(),
      chains: health.snapshot().map(({ chain }) => chain),
    };
  }

  async function brands() {
    const envelopes = [await host.served(true), await host.served(false)];
    const { value, receipt } = await services[0]!.withReceipt(() => host.deferred());
    const nesting = await services[0]!.withReceipt(() => host.nesting());
    const inOther = other.createFallbackChain([down, mine.createFallbackChain([() => 'inner'], { name: 'mine' })]);
    return {
      envelopes: envelopes.map(({ value: inside, servedBy }) => [inside, servedBy]),
      deferred: [value, summary(receipt)],
      nesting: [nesting.value, summary(nesting.receipt), nesting.receipt!.attempts.map(({ kind }) => kind)],
      chainInChain: [await inOther.run(), inOther.health().map(({ candidate }) => candidate)],
    };
  }

  async function errors() {
    const exhausted = await errorOf(host.exhausted());
    const ofFunctions = await errorOf(failing.run());
    const kinds: unknown[] = [];
    for (const kind of KINDS) {
      const call = services[0]!.withReceipt(() => host.fails(kind));
      const told = await call.then(
        ({ receipt }) => receipt,
        (error: unknown) => mine.receiptOf(error),
      );
      kinds.push([kind, told?.attempts[0]?.kind]);
    }
    const configuration = await errorOf((async () => other.createFallbackChain([]))());
    return {
      exhausted: isOf(exhausted, 'FallbackExhaustedError'),
      notATimeout: isOf(exhausted, 'AttemptTimeoutError'),
      ofFunctions: isOf(ofFunctions, 'FallbackExhaustedError'),
      configuration: isOf(configuration, 'FallbackConfigurationError'),
      gated: await host.slow(),
      kinds,
    };
  }

  async function receipts() {
    const error = await errorOf(host.exhausted());
    const answer = await host.ofBoth();
    const scopes = [];
    for (const [place, service] of services.entries()) {
      const seen = await service.withReceipt(async () => {
        await host.read('backup');
        await host.ofBoth();
        return services[1 - place]!.currentReceipts().map(({ chain }) => chain);
      });
      scopes.push({ seenByTheOther: seen.value, collected: seen.receipts.map(({ chain }) => chain) });
    }
    return {
      ofError: both.map((copy) => copy.receiptOf(error)?.chain),
      ofAnswer: both.map((copy) => summary(copy.receiptOf(answer))),
      areTheSame: mine.receiptOf(answer) === other.receiptOf(answer),
      scopes,
    };
  }

  /** Two chains with one circuit, each decorated with another copy; it opens at the second failure. */
  async function circuits() {
    const attempts = [];
    for (const method of ['one', 'two', 'one', 'two'] as const) {
      const error = await errorOf(host[method]());
      attempts.push(mine.receiptOf(error)?.attempts.map(({ kind, reason }) => reason ?? kind));
    }
    const states = ['one', 'two'].map((chain) => health.snapshot(chain).candidates[0]!.state);
    return { attempts, states };
  }

  async function signals() {
    const caller = new AbortController();
    const calls = [
      host.waits(caller.signal),
      host.outer(caller.signal),
      mine.fallback([() => new Promise(() => {})], { signal: caller.signal }),
      other.fallback([() => new Promise(() => {})], { signal: caller.signal }),
    ].map(errorOf);
    await new Promise((resolve) => setImmediate(resolve));
    const { innerSignal } = app.get(Mirror);
    const listeners = getEventListeners(caller.signal, 'abort').length;
    const reason = new Error('gone');
    caller.abort(reason);
    const ends = (await Promise.all(calls)).map((error) => error === reason);
    const innerAborted = innerSignal?.aborted === true && innerSignal !== caller.signal;
    return { listeners, ends, innerAborted, left: getEventListeners(caller.signal, 'abort').length };
  }

  async function timers() {
    const { setTimeout: original } = globalThis;
    let started = 0;
    globalThis.setTimeout = ((fn: () => void, delay?: number) => {
      if (delay === TIMEOUT) started++;
      return original(fn, delay);
    }) as typeof setTimeout;
    const caller = new AbortController();
    const run = (copy: Copy) =>
      copy.fallback([() => new Promise(() => {})], { timeout: TIMEOUT, signal: caller.signal });
    const calls = [run(mine), run(other), run(mine)].map(errorOf);
    caller.abort();
    await Promise.all(calls);
    globalThis.setTimeout = original;
    return { started };
  }

  async function http() {
    const get = async (path: string) => {
      const response = await fetch(`${url}/${path}`);
      return [response.status, response.headers.get('degraded'), ((await response.json()) as { error?: string }).error];
    };
    return { degraded: await get('degraded'), exhausted: await get('exhausted'), functions: await get('functions') };
  }

  function tokens() {
    const known = TOKENS.filter((name) => name in mine);
    return known.map((name) => {
      const of = (copy: Copy, what: string): unknown => (copy as unknown as Record<string, unknown>)[what];
      const service: unknown = app.get(of(mine, CLASSES[TOKENS.indexOf(name)]!) as string);
      return [name, ...both.map((copy) => app.get(of(copy, name) as symbol) === service)];
    });
  }

  const said = {
    nest: versionOf('@nestjs/core'),
    areTwo: mine.FallbackModule !== other.FallbackModule && mine.FallbackChain !== other.FallbackChain,
    decorated: await decorated(),
    brands: await brands(),
    errors: await errors(),
    receipts: await receipts(),
    circuits: await circuits(),
    signals: await signals(),
    timers: await timers(),
    http: await http(),
    tokens: tokens(),
  };
  await app.close();
  return said;
}
