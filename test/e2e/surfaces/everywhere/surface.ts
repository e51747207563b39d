import { expect } from '@jest/globals';
import type { ChainHealthService } from '../../../../lib/index.js';
import { SPEAKERS, asked, hostOf, outage } from './host.js';
import type { Hosted, Order, Shape } from './host.js';

/** One application in which the method lives. */
export interface Started {
  readonly health: ChainHealthService;
  /** every way in which the surface calls the method; each gives what the surface's own caller gets to hear */
  readonly calls: readonly (() => unknown)[];
}

/** One place where a decorated method may live. */
export interface Surface {
  readonly name: string;
  readonly shape?: Shape;
  readonly start: (hosted: Hosted) => Promise<Started | readonly Started[]>;
}

/** All that must hold wherever a decorated method lives. */
export async function expectProtected({ shape = {}, start }: Surface, order: Order): Promise<void> {
  const hosted = hostOf(shape, order);
  const started: Started[] = [];
  for (const { calls, health } of started.concat(await start(hosted))) {
    for (const call of calls) {
      for (const failing of SPEAKERS.keys()) await expectAnswer(hosted, failing, call);
    }
    await expectBareByHand(hosted);
    expectCountedOnce(hosted, health, calls.length);
  }
}

/** What is documented to have no ladder: its own answers and errors, and nothing is counted. */
export async function expectBare({ shape = {}, start }: Surface, order: Order): Promise<void> {
  const hosted = hostOf(shape, order);
  const { calls, health } = (await start(hosted)) as Started;
  for (const call of calls) {
    await expectAnswer(hosted, 0, call);
    outage.failing = 1;
    expect(await outcomeOf(call)).toBe('failed');
    expect(asked.map(({ by }) => by)).toEqual(['primary', 'primary']);
  }
  expect(health.snapshot()).toEqual([]);
}

async function outcomeOf(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch {
    return 'failed';
  }
}

async function expectAnswer({ numberOf }: Hosted, failing: number, call: () => unknown): Promise<void> {
  asked.length = 0;
  outage.failing = failing;
  const heard = await call();
  expect(asked.map(({ by }) => by)).toEqual(SPEAKERS.slice(0, failing + 1));
  const { self } = asked[0]!;
  for (const each of asked) if (each.by !== 'mirror') expect(each.self).toBe(self);
  const speaker = SPEAKERS[failing]!;
  expect(heard).toBe(speaker === 'mirror' ? speaker : `${speaker} of ${numberOf(self)}`);
}

async function expectBareByHand({ Host, method }: Hosted): Promise<void> {
  asked.length = 0;
  outage.failing = 1;
  const byHand = new Host();
  await expect(byHand[method]!()).rejects.toThrow('the primary is down');
  expect(asked).toEqual([{ by: 'primary', self: byHand }]);
}

/** Each caller was answered once by each speaker. */
function expectCountedOnce({ method }: Hosted, health: ChainHealthService, callers: number): void {
  const chain = typeof method === 'symbol' ? `Host[${String(method)}]` : `Host.${method}`;
  const [primary, backup, mirror] = [3, 2, 1].map((failures) => ({ ok: callers, transient: failures * callers }));
  expect(health.snapshot().map((each) => each.chain)).toEqual([chain]);
  expect(health.snapshot(chain).candidates.map(({ candidate, counts }) => [candidate, counts])).toEqual([
    [String(method), primary],
    ['backup', backup],
    ['Mirror.show', mirror],
  ]);
}
