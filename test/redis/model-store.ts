/** A health store of one process, made of the functions by which one process decides: what Redis must say too. */
import { insists, newCircuit, permit, record, resetCircuit, stateOf } from '../../lib/core/circuit.js';
import type { Breaker, Circuit } from '../../lib/core/circuit.js';
import { isolate, restore } from '../../lib/core/isolation.js';
import { newRateWindow } from '../../lib/core/rate-window.js';
import type { RateWindow } from '../../lib/core/rate-window.js';
import type { CircuitOutcome, CircuitPermit, CircuitReading, OutcomeKind } from '../../lib/core/index.js';

interface Kept {
  born?: number;
  readonly circuit: Circuit;
  window: RateWindow;
  lastServedAt?: number;
  kind?: OutcomeKind | undefined;
}

export class ModelStore {
  now = 0;
  readonly changes: (CircuitReading & { key: string })[] = [];
  private readonly kept = new Map<string, Kept>();
  private readonly ids = new Set<string>();

  admit(key: string, { lease }: { lease: number }): CircuitPermit {
    const { circuit, lastServedAt } = this.of(key);
    const wasOpen = circuit.openUntil !== 0;
    const epoch = permit(circuit, this.now, lease);
    const granted = epoch >= 0;
    const { state, retryIn, insists: insisting } = this.reading(key);
    return {
      granted,
      probe: granted && wasOpen,
      epoch: circuit.epoch,
      retryIn: granted ? 0 : state === 'half-open' ? circuit.probeUntil - this.now : retryIn!,
      state,
      insists: insisting!,
      ...(lastServedAt !== undefined && { lastServedAt }),
    };
  }

  record(key: string, { id, epoch, health, kind, openFor, breaker }: CircuitOutcome): CircuitReading {
    if (id !== undefined) {
      if (this.ids.has(key + id)) return this.reading(key);
      this.ids.add(key + id);
    }
    const kept = this.of(key);
    const { circuit } = kept;
    const isRate = breaker.mode === 'rate';
    const length = Number(breaker.window);
    const window = kept.window.length === length ? kept.window : newRateWindow(length);
    if (health === 'failure' || (isRate && health === 'success')) this.beBorn(kept);
    const before = { ...circuit };
    const isUnknown = epoch >= 0 && epoch < (kept.born ?? 0);
    const period = isUnknown && circuit.openUntil === 0 ? circuit.epoch : epoch;
    const numbers = { ...(breaker as unknown as Breaker), rate: null };
    const rate = { window: length, volume: breaker.volume, share: breaker.share };
    const rule: Breaker = { ...numbers, rate: isRate ? { ...rate, outcomes: window } : null };
    const ruling = { kind, health, next: 'continue', ...(openFor !== undefined && { retryAfter: openFor }) } as const;
    const transition = record(circuit, rule, period, ruling, this.now);
    if (window.outcomes > 0) kept.window = window;
    if (health === 'success') kept.lastServedAt = this.now;
    if (transition !== null) kept.kind = transition === 'opened' ? kind : undefined;
    if (transition !== null || (circuit.failures === 0) !== (before.failures === 0)) this.tell(key);
    return this.reading(key);
  }

  control(key: string, action: 'isolate' | 'restore' | 'reset'): void {
    const kept = this.of(key);
    const { circuit } = kept;
    if (action !== 'restore') this.beBorn(kept);
    if (action === 'isolate' && !isolate(circuit, this.now)) return;
    if (action === 'restore' && !restore(circuit, this.now)) return;
    if (action === 'reset') resetCircuit(circuit);
    kept.kind = undefined;
    this.tell(key);
  }

  /** When the circuit may be probed, in whole ms, if it ever may. */
  dueAt(key: string): number {
    const { openUntil, probeUntil } = this.of(key).circuit;
    const due = Math.ceil(Math.max(openUntil, probeUntil));
    return Number.isFinite(due) ? due : this.now;
  }

  private of(key: string): Kept {
    let kept = this.kept.get(key);
    if (kept === undefined) this.kept.set(key, (kept = { circuit: newCircuit(), window: newRateWindow(1) }));
    return kept;
  }

  private beBorn(kept: Kept): void {
    if (kept.circuit.epoch === 0) kept.circuit.epoch = kept.born = this.now;
  }

  private reading(key: string): CircuitReading {
    const { circuit, kind } = this.of(key);
    const state = stateOf(circuit, this.now);
    const openUntil = state === 'isolated' ? Infinity : circuit.openUntil;
    return {
      state,
      epoch: circuit.epoch,
      openUntil,
      retryIn: state === 'closed' ? 0 : Math.max(0, openUntil - this.now),
      insists: insists(circuit),
      failures: circuit.failures,
      ...(kind !== undefined && { kind }),
    };
  }

  private tell(key: string): void {
    this.changes.push({ key, ...this.reading(key) });
  }
}
