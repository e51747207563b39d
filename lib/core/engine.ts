/**
 * What all chains of one application share: its clock and timers, its circuits, and who listens.
 * Two applications in one process have two engines and share nothing.
 */
import { newCircuit } from './circuit.js';
import type { Circuit } from './circuit.js';
import { systemClock } from './clock.js';
import { isThenable } from './thenable.js';
import { Timers } from './timer-list.js';
import type { Clock, FallbackEvent } from './types.js';

/** @internal */
export type Observer = (event: FallbackEvent) => unknown;

/** @internal */
export interface EngineOptions {
  readonly clock?: Clock | undefined;
  readonly observers?: readonly Observer[] | undefined;
  /** hears everything but what a healthy call has to tell */
  readonly log?: Observer | undefined;
  /** where the engine complains of what users gave it and must not fail a call */
  readonly warn?: ((message: string, error: unknown) => void) | undefined;
}

/** @internal */
export class Engine {
  readonly clock: Clock;
  readonly timers: Timers;
  /** whether anybody wants to hear of healthy calls too */
  readonly isObserved: boolean;
  private readonly observers: readonly Observer[];
  private readonly warn: (message: string, error: unknown) => void;
  private readonly circuits = new Map<string, Circuit>();
  private readonly faulty = new Set<Observer>();

  constructor({ clock = systemClock, observers = [], log, warn = () => {} }: EngineOptions = {}) {
    this.clock = clock;
    this.timers = new Timers(clock);
    this.observers = log === undefined ? observers : [...observers, log];
    this.isObserved = observers.length > 0;
    this.warn = warn;
  }

  /** The circuit known under `key`: one for all who ask. */
  circuit(key: string): Circuit {
    let circuit = this.circuits.get(key);
    if (circuit === undefined) this.circuits.set(key, (circuit = newCircuit()));
    return circuit;
  }

  /** Tells every observer. None can change an outcome: what one throws is swallowed and logged once. */
  emit(event: Omit<FallbackEvent, 'at'>): void {
    if (this.observers.length === 0) return;
    const stamped = Object.freeze({ ...event, at: this.clock.wall() }) as FallbackEvent;
    for (const observer of this.observers) {
      try {
        const result = observer(stamped);
        if (isThenable(result)) result.then(undefined, (error: unknown) => this.complain(observer, error));
      } catch (error) {
        this.complain(observer, error);
      }
    }
  }

  private complain(observer: Observer, error: unknown): void {
    if (this.faulty.has(observer)) return;
    this.faulty.add(observer);
    this.warn('An observer of fallback events failed; its failures are ignored from now on', error);
  }
}
