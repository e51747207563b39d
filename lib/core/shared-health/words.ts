/** What is said between us and a store. What a store says is read once, looked at, and copied before it is believed. */
import type { Breaker } from '../circuit.js';
import type { CircuitOutcome, CircuitPermit, CircuitReading, HealthStore } from '../health-store.js';
import type { CircuitState } from '../types.js';
import { isKind } from '../verdict.js';
import type { Ruling } from '../verdict.js';

/** What a store is asked. @internal */
export interface Question<T> {
  readonly operation: 'admit' | 'record' | 'control';
  readonly put: (store: HealthStore) => unknown;
  /** the answer, or null for what is none */
  readonly read: (said: unknown) => T | null;
  /** hears an answer that nobody waits for any more */
  readonly onLate?: (answer: T) => void;
}

/** What a person wants. @internal */
export type Action = Parameters<HealthStore['control']>[1];

/** An outcome that the store may have to be told later. @internal */
export interface Untold extends Omit<CircuitOutcome, 'openFor'> {
  /** the end of the advised delay, monotonic */
  readonly openUntil?: number;
}

const STATES = new Set<unknown>(['closed', 'open', 'half-open', 'isolated'] satisfies CircuitState[]);

const isObject = (said: unknown): said is Record<string, unknown> => typeof said === 'object' && said !== null;
const isNumber = (said: unknown): said is number => typeof said === 'number' && said >= 0;
const isCount = (said: unknown): said is number => isNumber(said) && said <= Number.MAX_SAFE_INTEGER;
const isAbsent = (said: unknown): boolean => said === undefined || said === null;

function permitFrom(said: unknown): CircuitPermit | null {
  if (!isObject(said)) return null;
  const { granted, probe, epoch, retryIn, state, insists, lastServedAt } = said;
  if (typeof granted !== 'boolean' || typeof probe !== 'boolean' || !isCount(epoch) || !isNumber(retryIn)) return null;
  if (!isAbsent(state) && !STATES.has(state)) return null;
  return {
    granted,
    probe,
    epoch,
    retryIn,
    insists: insists === true,
    ...(!isAbsent(state) && { state: state as CircuitState }),
    ...(isCount(lastServedAt) && { lastServedAt }),
  };
}

/** @internal */
export function readingFrom(said: unknown): CircuitReading | null {
  if (!isObject(said)) return null;
  const { state, epoch, openUntil, retryIn, insists, failures, kind } = said;
  if (!STATES.has(state) || !isCount(epoch) || !(isAbsent(retryIn) || isNumber(retryIn))) return null;
  if (!isAbsent(failures) && !isCount(failures)) return null;
  return {
    state: state as CircuitState,
    epoch,
    openUntil: isNumber(openUntil) ? openUntil : 0,
    insists: insists === true,
    ...(isNumber(retryIn) && { retryIn }),
    ...(isCount(failures) && { failures }),
    ...(isKind(kind) && { kind }),
  };
}

/** @internal */
export function admission(
  key: string,
  lease: number,
  onLate: (permit: CircuitPermit) => void,
): Question<CircuitPermit> {
  return { operation: 'admit', put: (store) => store.admit(key, { lease }), read: permitFrom, onLate };
}

/** @internal */
export function outcome(key: string, { openUntil, ...rest }: Untold, now: number): Question<CircuitReading> {
  const told = openUntil === undefined ? rest : { ...rest, openFor: Math.max(0, openUntil - now) };
  return { operation: 'record', put: (store) => store.record(key, told), read: readingFrom };
}

/** @internal */
export function order(key: string, action: Action): Question<true> {
  return { operation: 'control', put: (store) => store.control(key, action), read: () => true };
}

/** How an attempt went, as it can be told now or later. A failure that is told twice must not count twice. @internal */
export function untoldOf(
  { kind, health, retryAfter }: Ruling,
  epoch: number,
  breaker: CircuitOutcome['breaker'],
  now: number,
): Untold {
  return {
    epoch,
    kind,
    health,
    breaker,
    ...(health === 'failure' && { id: globalThis.crypto.randomUUID() }),
    ...(retryAfter !== undefined && { openUntil: now + retryAfter }),
  };
}

/** The options that a breaker was made of, in ms and numbers. @internal */
export function optionsOf({ threshold, cooldown, factor, maxCooldown, rate }: Breaker): CircuitOutcome['breaker'] {
  const { window, volume, share } = rate ?? { window: 0, volume: 0, share: 0 };
  const mode = rate === null ? 'consecutive' : 'rate';
  return { threshold, cooldown, factor, maxCooldown, mode, window, volume, share };
}

/** Where no outcome has been told yet: what gives a permit back is judged by no number. @internal */
export const ANY: CircuitOutcome['breaker'] = {
  threshold: 1,
  cooldown: 0,
  factor: 1,
  maxCooldown: 0,
  mode: 'consecutive',
  window: 0,
  volume: 0,
  share: 0,
};
