/** Health of candidates in Redis, for all processes of an application. The scripts in `lua` are the circuit. */
import type { CircuitOutcome, CircuitPermit, CircuitReading, HealthStore } from '../core/index.js';
import type { RedisClient, RedisConnection } from './client-types.js';
import { connectionOf } from './connection.js';
import { ADMIT, CONTROL, RECORD } from './lua/scripts.js';
import { changeFrom, permitFrom, readingFrom } from './redis-answers.js';
import { prefixOf } from './redis-store-options.js';
import type { RedisStoreOptions } from './redis-store-options.js';
import { Script } from './script.js';

type Listener = Parameters<NonNullable<HealthStore['subscribe']>>[0];

const admit = new Script(ADMIT);
const record = new Script(RECORD);
const control = new Script(CONTROL);

/**
 * Keeps the health of candidates in Redis, so that all processes of an application open, probe and close a circuit together.
 * Times are the server's own. What is kept of a circuit that nobody tells or asks about is forgotten after 30 days.
 * @example new RedisHealthStore(new Redis(), { prefix: 'shop' })
 * @publicApi
 */
export class RedisHealthStore implements HealthStore {
  private readonly connection: RedisConnection;
  private readonly prefix: string;
  private readonly channel: string;
  private readonly listeners = new Set<{ readonly hear: Listener; readonly onListening: (() => void) | undefined }>();
  private stopListening: (() => void) | undefined;

  constructor(client: RedisClient, options: RedisStoreOptions = {}) {
    this.connection = connectionOf('RedisHealthStore', client);
    this.prefix = prefixOf('RedisHealthStore', options);
    // Channels belong to all databases of a server, keys do not.
    this.channel = [this.prefix, 'changes', this.connection.keyspace].filter(Boolean).join(':');
  }

  async admit(key: string, { lease }: { lease: number }): Promise<CircuitPermit> {
    return permitFrom(await admit.run(this.connection, this.keysOf(key), { lease }));
  }

  async record(key: string, outcome: CircuitOutcome): Promise<CircuitReading> {
    const { breaker, ...rest } = outcome;
    const given = { key, channel: this.channel, ...breaker, ...rest };
    return readingFrom(await record.run(this.connection, this.keysOf(key, outcome.id), given));
  }

  async control(key: string, action: 'isolate' | 'restore' | 'reset'): Promise<void> {
    await control.run(this.connection, this.keysOf(key), { key, channel: this.channel, action });
  }

  /** Opens a connection of its own for the first listener, and closes it with the last. Nobody waits for it. */
  subscribe(listener: Listener, onListening?: () => void): () => void {
    const entry = { hear: listener, onListening };
    this.listeners.add(entry);
    this.stopListening ??= this.connection.subscribe(
      this.channel,
      (message) => this.hear(message),
      () => this.hearAgain(),
    );
    return () => {
      this.listeners.delete(entry);
      if (this.listeners.size === 0) this.stop();
    };
  }

  /** Ends its own connection, whoever still listens; applications leave by themselves. The client is yours to close. */
  disconnect(): void {
    this.listeners.clear();
    this.stop();
  }

  private stop(): void {
    this.stopListening?.();
    this.stopListening = undefined;
  }

  private hearAgain(): void {
    for (const { onListening } of this.listeners) onListening?.();
  }

  private hear(message: string): void {
    const change = changeFrom(message);
    if (change === undefined) return;
    for (const { hear } of this.listeners) hear(change);
  }

  /** In one hash slot, by the part in braces, which a brace of the key itself would end too early. */
  private keysOf(key: string, id = ''): string[] {
    const circuit = `${this.prefix}:{circuit:${key.replaceAll(/[%{}]/g, encodeURIComponent)}}`;
    return [circuit, `${circuit}:window`, `${circuit}:id:${id}`];
  }
}
