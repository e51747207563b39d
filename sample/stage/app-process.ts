import { fork } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { Logger } from '@nestjs/common';
import type { ChainHealth, FallbackEvent } from 'nestjs-fallback';
import { answerOf } from './answer.js';
import type { Answer } from './answer.js';
import { hear } from './upstream.js';

/** How long an application may take to shut down, ms. */
const PATIENCE = 5_000;

/** One process of an application, as its clients and its log see it. */
export class AppProcess {
  /** all that it has told */
  readonly events: FallbackEvent[] = [];
  url = '';
  private readonly logger: Logger;
  private child: ChildProcess | undefined;

  /** @param name for people */
  constructor(readonly name: string) {
    this.logger = new Logger(name);
  }

  /** Resolves when it listens. */
  async start(script: URL, env: Record<string, string>): Promise<void> {
    const stdio: StdioOptions = ['ignore', 'ignore', 'inherit', 'ipc'];
    const child = (this.child = fork(script, { execArgv: [], env: { ...process.env, ...env }, stdio }));
    child.on('message', ({ event }: { event?: FallbackEvent }) => {
      if (event !== undefined) this.note(event);
    });
    const { port } = await hear(child, (said) => said.port !== undefined);
    this.url = `http://127.0.0.1:${port}`;
  }

  async get(path: string): Promise<Answer> {
    const response = await fetch(this.url + path);
    await response.arrayBuffer();
    const age = response.headers.get('Age');
    return { ...answerOf(response), ...(age !== null && { age: Number(age) * 1_000 }) };
  }

  forgetEvents(): void {
    this.events.length = 0;
  }

  async health(): Promise<ChainHealth> {
    const response = await fetch(`${this.url}/health`);
    return (await response.json()) as ChainHealth;
  }

  /** SIGTERM: what a deployment sends. */
  async stop(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit', { signal: AbortSignal.timeout(PATIENCE) });
    child.kill('SIGTERM');
    await gone.catch(() => child.kill('SIGKILL'));
  }

  private note(event: FallbackEvent): void {
    this.events.push(event);
    const { name, candidate, by, operation } = event;
    if (/^(circuit|store)\./.test(name)) this.logger.warn(`${name} ${JSON.stringify({ candidate, by, operation })}`);
  }
}
