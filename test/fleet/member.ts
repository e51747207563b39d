/** One process of the fleet: node member.js <settings as JSON>, with a channel to whoever started it. */
import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { ChainHealthService, FallbackService } from 'nestjs-fallback';
import type { FallbackEvent } from 'nestjs-fallback';
import { start } from './member-app.js';
import { Load } from './member-load.js';
import type { Orders, Seen, Settings, Tally } from './orders.js';

/** Longer than a call, ms, so that none meets two of them. */
const BETWEEN_COLLECTIONS = 500;

const settings = JSON.parse(process.argv[2]!) as Settings;
const troubles: string[] = [];
const events: FallbackEvent[] = [];

process.on('unhandledRejection', (reason) => troubles.push(`unhandled: ${String(reason)}`));
process.on('warning', (warning) => troubles.push(`warning: ${String(warning)}`));
// Nobody is left who could say that it should end.
const orphaned = (): never => process.exit(9);
process.on('disconnect', orphaned);

const application = await start(settings, (event) => {
  if (/^(circuit|store)\./.test(event.name)) events.push(event);
});
const { app, geocoder } = application;
const service = app.get(FallbackService);
const health = app.get(ChainHealthService);
let load: Load | undefined;
let made = 0;

async function call(): Promise<string> {
  const nonce = `${process.pid}-${made++}`;
  const { receipt } = await service.withReceipt(() => geocoder.find('key', nonce));
  return receipt!.attempts.map(({ candidate, kind, reason }) => `${candidate}:${reason ?? kind}`).join(' ');
}

async function calls(count: number, inTurn: boolean): Promise<Tally> {
  const tried: string[] = [];
  if (inTurn) for (let left = count; left > 0; left--) tried.push(await call());
  else tried.push(...(await Promise.all(Array.from({ length: count }, call))));
  return tried.reduce<Tally>((tally, each) => ({ ...tally, [each]: (tally[each] ?? 0) + 1 }), {});
}

function see(): Seen {
  const candidates = ['geocoder', 'alone'].flatMap((chain) => health.snapshot(chain).candidates);
  const circuits = candidates.map(({ candidate, state, lastServedAt }) => ({
    candidate,
    state,
    ...(lastServedAt !== undefined && { lastServedAt }),
  }));
  return { circuits, events, troubles };
}

async function heap(): Promise<number> {
  for (let pass = 0; pass < 3; pass++) {
    globalThis.gc!();
    await pause(BETWEEN_COLLECTIONS);
  }
  return process.memoryUsage().heapUsed;
}

const handlers: { [Name in keyof Orders]: (given: Orders[Name]['give']) => Promise<Orders[Name]['take']> } = {
  calls: ({ count, inTurn = false }) => calls(count, inTurn),
  see: async () => see(),
  heap,
  async load({ perSecond, seed }) {
    load = new Load(geocoder, settings.deadline ?? Infinity, seed);
    void load.run(perSecond);
    return null;
  },
  loadSeen: async () => load!.seen(),
  stopLoad: () => load!.stop(),
  async close() {
    await application.close();
    process.off('disconnect', orphaned);
    return null;
  },
};

process.on('message', ({ id, order, given }: { id: number; order: keyof Orders; given: never }) => {
  const tell = (answer: object): void => {
    process.send!({ id, ...answer }, () => order === 'close' && process.disconnect());
  };
  handlers[order](given).then(
    (said) => tell({ said }),
    (error: unknown) => tell({ error: String(error) }),
  );
});
process.send!({ id: 0, said: await calls(settings.callsAtStart ?? 0, false) });
