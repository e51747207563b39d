/** What is asked of a store in which several processes keep the health of their candidates together. */
import type { BreakerOptions } from './option-types.js';
import type { CircuitState, OutcomeKind } from './types.js';

/**
 * The answer to somebody who would call a candidate now.
 * @publicApi
 */
export interface CircuitPermit {
  /** whether the candidate may be called */
  granted: boolean;
  /** whether the call is the circuit's one probe; its outcome must be recorded, or the lease runs out */
  probe: boolean;
  /** the period between two changes of state in which the call begins; 0 for a circuit of which the store knows nothing */
  epoch: number;
  /** ms until it is worth asking again; 0 if granted, Infinity for a circuit that is isolated by hand */
  retryIn: number;
  /** the circuit's state, where the store says it: a permit that was refused may be refused by somebody else's probe */
  state?: CircuitState;
  /** an open circuit was opened by advice or denial, so it is not tried before its time, not even as the last resort */
  insists?: boolean;
  /** wall-clock time of the last success, by the store's own clock */
  lastServedAt?: number;
}

/**
 * How one attempt went, told to a store.
 * @publicApi
 */
export interface CircuitOutcome {
  /** of the permit, reading or change that was the last one when the attempt began; -1 if it is not known, and never current */
  epoch: number;
  health: 'success' | 'failure' | 'ignore';
  kind: OutcomeKind;
  /** the delay that the provider advised, ms; 0 never opens */
  openFor?: number;
  /** in ms and numbers throughout */
  breaker: Required<BreakerOptions>;
  /** the same outcome told again, after a connection was lost say, has the same one: it counts once */
  id?: string;
}

/**
 * What a store says of a circuit.
 * @publicApi
 */
export interface CircuitReading {
  state: CircuitState;
  /** grows with every change of state */
  epoch: number;
  /** by the store's own clock, ms; 0 while closed */
  openUntil: number;
  /** ms from now until `openUntil`; without it the store is asked by `admit` */
  retryIn?: number;
  /** an open circuit was opened by advice or denial, so it is not tried before its time, not even as the last resort */
  insists?: boolean;
  /** failures since the last success; while there are some, every process tells its next success */
  failures?: number;
  /** of the outcome that opened it */
  kind?: OutcomeKind;
}

/**
 * Where several processes keep the health of their candidates together: `RedisHealthStore` of `nestjs-fallback/redis`, or
 * what you write yourself. All calls are atomic for one key; times are ms by the store's own clock. A store that fails,
 * or does not answer within `storeTimeout`, is left alone for a while, and every process goes on by its own memory.
 * @example FallbackModule.forRoot({ healthStore: new RedisHealthStore(client) })
 * @publicApi
 */
export interface HealthStore {
  /** Asks whether the candidate may be called. In the half-open state one asker is granted the probe, for `lease` ms. */
  admit(key: string, options: { lease: number }): PromiseLike<CircuitPermit>;
  /** Takes an outcome. One of another period changes nothing but for its advice, which is always taken. */
  record(key: string, outcome: CircuitOutcome): PromiseLike<CircuitReading>;
  /** What a person wants: isolate it, put it back, or forget everything. */
  control(key: string, action: 'isolate' | 'restore' | 'reset'): PromiseLike<void>;
  /**
   * Tells every change of state, and the first failure after a success, whichever process caused it. `onListening` is told
   * whenever it hears again: what has happened before may not have been heard.
   */
  subscribe?(listener: (change: CircuitReading & { key: string }) => void, onListening?: () => void): () => void;
  /** Called when the application shuts down. */
  close?(): PromiseLike<void>;
}

/** Whether circuits can be kept in it. @internal */
export function isHealthStore(value: unknown): value is HealthStore {
  if (typeof value !== 'object' || value === null) return false;
  const needed = ['admit', 'record', 'control'] as const;
  return needed.every((name) => typeof (value as Partial<HealthStore>)[name] === 'function');
}
