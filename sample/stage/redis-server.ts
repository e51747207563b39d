import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { until } from './until.js';

const BINARY = 'redis-server';

/** Redis cannot notice that we are gone. A shell waits for the end of our pipe, however it comes, and kills it. */
const GUARDIAN = `${BINARY} "$@" & cat; kill -9 $!; wait`;

/** What to say where there is no Redis; undefined where there is. */
export function lacksRedis(): string | undefined {
  if (spawnSync(BINARY, ['--version']).status === 0) return undefined;
  return `${BINARY} is not installed; get it by "apt-get install redis-server" or "brew install redis".`;
}

/** A Redis of our own, a process that can be killed for real. It keeps nothing on disk. */
export class RedisServer {
  private guardian: ChildProcess | undefined;
  private port = 0;

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Empty, and always on the same port. */
  async start(): Promise<void> {
    await this.kill();
    if (this.port === 0) this.port = await freePort();
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.guardian = spawn('sh', ['-c', GUARDIAN, BINARY, ...options], {
      detached: true, // Ctrl+C is for us, and must not end the guardian before its ward.
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await until(`${BINARY} answers`, () => this.isListening());
  }

  /** SIGKILL: it cannot say goodbye, and all that it knew is gone. */
  async kill(): Promise<void> {
    const { guardian } = this;
    if (guardian === undefined) return;
    this.guardian = undefined;
    const gone = once(guardian, 'exit');
    guardian.stdin!.end();
    await gone;
  }

  private async isListening(): Promise<boolean> {
    const socket = connect(this.port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return isOpen;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
