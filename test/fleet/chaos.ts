/**
 * Four processes under load, with an upstream and a Redis that fail in every way: node chaos.js [--seconds=60] [--seed=7].
 * Ends with 1 if anything was wrong.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BINARY, closeServers, isInstalled, startRedis } from '../support/redis-process.js';
import { faults, moods } from './chaos-script.js';
import { tableOf, violationsOf } from './chaos-verdict.js';
import type { Member } from './chaos-verdict.js';
import { Hand, killAll, until } from './crew.js';
import { Upstream } from './upstream.js';

const CLIENTS = ['ioredis', 'node-redis', 'ioredis', 'node-redis'] as const;
const PER_SECOND = 50;
const COOLDOWN = 400;
/** Of the outage at the end, ms. */
const OUTAGE = 2_400;
/** A store that owes an answer is left alone for half a minute. */
const LONGEST_WAIT = 45_000;

const { values } = parseArgs({ options: { seconds: { type: 'string' }, seed: { type: 'string' } } });
const seconds = Number(values.seconds ?? 60);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6));
const program = fileURLToPath(new URL('member.js', import.meta.url));
const say = (text: string): void => void process.stdout.write(`${text}\n`);

if (!isInstalled) {
  say(`Not run: ${BINARY} is not installed.`);
  process.exit(process.env.CI === 'true' ? 1 : 0);
}
const redis = await startRedis();
const upstream = await Upstream.start();
const settings = { redis: redis.port, upstream: upstream.address, cooldown: COOLDOWN, timeout: 120, deadline: 300 };
const missed: string[] = [];

async function expectSoon(what: string, isSo: () => Promise<boolean>): Promise<number> {
  const from = performance.now();
  await until(what, isSo, LONGEST_WAIT).catch((error: Error) => missed.push(error.message));
  return performance.now() - from;
}

async function play(hands: readonly Hand[]): Promise<void> {
  const all = <T>(act: (hand: Hand, place: number) => Promise<T>): Promise<T[]> => Promise.all(hands.map(act));
  const are = async (candidates: readonly string[], state: string): Promise<boolean> => {
    const seen = await all((hand) => hand.see());
    const circuits = seen.flatMap((each) => each.circuits).filter(({ candidate }) => candidates.includes(candidate));
    return circuits.every((circuit) => circuit.state === state);
  };
  const allClosed = (): Promise<boolean> => are(['primary', 'backup'], 'closed');

  await all((hand) => hand.ask('calls', { count: 5 }));
  const started = performance.now();
  await all((hand, place) => hand.ask('load', { perSecond: PER_SECOND, seed: seed + place }));
  const end = started + seconds * 1_000;
  const heaps = pause((seconds * 1_000) / 3).then(() => all((hand) => hand.ask('heap', {})));
  const [counts] = await Promise.all([faults(redis, seed, end), moods(upstream, seed + 1, end)]);
  say(
    `Redis was ${Object.entries(counts)
      .map(([fault, count]) => `${fault} ${count}x`)
      .join(', ')}.`,
  );

  const back = await expectSoon('all have their store back', async () => {
    const seen = await all((hand) => hand.see());
    return seen.every(
      ({ events }) => events.findLast(({ operation }) => isOfHealth(operation))?.name !== 'store.failed',
    );
  });
  const closed = back + (await expectSoon('all circuits are closed', allClosed));
  say(`All had their store back after ${back.toFixed(0)} ms, all circuits were closed after ${closed.toFixed(0)} ms.`);

  upstream.mood = 'down';
  await expectSoon('all know of the outage', () => are(['primary'], 'open'));
  upstream.requests = 0;
  await pause(OUTAGE);
  const outage = { requests: upstream.requests, most: OUTAGE / COOLDOWN + 1 };
  say(`In an outage of ${OUTAGE} ms, with a cooldown of ${COOLDOWN} ms, there were ${outage.requests} probes.`);
  upstream.mood = 'well';
  await expectSoon('all circuits are closed after the outage', allClosed);

  const due = ((performance.now() - started) / 1_000) * PER_SECOND;
  const loads = await all((hand) => hand.ask('stopLoad', {}));
  const seen = await all((hand) => hand.see());
  const after = await all((hand) => hand.ask('heap', {}));
  const endings = await all((hand) => hand.close());
  const before = await heaps;
  const members = CLIENTS.map((client, place): Member => ({
    name: `${place + 1} (${client})`,
    load: loads[place]!,
    seen: seen[place]!,
    growth: after[place]! - before[place]!,
    ending: endings[place]!,
  }));
  say(`\n${tableOf(members)}\n`);
  const found = violationsOf({ members, due: Math.floor(due), outage, missed });
  for (const violation of found) say(`WRONG: ${violation}`);
  say(`${found.length} violations, seed ${seed}.`);
  process.exitCode = found.length > 0 ? 1 : 0;
}

function isOfHealth(operation: unknown): boolean {
  return operation === 'admit' || operation === 'record' || operation === 'control';
}

try {
  say(`${seconds} s, seed ${seed}`);
  const start = (client: (typeof CLIENTS)[number]) => Hand.start(program, { ...settings, client }, ['--expose-gc']);
  await play(await Promise.all(CLIENTS.map(start)));
} finally {
  await killAll();
  await Promise.all([upstream.close(), closeServers()]);
}
