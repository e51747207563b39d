import { ConflictException } from '@nestjs/common';
import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { Upstream } from './upstream.js';

/** Starts upstreams with the application, knows where they listen, and breaks them when asked. */
export abstract class Upstreams<Name extends string, Mood extends string>
  implements OnModuleInit, OnApplicationShutdown
{
  private readonly running = new Map<Name, Upstream>();

  /** @param folder where the servers' scripts are */
  constructor(
    private readonly names: readonly Name[],
    private readonly folder: URL,
  ) {}

  async onModuleInit(): Promise<void> {
    await Promise.all(this.names.map((name) => this.start(name)));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.kill(...this.names);
  }

  /** Where an upstream listens; a killed one still has its last address, and nobody answers there. */
  url(name: Name, path: string, query: Record<string, string> = {}): URL {
    const url = new URL(path, this.get(name).url);
    url.search = new URLSearchParams(query).toString();
    return url;
  }

  /** A new process on a new port. */
  async start(name: Name): Promise<void> {
    await this.running.get(name)?.kill();
    this.running.set(name, await Upstream.start(new URL(`${name}.mjs`, this.folder)));
  }

  async kill(...names: readonly Name[]): Promise<void> {
    await Promise.all(names.map(async (name) => this.running.get(name)?.kill()));
  }

  async tell(name: Name, mood: Mood): Promise<void> {
    const upstream = this.get(name);
    if (!upstream.isRunning) throw new ConflictException(`${name} is not running, start it first`);
    await upstream.tell(mood);
  }

  async holds(name: Name, requests: number): Promise<void> {
    await this.get(name).holds(requests);
  }

  async releases(name: Name): Promise<void> {
    await this.get(name).releases();
  }

  private get(name: Name): Upstream {
    const upstream = this.running.get(name);
    if (upstream === undefined) throw new Error(`The upstream ${name} was never started`);
    return upstream;
  }
}
