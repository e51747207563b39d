/**
 * What this process knows of the fleet's circuit, and what its own becomes by it. The store numbers its periods and we
 * number ours: `period` is the store's name for our period `at`. A word about a period that is over changes nothing.
 */
import { isIsolated } from '../circuit.js';
import type { Circuit } from '../circuit.js';
import type { CircuitReading } from '../health-store.js';
import { adoptClosed, adoptDue, adoptIsolated, adoptOpen } from './adoption.js';
import type { Adopted } from './adoption.js';

/** A period of the store's that we do not know. @internal */
export const UNKNOWN = 0;
/** A period that is over. */
const LATE = -1;

/** It has just happened, so it is news also to those who knew nothing; it answers what was just told; it is how things are. @internal */
export type How = 'change' | 'reply' | 'status';

/** @internal */
export class View {
  period = UNKNOWN;
  /** the fleet has counted failures, so the next success is told */
  isTroubled = false;
  private at = 0;

  constructor(private readonly circuit: Circuit) {}

  /** The store's name for the period in which an attempt began. */
  nameOf(epoch: number): number {
    if (epoch === this.at) return this.period;
    return epoch === this.circuit.epoch ? UNKNOWN : LATE;
  }

  /** Our present period is the store's that is called so. */
  settle(period: number): void {
    this.period = period;
    this.at = this.circuit.epoch;
  }

  isNews({ epoch }: CircuitReading): boolean {
    return epoch !== UNKNOWN && epoch > this.period;
  }

  /** Takes the store's word over our own. */
  adopt(reading: CircuitReading, how: How, now: number): Adopted {
    const { circuit } = this;
    const isNews = this.isNews(reading);
    const isOverruled = how === 'reply' && this.isOverruled(reading);
    const isAboutNow = reading.epoch === this.period && circuit.epoch === this.at;
    const isUnknown = reading.epoch === UNKNOWN && reading.state === 'closed';
    if (isUnknown || !(isNews || isOverruled || isAboutNow)) return null;
    const adopted = isOverruled ? adoptClosed(circuit, now) : this.become(reading, isNews ? how : null, now);
    if (reading.state === 'closed') this.count(reading, how);
    this.settle(reading.epoch);
    return adopted;
  }

  /** @param how null if it is not news */
  private become(reading: CircuitReading, how: How | null, now: number): Adopted {
    const { state, retryIn = 0, insists = false } = reading;
    const { circuit } = this;
    if (state === 'isolated') return adoptIsolated(circuit, now);
    if (state === 'half-open') return adoptDue(circuit);
    if (state === 'open') return adoptOpen(circuit, now + retryIn, insists, now);
    return this.isClosing(reading, how) ? adoptClosed(circuit, now) : null;
  }

  /** Failures are no recovery; who knew nothing has seen none; and what we have closed ourselves is only named now. */
  private isClosing({ failures = 0 }: CircuitReading, how: How | null): boolean {
    const { circuit, at, period } = this;
    // What a person has ordered here, the store was told.
    const isKnown = period !== UNKNOWN || isIsolated(circuit);
    const isRecovery = how !== null && failures === 0 && (how === 'change' || isKnown);
    return isRecovery && !(circuit.openUntil === 0 && circuit.epoch !== at);
  }

  /** We have opened it by our own count, and the store counts on: others have been served meanwhile. */
  private isOverruled({ state, epoch, failures = 0 }: CircuitReading): boolean {
    const { openUntil, openedBy } = this.circuit;
    if (state !== 'closed' || failures === 0 || openUntil === 0) return false;
    return (openedBy === 'failures' || openedBy === 'denial') && (epoch === this.period || this.period === UNKNOWN);
  }

  /** Failures of the fleet; of ours, some may not be among them yet. */
  private count({ failures = 0 }: CircuitReading, how: How): void {
    const { circuit } = this;
    this.isTroubled = failures > 0;
    if (circuit.openUntil !== 0) return;
    circuit.failures = how === 'change' && failures === 0 ? 0 : Math.max(circuit.failures, failures);
  }
}
