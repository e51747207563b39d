/** A health store in the process: what a shared store does, by the functions that every process decides by itself. */
import { REFUSED, insists, isIsolated, newCircuit, permit, record, resetCircuit, stateOf } from '../core/circuit.js';
import type { Circuit } from '../core/circuit.js';
import { systemClock } from '../core/clock.js';
import { breakerOf } from '../core/compile.js';
import type { CircuitOutcome, CircuitPermit, CircuitReading, HealthStore } from '../core/health-store.js';
import { isolate, restore } from '../core/isolation.js';
import { newRateWindow } from '../core/rate-window.js';
import type { RateWindow } from '../core/rate-window.js';
import type { Clock, OutcomeKind } from '../core/types.js';
import { RecentIds } from './recent-ids.js';

type Change = CircuitReading & { key: string };

/** What is known of one key. */
interface Entry {
  /** null until the first failure */
  circuit: Circuit | null;
  window: RateWindow | null;
  lastServedAt: number | undefined;
  /** of the outcome that opened the circuit last */
  openedBy: OutcomeKind | undefined;
  readonly ids: RecentIds;
}

/**
 * A shared health store for tests of several applications in one process, with everything that may be asked of one. It
 * decides at once, so one call follows the other; what it gives are promises, as with any store.
 * @example const healthStore = new MemoryHealthStore(); // for the FallbackModule.forRoot of each application
 * @publicApi
 */
export class MemoryHealthStore implements HealthStore {
  private readonly entries = new Map<string, Entry>();
  private readonly listeners = new Set<(change: Change) => void>();
  private readonly clock: Clock;
  /** from the clock's monotonic time to the store's own, which looks like wall-clock time and is never put back */
  private readonly offset: number;

  /** @param options `clock`: default the machine's */
  constructor({ clock = systemClock }: { clock?: Clock } = {}) {
    this.clock = clock;
    this.offset = clock.wall() - clock.now();
  }

  async admit(key: string, { lease }: { lease: number }): Promise<CircuitPermit> {
    const { circuit, lastServedAt } = this.entries.get(key) ?? UNKNOWN;
    const known = lastServedAt === undefined ? {} : { lastServedAt };
    if (circuit === null || circuit.openUntil === 0) {
      return { granted: true, probe: false, epoch: circuit?.epoch ?? 0, retryIn: 0, state: 'closed', ...known };
    }
    const now = this.now();
    const granted = permit(circuit, now, lease) !== REFUSED;
    return {
      granted,
      probe: granted,
      epoch: circuit.epoch,
      retryIn: granted ? 0 : retryIn(circuit, Math.max(circuit.openUntil, circuit.probeUntil), now),
      state: stateOf(circuit, now),
      insists: insists(circuit),
      ...known,
    };
  }

  async record(key: string, outcome: CircuitOutcome): Promise<CircuitReading> {
    const now = this.now();
    const known = this.entries.get(key);
    if (known === undefined && outcome.health === 'ignore') return this.read(UNKNOWN, now);
    const entry = known ?? this.enter(key);
    if (outcome.id !== undefined && !entry.ids.add(outcome.id, now)) return this.read(entry, now);
    if (outcome.health === 'success') entry.lastServedAt = now;
    const isCounted = outcome.health === 'failure' || outcome.breaker.mode === 'rate';
    if (entry.circuit === null && !isCounted) return this.read(entry, now);
    const circuit = (entry.circuit ??= this.born(entry, now));
    const hadFailures = circuit.failures > 0;
    const transition = this.take(entry, circuit, outcome, now);
    const reading = this.read(entry, now);
    if (transition !== null || (reading.state === 'closed' && hadFailures !== circuit.failures > 0)) {
      this.tell({ key, ...reading });
    }
    return reading;
  }

  async control(key: string, action: 'isolate' | 'restore' | 'reset'): Promise<void> {
    const now = this.now();
    const known = this.entries.get(key);
    if (action === 'restore' && known === undefined) return;
    const entry = known ?? this.enter(key);
    const circuit = (entry.circuit ??= this.born(entry, now));
    if (action === 'reset') resetCircuit(circuit);
    else if (!(action === 'isolate' ? isolate : restore)(circuit, now)) return;
    this.tell({ key, ...this.read(entry, now) });
  }

  subscribe(listener: (change: Change) => void): () => void {
    // Whoever subscribes twice is told twice.
    const subscription = (change: Change): void => listener(change);
    this.listeners.add(subscription);
    return () => void this.listeners.delete(subscription);
  }

  private take(entry: Entry, circuit: Circuit, { epoch, health, kind, openFor, breaker }: CircuitOutcome, now: number) {
    const { rate, ...numbers } = breakerOf(breaker);
    if (rate !== null && entry.window?.length !== rate.window) entry.window = newRateWindow(rate.window);
    const transition = record(
      circuit,
      { ...numbers, rate: rate && { ...rate, outcomes: entry.window! } },
      epoch === 0 && circuit.openUntil === 0 ? circuit.epoch : epoch,
      { kind, health, next: 'continue', ...(openFor !== undefined && { retryAfter: openFor }) },
      now,
    );
    if (transition === 'opened') entry.openedBy = kind;
    return transition;
  }

  private read({ circuit, openedBy }: Pick<Entry, 'circuit' | 'openedBy'>, now: number): CircuitReading {
    if (circuit === null) return { state: 'closed', epoch: 0, openUntil: 0, retryIn: 0, insists: false, failures: 0 };
    const state = stateOf(circuit, now);
    return {
      state,
      epoch: circuit.epoch,
      openUntil: Math.max(0, circuit.openUntil),
      retryIn: retryIn(circuit, circuit.openUntil, now),
      insists: insists(circuit),
      failures: circuit.failures,
      ...((state === 'open' || state === 'half-open') && openedBy !== undefined && { kind: openedBy }),
    };
  }

  private enter(key: string): Entry {
    const entry: Entry = {
      circuit: null,
      window: null,
      lastServedAt: undefined,
      openedBy: undefined,
      ids: new RecentIds(),
    };
    this.entries.set(key, entry);
    return entry;
  }

  /** Its first period is later than any that an earlier life of the key can have had. */
  private born({ lastServedAt = -Infinity }: Entry, now: number): Circuit {
    return { ...newCircuit(), epoch: now, lastSuccessAt: lastServedAt };
  }

  private tell(change: Change): void {
    for (const listener of this.listeners) listener(change);
  }

  private now(): number {
    return Math.floor(this.clock.now() + this.offset);
  }
}

const UNKNOWN = { circuit: null, lastServedAt: undefined, openedBy: undefined };

function retryIn(circuit: Circuit, until: number, now: number): number {
  return isIsolated(circuit) ? Infinity : Math.max(0, until - now);
}
