/** What a circuit becomes because others have found it out: the store's word in place of our own count. */
import { close, isIsolated, open, stateOf } from '../circuit.js';
import type { Circuit } from '../circuit.js';
import { isolate, restore } from '../isolation.js';

/** What is to be told of it. @internal */
export type Adopted = 'opened' | 'closed' | 'isolated' | 'restored' | null;

/** An outage that others have found, or the true length of one that is known. @internal */
export function adoptOpen(circuit: Circuit, until: number, insists: boolean, now: number): Adopted {
  const wasIsolated = isIsolated(circuit);
  if (wasIsolated) restore(circuit, now);
  const by = insists ? 'advice' : 'failures';
  if (stateOf(circuit, now) !== 'open') {
    open(circuit, until, by);
    return wasIsolated ? 'restored' : 'opened';
  }
  circuit.openUntil = until;
  circuit.openedBy = by;
  return wasIsolated ? 'restored' : null;
}

/** An outage of which we know only that its end is due: it takes a probe. @internal */
export function adoptDue(circuit: Circuit): Adopted {
  if (circuit.openUntil === 0) open(circuit, -Infinity, 'failures'); // long ago; 0 is closed
  return null;
}

/** Closed by others: a new period, also where it was closed already. @internal */
export function adoptClosed(circuit: Circuit, now: number): Adopted {
  const wasIsolated = isIsolated(circuit);
  if (wasIsolated) restore(circuit, now);
  const isClosed = close(circuit) !== null;
  if (!isClosed && !wasIsolated) circuit.epoch++;
  return wasIsolated ? 'restored' : isClosed ? 'closed' : null;
}

/** @internal */
export function adoptIsolated(circuit: Circuit, now: number): Adopted {
  return isolate(circuit, now) ? 'isolated' : null;
}
