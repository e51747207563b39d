/** Rule 4, databases. SQLSTATE: five characters, the first a digit (EPIPE is none), grouped by their first two. */
import { DENIED, TERMINAL, TIMEOUT, TRANSIENT, type Finding } from './finding.js';

const STATES: readonly (readonly [RegExp, Finding])[] = [
  [/^57014/, TIMEOUT], // query canceled
  [/^(?:08|53|57P|40)/, TRANSIENT], // connection, resources, shutdown, rollback
  [/^(?:28|3D000|42501)/, DENIED], // credentials, unknown database, privileges
];

/** A `code` may be anything, so it must look like a state; what a driver calls `sqlState` is one. @internal */
export function sqlState(code: unknown, named: string): Finding | undefined {
  const state = named === '' && typeof code === 'string' && /^\d[\dA-Z]{4}$/.test(code) ? code : named;
  if (state === '') return undefined;
  return STATES.find(([pattern]) => pattern.test(state))?.[1] ?? TERMINAL;
}
