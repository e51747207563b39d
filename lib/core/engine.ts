/**
 * What all chains of one application share: its clock and timers, its circuits, and who listens.
 * Two applications in one process have two engines and share nothing.
 */
import { newCircuit } from './circuit.js';
import type { Circuit } from './circuit.js';
import { systemClock } from './clock.js';
import type { InFlight } from './in-flight.js';
import { isThenable } from './thenable.js';
import { timersOf } from './timer-list.js';
import type { Timers } from './timer-list.js';
import type { Clock, FallbackEvent } from './types.js';

/** @internal */
export type Observer = (event: FallbackEvent) => unknown;

/** @internal */
export interface EngineOptions {
  readonly clock?: Clock | undefined;
  readonly observers?: readonly Observer[] | undefined;
  /** hears everything but what a healthy call has to tell */
  readonly log?: Observer | undefined;
  /** where running calls are listed; without it nobody can end them all */
  readonly inFlight?: InFlight | undefined;
  /** from 0 up to 1; default `Math.random` */
  readonly random?: (() => number) | undefined;
  /** where the engine complains of what users gave it and must not fail a call */
  readonly warn?: ((message: string, error: unknown) => void) | undefined;
}

/** @internal */
export class Engine {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly inFlight: InFlight | null;
  /** whether anybody wants to hear of healthy calls too */
  readonly isObserved: boolean;
  readonly random: () => number;
  private readonly observers: readonly Observer[];
  private readonly everybody: readonly Observer[];
  private readonly warn: (message: string, error: unknown) => void;
  private readonly circuits = new Map<string, Circuit>();
  private readonly faulty = new WeakSet();

  constructor({
    clock = systemClock,
    observers = [],
    log,
    inFlight,
    random = Math.random,
    warn = () => {},
  }: EngineOptions = {}) {
    this.clock = clock;
    this.timers = timersOf(clock);
    this.inFlight = inFlight ?? null;
    this.observers = observers;
    this.everybody = log === undefined ? observers : [...observers, log];
    this.isObserved = observers.length > 0;
    this.random = random;
    this.warn = warn;
  }

  /** The circuit known under `key`: one for all who ask. */
  circuit(key: string): Circuit {
    let circuit = this.circuits.get(key);
    if (circuit === undefined) this.circuits.set(key, (circuit = newCircuit()));
    return circuit;
  }

  /** Tells the observers. None can change an outcome: what one throws is swallowed and logged once. */
  emit(event: Omit<FallbackEvent, 'at'>): void {
    if (this.isObserved) this.tell(event, this.observers);
  }

  /** Tells the observers and the log: something that an operator should know. */
  report(event: Omit<FallbackEvent, 'at'>): void {
    if (this.everybody.length > 0) this.tell(event, this.everybody);
  }

  /** Calls somebody who only listens. */
  listen<A extends unknown[]>(listener: (...heard: A) => unknown, ...heard: A): void {
    try {
      const result = listener(...heard);
      if (isThenable(result)) result.then(undefined, (error: unknown) => this.complain(listener, error));
    } catch (error) {
      this.complain(listener, error);
    }
  }

  private tell(event: Omit<FallbackEvent, 'at'>, listeners: readonly Observer[]): void {
    const stamped = event as { at: number } & FallbackEvent;
    stamped.at = this.clock.wall();
    // One listener must not be able to change what the next one hears.
    if (listeners.length > 1) Object.freeze(stamped);
    for (const observer of listeners) this.listen(observer, stamped);
  }

  private complain(observer: object, error: unknown): void {
    if (this.faulty.has(observer)) return;
    this.faulty.add(observer);
    try {
      this.warn('An observer of fallback events failed; its failures are ignored from now on', error);
    } catch {
      // a logger is an observer too
    }
  }
}
