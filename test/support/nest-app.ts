/** Real Nest applications for tests: started with FallbackModule, closed after the test, on both HTTP platforms. */
import { Module } from '@nestjs/common';
import type {
  DynamicModule,
  INestApplication,
  INestApplicationContext,
  LoggerService,
  Provider,
  Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ChainHealthService, FallbackModule, FallbackService } from '../../lib/index.js';
import type { CandidateHealth, FallbackEvent, FallbackModuleOptions } from '../../lib/index.js';

export interface AppParts {
  readonly imports?: DynamicModule['imports'];
  readonly providers?: Provider[];
  readonly controllers?: Type[];
  readonly options?: FallbackModuleOptions;
  /** default: silent */
  readonly logger?: LoggerService;
}

export interface StartedApp<App extends INestApplicationContext = INestApplicationContext> {
  readonly app: App;
  /** everything that observers heard, in order */
  readonly events: FallbackEvent[];
  readonly health: ChainHealthService;
  readonly fallback: FallbackService;
}

export interface StartedServer extends StartedApp<INestApplication> {
  /** GET over loopback */
  readonly get: (path: string, headers?: Record<string, string>) => Promise<HttpAnswer>;
}

interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** the body parsed as JSON */
  readonly json: () => unknown;
}

export const PLATFORMS = ['Express', 'Fastify'] as const;
export type Platform = (typeof PLATFORMS)[number];

const started = new Set<INestApplicationContext>();

/** For `afterEach`. */
export async function closeApps(): Promise<void> {
  const apps = [...started];
  started.clear();
  for (const app of apps) await app.close();
}

/** An application without HTTP. */
export async function startApp(parts: AppParts): Promise<StartedApp> {
  const events: FallbackEvent[] = [];
  const options = { abortOnError: false, logger: parts.logger ?? false } as const;
  const app = await NestFactory.createApplicationContext(rootOf(parts, events), options);
  return withTools(app, events);
}

/** An application that listens on loopback. */
export async function startServer(platform: Platform, parts: AppParts): Promise<StartedServer> {
  const events: FallbackEvent[] = [];
  const root = rootOf(parts, events);
  const options = { abortOnError: false, logger: parts.logger ?? false } as const;
  const app =
    platform === 'Express'
      ? await NestFactory.create(root, options)
      : await NestFactory.create(root, new FastifyAdapter(), options);
  started.add(app);
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return { ...withTools(app, events), get: (path, headers = {}) => get(`${url}${path}`, headers) };
}

/** What the snapshot says of one candidate. */
export function candidateIn(health: ChainHealthService, chain: string, candidate: string): CandidateHealth {
  const found = health.snapshot(chain).candidates.find((each) => each.candidate === candidate);
  if (found === undefined) throw new Error(`${chain} has no candidate ${candidate}`);
  return found;
}

/** The outcome events of one candidate. */
export function settledOf(events: readonly FallbackEvent[], candidate: string): FallbackEvent[] {
  return events.filter((event) => event.name === 'attempt.settled' && event.candidate === candidate);
}

function withTools<App extends INestApplicationContext>(app: App, events: FallbackEvent[]): StartedApp<App> {
  started.add(app);
  return { app, events, health: app.get(ChainHealthService), fallback: app.get(FallbackService) };
}

function rootOf({ imports = [], providers = [], controllers = [], options = {} }: AppParts, events: FallbackEvent[]) {
  @Module({})
  class Root {}
  const observers = [...(options.observers ?? []), (event: FallbackEvent): void => void events.push(event)];
  const root: DynamicModule = {
    module: Root,
    imports: [FallbackModule.forRoot({ ...options, observers }), ...imports],
    providers,
    controllers,
  };
  return root;
}

async function get(url: string, headers: Record<string, string>): Promise<HttpAnswer> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) as unknown };
}
