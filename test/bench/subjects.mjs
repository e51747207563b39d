/** What is measured: a chain of the built package's core, and a decorated method of a Nest provider. */
import 'reflect-metadata';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

const dist = process.env.BENCH_DIST ?? fileURLToPath(new URL('../../dist', import.meta.url));
export const load = (path) => import(pathToFileURL(join(dist, 'esm', path)).href);

export const { createFallbackChain } = await load('core/index.js');
const { AttemptSignal, Degraded, FallbackChain, FallbackModule } = await load('index.js');

export const ANSWER = { id: '7', name: 'answer' };
export const ERROR = new Error('no answer');
/** What every call is given: large enough that nobody can afford to walk through it. */
export const QUERY = Object.fromEntries([['id', '42'], ...Array.from({ length: 24 }, (_, i) => [`field${i}`, `${i}`])]);
/** Circuits that stay closed whatever happens. */
export const STURDY = { breaker: { threshold: 1e9 } };

export const good = () => async () => ANSWER;
/** A new object for each call, so that a receipt that is kept beside it is paid for. */
export const fresh = () => async () => ({ id: '7' });
/**
 * Fails a moment after it was called, as whatever waits for an answer does. The error is made beforehand: this measures
 * chains, not stack traces.
 */
export const bad = () => async () => {
  await Promise.resolve();
  throw ERROR;
};
export const many = (count, make) => Array.from({ length: count }, () => make());

/** A call of a chain of plain functions; each gets the attempt's context. */
export function engine(candidates, options = {}) {
  const chain = createFallbackChain(candidates, { args: [QUERY], ...options });
  return () => chain.run();
}

/**
 * A Nest application with one provider.
 * @param methods by name: candidates, options of the chain, `degraded`, `signal` (the second parameter is the caller's)
 */
export async function provider(methods, moduleOptions = {}) {
  class Host {}
  for (const [name, { candidates, options, degraded, signal }] of Object.entries(methods)) {
    const [first, ...others] = candidates;
    const keys = others.map((_, place) => `${name}${place + 1}`);
    keys.forEach((key, place) => define(key, others[place]));
    define(name, first);
    if (signal) for (const key of [name, ...keys]) AttemptSignal()(Host.prototype, key, 1);
    if (degraded) decorate(Degraded(degraded), name);
    decorate(FallbackChain(keys, options), name);
  }
  function define(key, value) {
    Object.defineProperty(Host.prototype, key, { value, writable: true, configurable: true });
  }
  function decorate(decorator, key) {
    const descriptor = Object.getOwnPropertyDescriptor(Host.prototype, key);
    decorator(Host.prototype, key, descriptor);
    Object.defineProperty(Host.prototype, key, descriptor);
  }
  class App {}
  Injectable()(Host);
  Module({ imports: [FallbackModule.forRoot(moduleOptions)], providers: [Host] })(App);
  const app = await NestFactory.createApplicationContext(App, { logger: false });
  return app.get(Host);
}

/** A call of one decorated method in an application of its own. */
export async function decorated(candidates, options = {}, { degraded, ...moduleOptions } = {}) {
  const host = await provider({ call: { candidates, options, degraded } }, moduleOptions);
  return () => host.call(QUERY);
}
