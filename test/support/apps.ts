import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import type { TestingModule, TestingModuleBuilder } from '@nestjs/testing';
import { FallbackModule } from '../../lib/index.js';
import type { FallbackModuleOptions } from '../../lib/index.js';

/** One HTTP platform of the tables: `describe.each(platforms)`. */
export interface Platform {
  readonly name: 'Express' | 'Fastify';
  create(module: TestingModule): INestApplication;
}

export const platforms: readonly Platform[] = [
  { name: 'Express', create: (module) => module.createNestApplication(new ExpressAdapter(), { logger: false }) },
  { name: 'Fastify', create: (module) => module.createNestApplication(new FastifyAdapter(), { logger: false }) },
];

/** An application that listens on a port of its own. */
export interface Running {
  readonly app: INestApplication;
  readonly url: string;
  readonly port: number;
}

const open = new Set<{ close(): Promise<void> }>();

/** Closes everything that `boot` and `listen` opened: call it in `afterEach` or `afterAll`. */
export async function closeAll(): Promise<void> {
  const all = [...open];
  open.clear();
  await Promise.all(all.map((each) => each.close()));
}

/** Lets `closeAll` close something that was opened in another way. */
export function closeLater(opened: { close(): Promise<void> }): void {
  open.add(opened);
}

export type Parts = ModuleMetadata & {
  /** options of `FallbackModule.forRoot()`; `null` leaves the module out */
  fallback?: FallbackModuleOptions | null;
};

/** The builder of a test module with FallbackModule and these parts; it logs nothing unless told to. */
export function building({ fallback = {}, imports = [], ...parts }: Parts): TestingModuleBuilder {
  const own = fallback === null ? [] : [FallbackModule.forRoot({ logger: false, ...fallback })];
  return Test.createTestingModule({ ...parts, imports: [...own, ...imports] });
}

/** Starts an application without HTTP. */
export async function boot(parts: Parts): Promise<TestingModule> {
  const module = await building(parts).compile();
  await module.init();
  open.add(module);
  return module;
}

/** Starts an HTTP application on a free port of the loopback interface. */
export async function listen(
  platform: Platform,
  parts: Parts,
  prepare: (app: INestApplication) => void = () => {},
): Promise<Running> {
  const app = platform.create(await building(parts).compile());
  prepare(app);
  await app.listen(0, '127.0.0.1');
  open.add(app);
  const { port } = app.getHttpServer().address() as { port: number };
  return { app, port, url: `http://127.0.0.1:${port}` };
}
