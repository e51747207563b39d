/** What a test of the fleet plays in: a Redis, an upstream, and processes of the member program. */
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { compileProgram } from '../support/child-program.js';
import type { ChildProgram } from '../support/child-program.js';
import { startRedis } from '../support/redis-process.js';
import type { RedisServer } from '../support/redis-process.js';
import { describeWithRedis } from '../support/redis-server.js';
import { Hand, killAll, until } from './crew.js';
import type { Settings, Tally } from './orders.js';
import { Upstream } from './upstream.js';

/** Of a test that starts processes, ms. */
export const LIMIT = 60_000;

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

function compileMember(): Promise<ChildProgram> {
  const parts = ['member-app.ts', 'member-load.ts', 'loop-delay.ts', 'numbers.ts'].map(fileOf);
  return compileProgram(fileOf('member.ts'), parts);
}

/** How the calls of a process are answered that finds out by itself. */
export const FOUND_OUT = { 'primary:transient backup:ok': 3 };

class Scene {
  private constructor(
    readonly redis: RedisServer,
    readonly upstream: Upstream,
    private readonly program: string,
  ) {}

  static async open({ path }: ChildProgram): Promise<Scene> {
    return new Scene(await startRedis(), await Upstream.start(), path);
  }

  start(client: Settings['client'], more: Partial<Settings> = {}): Promise<Hand> {
    const { redis, upstream, program } = this;
    const own = { redis: redis.port, client, upstream: upstream.address };
    return Hand.start(program, { cooldown: 1_500, timeout: 5_000, ...own, ...more });
  }

  startAll(clients: readonly Settings['client'][], more?: Partial<Settings>): Promise<Hand[]> {
    return Promise.all(clients.map((client) => this.start(client, more)));
  }

  /** The upstream fails three calls of one process, so its circuit is open; how these were answered: FOUND_OUT. */
  breakDown(by: Hand): Promise<Tally> {
    this.upstream.mood = 'down';
    return by.ask('calls', { count: 3, inTurn: true });
  }

  async close(): Promise<void> {
    await killAll();
    await Promise.all([this.redis.close(), this.upstream.close()]);
  }
}

/** A group of tests with a scene of its own for each. @param body is given what gives the one of the running test */
export function describeFleet(title: string, body: (scene: () => Scene) => void): void {
  let program: ChildProgram;
  let scene: Scene;
  describeWithRedis(title, () => {
    beforeAll(async () => {
      program = await compileMember();
    }, LIMIT);
    afterAll(() => program.remove());
    beforeEach(async () => {
      scene = await Scene.open(program);
    }, LIMIT);
    afterEach(() => scene.close());
    body(() => scene);
  });
}

export const all = <T>(hands: readonly Hand[], act: (hand: Hand) => Promise<T>): Promise<T[]> =>
  Promise.all(hands.map(act));

export const areAll = async (hands: readonly Hand[], state: string): Promise<boolean> =>
  (await all(hands, (hand) => hand.stateOf('primary'))).every((each) => each === state);

export const untilAll = (hands: readonly Hand[], state: string): Promise<void> =>
  until(`everybody is ${state}`, () => areAll(hands, state));

export function sum(tallies: readonly Tally[]): Tally {
  const total: Tally = {};
  for (const [tried, count] of tallies.flatMap(Object.entries)) total[tried] = (total[tried] ?? 0) + count;
  return total;
}

/** So many calls at once in each process. */
export const wave = async (hands: readonly Hand[], count: number): Promise<Tally> =>
  sum(await all(hands, (hand) => hand.ask('calls', { count })));
