import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';

/** What an upstream says to us, one thing per message. */
interface Said {
  port?: number;
  mood?: string;
  /** requests that it has taken and does not answer */
  held?: number;
}

/** One upstream server: a process of its own that can be killed for real. */
export class Upstream {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  static async start(script: URL): Promise<Upstream> {
    const child = fork(script, { execArgv: [] });
    const { port } = await hear(child, (said) => said.port !== undefined);
    return new Upstream(child, `http://127.0.0.1:${port}`);
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  async tell(mood: string): Promise<void> {
    const heard = hear(this.child, (said) => said.mood === mood);
    this.child.send({ mood });
    await heard;
  }

  /** Resolves when the upstream holds this many requests that it does not answer. */
  async holds(requests: number): Promise<void> {
    await hear(this.child, ({ held = 0 }) => held >= requests);
  }

  /** Resolves when a request that it held has gone. */
  async releases(): Promise<void> {
    await hear(this.child, ({ held }) => held === 0);
  }

  /** SIGKILL: it cannot say goodbye, open connections break. */
  async kill(): Promise<void> {
    if (!this.isRunning) return;
    const gone = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await gone;
  }
}

/** Waits for something that a child says. */
export async function hear(child: ChildProcess, isIt: (said: Said) => boolean): Promise<Said> {
  for await (const [said] of on(child, 'message', { close: ['exit'] }) as AsyncIterable<[Said]>) {
    if (isIt(said)) return said;
  }
  throw new Error('A child process exited before it said what we waited for');
}
