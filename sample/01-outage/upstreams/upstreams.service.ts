import { ConflictException, Injectable } from '@nestjs/common';
import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { Upstream } from './upstream.js';
import type { Mood } from './upstream.js';

export const UPSTREAMS = ['model', 'atlas', 'beacon', 'compass'] as const;
export type UpstreamName = (typeof UPSTREAMS)[number];

/** Starts the upstreams with the application, knows where they listen, and breaks them when asked. */
@Injectable()
export class UpstreamsService implements OnModuleInit, OnApplicationShutdown {
  private readonly upstreams = new Map<UpstreamName, Upstream>();

  async onModuleInit(): Promise<void> {
    await Promise.all(UPSTREAMS.map((name) => this.start(name)));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.kill(...UPSTREAMS);
  }

  /** Where an upstream listens; a killed one still has its last address, and nobody answers there. */
  url(name: UpstreamName, path: string, query: Record<string, string>): URL {
    return new URL(`${path}?${new URLSearchParams(query).toString()}`, this.get(name).url);
  }

  /** A new process on a new port. */
  async start(name: UpstreamName): Promise<void> {
    await this.upstreams.get(name)?.kill();
    this.upstreams.set(name, await Upstream.start(new URL(`./servers/${name}.mjs`, import.meta.url)));
  }

  async kill(...names: readonly UpstreamName[]): Promise<void> {
    await Promise.all(names.map(async (name) => this.upstreams.get(name)?.kill()));
  }

  async tell(name: UpstreamName, mood: Mood): Promise<void> {
    const upstream = this.get(name);
    if (!upstream.isRunning) throw new ConflictException(`${name} is not running, start it first`);
    await upstream.tell(mood);
  }

  async holds(name: UpstreamName, requests: number): Promise<void> {
    await this.get(name).holds(requests);
  }

  async releases(name: UpstreamName): Promise<void> {
    await this.get(name).releases();
  }

  private get(name: UpstreamName): Upstream {
    const upstream = this.upstreams.get(name);
    if (upstream === undefined) throw new Error(`The upstream ${name} was never started`);
    return upstream;
  }
}
