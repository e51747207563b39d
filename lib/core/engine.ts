/**
 * What all chains of one application share: its clock and timers, its circuits, and who listens.
 * Two applications in one process have two engines and share nothing.
 */
import { newCircuit } from './circuit.js';
import type { Circuit } from './circuit.js';
import { systemClock } from './clock.js';
import type { InFlight } from './in-flight.js';
import { Pace } from './pace.js';
import { Permits } from './permits.js';
import type { Lane } from './permits.js';
import type { HealthStore } from './health-store.js';
import { HealthLink } from './shared-health/link.js';
import { Mirror } from './shared-health/mirror.js';
import { newRateWindow } from './rate-window.js';
import type { RateWindow } from './rate-window.js';
import { subscribe } from './stream/subscribed.js';
import type { Subscribe } from './stream/source.js';
import { ignore, isThenable } from './thenable.js';
import { TimerList, timersOf } from './timer-list.js';
import type { Timers } from './timer-list.js';
import type { Clock, FallbackEvent } from './types.js';

/** @internal */
export type Observer = (event: FallbackEvent) => unknown;

/** An event before it is told. Filled in by assignment: see docs/performance.md on spreading. @internal */
export type Told = Pick<FallbackEvent, 'name' | 'chain'> & Record<string, unknown>;

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
  /** how Observables are subscribed; default by their shape */
  readonly subscribe?: Subscribe | undefined;
  /** whether chains are watched as a whole: their rates, and whether they are degraded for long; default no */
  readonly isWatching?: boolean | undefined;
  /** where circuits are kept together with those of other processes; how long it may take to answer, ms */
  readonly sharedHealth?: { readonly store: HealthStore; readonly timeout: number } | undefined;
}

/** How long a chain must have been degraded, or well again, before that is told, ms. @internal */
export const HYSTERESIS = 30_000;

/** @internal */
export class Engine {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly inFlight: InFlight | null;
  /** where chains wait that have changed, until it has lasted; null if chains are not watched */
  readonly vigil: TimerList | null;
  /** whether anybody wants to hear of healthy calls too: a field, since every call reads it */
  isObserved = false;
  readonly random: () => number;
  readonly subscribe: Subscribe;
  /** null where health is this process's own */
  readonly healthLink: HealthLink | null;
  private observers: readonly Observer[] = [];
  private everybody: readonly Observer[] = [];
  private log: Observer | undefined;
  private readonly warn: (message: string, error: unknown) => void;
  private readonly circuits = new Map<string, Circuit>();
  private readonly mirrors = new Map<string, Mirror>();
  /** made when a circuit in rate mode is */
  private windows: Map<string, RateWindow> | null = null;
  /** made when a candidate has a bound */
  private lanes: Map<string, Lane> | null = null;
  /** who has failed to listen; made when somebody does */
  private faulty: WeakSet<object> | null = null;

  constructor(options: EngineOptions = {}) {
    const { clock = systemClock, observers = [], log, random = Math.random, warn = ignore, isWatching } = options;
    this.clock = clock;
    this.timers = timersOf(clock);
    this.inFlight = options.inFlight ?? null;
    this.vigil = isWatching === true ? new TimerList(clock, HYSTERESIS, 'background') : null;
    this.random = random;
    this.subscribe = options.subscribe ?? subscribe;
    this.warn = warn;
    this.log = log;
    this.setObservers(observers);
    const { sharedHealth } = options;
    this.healthLink =
      sharedHealth === undefined ? null : new HealthLink(this, sharedHealth.store, sharedHealth.timeout);
  }

  /** Whether anybody hears at least of what an operator should know. */
  get isHeard(): boolean {
    return this.everybody.length > 0;
  }

  /** Adds somebody who hears every event until the function it gives is called. */
  observe(observer: Observer): () => void {
    this.setObservers([...this.observers, observer]);
    return () => this.setObservers(this.observers.filter((one) => one !== observer));
  }

  /** The circuit known under `key`: one for all who ask. */
  circuit(key: string): Circuit {
    let circuit = this.circuits.get(key);
    if (circuit === undefined) this.circuits.set(key, (circuit = newCircuit()));
    return circuit;
  }

  /** The mirror of the circuit known under `key`; null without a shared store. */
  mirror(key: string): Mirror | null {
    if (this.healthLink === null) return null;
    let mirror = this.mirrors.get(key);
    if (mirror === undefined) {
      mirror = new Mirror(key, this.circuit(key), this.healthLink, this.clock);
      this.mirrors.set(key, mirror);
    }
    return mirror;
  }

  /** The outcomes of the circuit known under `key`, over so many ms; one of another length takes its place. */
  window(key: string, length: number): RateWindow {
    this.windows ??= new Map();
    let window = this.windows.get(key);
    if (window?.length !== length) this.windows.set(key, (window = newRateWindow(length)));
    return window;
  }

  /** The slots and permits of the candidates known under `key`. */
  lane(key: string): Lane {
    this.lanes ??= new Map();
    let lane = this.lanes.get(key);
    if (lane === undefined) this.lanes.set(key, (lane = { pace: new Pace(), permits: new Permits() }));
    return lane;
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

  /** The application is over: nobody is told anything any more, and no timer is left of it. */
  close(): void {
    this.log = undefined;
    this.setObservers([]);
    this.vigil?.clear();
  }

  /** Always a new list: one that is being told may leave, or bring another. */
  private setObservers(observers: readonly Observer[]): void {
    this.observers = observers;
    this.everybody = this.log === undefined ? observers : [...observers, this.log];
    this.isObserved = observers.length > 0;
  }

  private tell(event: Omit<FallbackEvent, 'at'>, listeners: readonly Observer[]): void {
    const stamped = event as { at: number } & FallbackEvent;
    // Of what happens at once, the time is read once.
    stamped.at ??= this.clock.wall();
    // One listener must not be able to change what the next one hears.
    if (listeners.length > 1) Object.freeze(stamped);
    for (const observer of listeners) this.listen(observer, stamped);
  }

  private complain(observer: object, error: unknown): void {
    this.faulty ??= new WeakSet();
    if (this.faulty.has(observer)) return;
    this.faulty.add(observer);
    try {
      this.warn('An observer of fallback events failed; its failures are ignored from now on', error);
    } catch {
      // a logger is an observer too
    }
  }
}
