/** What is said between us and a store. What a store says is looked at before it is believed. */
import type { Breaker } from '../circuit.js';
import type { CircuitOutcome, CircuitPermit, CircuitReading, HealthStore } from '../health-store.js';
import type { Ruling } from '../verdict.js';
import type { Question } from './link.js';

/** What a person wants. @internal */
export type Action = Parameters<HealthStore['control']>[1];

/** An outcome that the store may have to be told later. @internal */
export interface Untold extends Omit<CircuitOutcome, 'openFor'> {
  /** the end of the advised delay, monotonic */
  readonly openUntil?: number;
}

const STATES = new Set<unknown>(['closed', 'open', 'half-open', 'isolated']);

const isObject = (said: unknown): said is Record<string, unknown> => typeof said === 'object' && said !== null;
const isTime = (said: unknown): boolean => typeof said === 'number' && said >= 0;
const isAbsent = (said: unknown): boolean => said === undefined || said === null;

function isPermit(said: unknown): boolean {
  if (!isObject(said) || typeof said['granted'] !== 'boolean' || typeof said['probe'] !== 'boolean') return false;
  const { epoch, retryIn, state } = said;
  return isTime(epoch) && isTime(retryIn) && (isAbsent(state) || STATES.has(state));
}

/** @internal */
export function isReading(said: unknown): said is CircuitReading {
  if (!isObject(said) || !STATES.has(said['state'])) return false;
  return isTime(said['epoch']) && (isAbsent(said['retryIn']) || isTime(said['retryIn']));
}

/** @internal */
export function admission(key: string, lease: number): Question<CircuitPermit> {
  return { operation: 'admit', put: (store) => store.admit(key, { lease }), isAnswer: isPermit };
}

/** @internal */
export function outcome(key: string, { openUntil, ...rest }: Untold, now: number): Question<CircuitReading> {
  const told = openUntil === undefined ? rest : { ...rest, openFor: Math.max(0, openUntil - now) };
  return { operation: 'record', put: (store) => store.record(key, told), isAnswer: isReading };
}

/** @internal */
export function order(key: string, action: Action): Question<void> {
  return { operation: 'control', put: (store) => store.control(key, action), isAnswer: () => true };
}

/** How an attempt went, as it can be told now or later. @internal */
export function untoldOf(
  { kind, health, retryAfter }: Ruling,
  epoch: number,
  breaker: CircuitOutcome['breaker'],
  now: number,
): Untold {
  const said = { id: globalThis.crypto.randomUUID(), epoch, kind, health, breaker };
  return retryAfter === undefined ? said : { ...said, openUntil: now + retryAfter };
}

/** The options that a breaker was made of, in ms and numbers. @internal */
export function optionsOf({ threshold, cooldown, factor, maxCooldown, rate }: Breaker): CircuitOutcome['breaker'] {
  const { window, volume, share } = rate ?? { window: 0, volume: 0, share: 0 };
  return {
    threshold,
    cooldown,
    factor,
    maxCooldown,
    mode: rate === null ? 'consecutive' : 'rate',
    window,
    volume,
    share,
  };
}
