/**
 * Real Redis servers, each a process of its own on a free port of this machine, with nothing kept on disk. None outlives
 * the test run: its parent is a shell that kills it as soon as this process has closed its pipe, or has died.
 */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export const BINARY = 'redis-server';
export const isInstalled = spawnSync(BINARY, ['--version']).status === 0;
const GUARDIAN = `${BINARY} "$@" >&2 & echo $!; cat >/dev/null; kill -9 $!; wait`;
/** A server that does not answer by then never will. */
const LONGEST_START = 10_000;

const running = new Set<RedisServer>();

export async function closeServers(): Promise<void> {
  await Promise.all([...running].map((server) => server.close()));
}

export class RedisServer {
  private readonly folder = mkdtempSync(join(tmpdir(), 'nestjs-fallback-redis-'));
  private guardian: ChildProcess | undefined;
  private pid = 0;

  constructor(
    readonly port: number,
    private readonly args: readonly string[],
  ) {
    running.add(this);
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.folder];
    const args = [...options, '--save', '', '--appendonly', 'no', ...this.args];
    const guardian = spawn('sh', ['-c', GUARDIAN, 'guardian', ...args], {
      detached: true, // so that Ctrl-C does not end the guardian before its ward
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.guardian = guardian;
    this.pid = await new Promise((resolve, reject) => {
      guardian.once('error', reject);
      guardian.stdout.once('data', (said: Buffer) => resolve(Number(said)));
    });
    for (let waited = 0; !(await this.answers()); waited += 20) {
      if (waited > LONGEST_START) throw new Error(`${BINARY} does not answer on port ${this.port}`);
      await pause(20);
    }
  }

  /** At once, as by a power cut; all that it knew is gone. */
  async kill(): Promise<void> {
    const { guardian } = this;
    if (guardian === undefined) return;
    this.guardian = undefined;
    const ended = once(guardian, 'close');
    guardian.stdin!.end();
    await ended;
  }

  /** It still takes connections, and answers nobody. */
  stop(): void {
    process.kill(this.pid, 'SIGSTOP');
  }

  resume(): void {
    process.kill(this.pid, 'SIGCONT');
  }

  /** Empty, on the same port. */
  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  async close(): Promise<void> {
    running.delete(this);
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** An error, of a missing password say, is an answer too. */
  private answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1', () => socket.write('PING\r\n'));
      const end = (isAnswer: boolean): void => {
        socket.destroy();
        resolve(isAnswer);
      };
      socket.once('data', () => end(true));
      socket.once('error', () => end(false));
      socket.once('close', () => end(false));
    });
  }
}

/** A server that answers. @param args as of the command line: `'--requirepass', 'secret'` */
export async function startRedis(...args: string[]): Promise<RedisServer> {
  const server = new RedisServer(await freePort(), args);
  await server.start();
  return server;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
