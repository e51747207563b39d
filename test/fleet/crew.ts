/** Processes of the fleet as whoever started them sees them. None outlives its parent. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Orders, Seen, Settings, Tally } from './orders.js';

interface Reply {
  readonly id: number;
  readonly said?: unknown;
  readonly error?: string;
}

const running = new Set<Hand>();

/** One process. */
export class Hand {
  /** what its first calls gave, see `callsAtStart` */
  atStart: Tally = {};
  private stderr = '';
  private asked = 0;
  private readonly waiting = new Map<number, (reply: Reply) => void>();
  private readonly child: ChildProcess;
  private readonly ended: Promise<number | null>;

  private constructor(program: string, settings: Settings, nodeFlags: readonly string[]) {
    this.child = fork(program, [JSON.stringify(settings)], {
      execArgv: [...nodeFlags],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.child.on('message', (reply: Reply) => this.waiting.get(reply.id)?.(reply));
    this.ended = once(this.child, 'close').then(([code]) => {
      const error = `it has ended: ${String(code)} ${this.stderr}`;
      for (const [id, take] of this.waiting) take({ id, error });
      running.delete(this);
      return code as number | null;
    });
    running.add(this);
  }

  /** Resolves when its application has started. */
  static async start(program: string, settings: Settings, nodeFlags: readonly string[] = []): Promise<Hand> {
    const hand = new Hand(program, settings, nodeFlags);
    hand.atStart = (await hand.reply(0)) as Tally;
    return hand;
  }

  async ask<Name extends keyof Orders>(order: Name, given: Orders[Name]['give']): Promise<Orders[Name]['take']> {
    const id = ++this.asked;
    const reply = this.reply(id);
    this.child.send({ id, order, given });
    return (await reply) as Orders[Name]['take'];
  }

  see(): Promise<Seen> {
    return this.ask('see', {});
  }

  async stateOf(candidate: string): Promise<string> {
    const { circuits } = await this.see();
    return circuits.find((each) => each.candidate === candidate)!.state;
  }

  /** Closes the application: how the process ended then, `killed` if it did not by itself. */
  async close(within = 10_000): Promise<{ code: number | null | 'killed'; stderr: string }> {
    await this.ask('close', {});
    const code = await Promise.race([this.ended, pause(within, 'killed' as const, { ref: false })]);
    if (code === 'killed') await this.kill();
    return { code, stderr: this.stderr };
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private async reply(id: number): Promise<unknown> {
    const { said, error } = await new Promise<Reply>((resolve) => {
      this.waiting.set(id, resolve);
    });
    this.waiting.delete(id);
    if (error !== undefined) throw new Error(error);
    return said;
  }
}

export async function killAll(): Promise<void> {
  await Promise.all([...running].map((hand) => hand.kill()));
}

/** Looks again and again until it is so. */
export async function until(what: string, isSo: () => Promise<boolean>, within = 10_000): Promise<void> {
  const end = performance.now() + within;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`Not within ${within} ms: ${what}`);
    await pause(20);
  }
}
