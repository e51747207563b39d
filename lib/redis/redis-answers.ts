/** From what the scripts answer and publish, JSON in which numbers are texts, to permits, readings and changes. */
import type { CircuitPermit, CircuitReading, CircuitState } from '../core/index.js';

type Fields = Readonly<Record<string, unknown>>;

const STATES: readonly unknown[] = ['closed', 'open', 'half-open', 'isolated'] satisfies CircuitState[];

/** @internal */
export function permitFrom(answer: unknown): CircuitPermit {
  const fields = fieldsOf(answer);
  const lastServedAt = numberOf(fields.lastServedAt);
  return {
    granted: fields.granted === true,
    probe: fields.probe === true,
    epoch: numberOf(fields.epoch),
    retryIn: numberOf(fields.retryIn),
    state: stateOf(fields),
    insists: fields.insists === true,
    ...(lastServedAt > 0 && { lastServedAt }),
  };
}

/** @internal */
export function readingFrom(answer: unknown): CircuitReading {
  return readingOf(fieldsOf(answer));
}

/** Anybody may publish on a channel: `undefined` for what is no change. @internal */
export function changeFrom(message: string): (CircuitReading & { key: string }) | undefined {
  try {
    const fields = fieldsOf(message);
    return typeof fields.key === 'string' ? { key: fields.key, ...readingOf(fields) } : undefined;
  } catch {
    return undefined;
  }
}

function readingOf(fields: Fields): CircuitReading {
  return {
    state: stateOf(fields),
    epoch: numberOf(fields.epoch),
    openUntil: numberOf(fields.openUntil),
    retryIn: numberOf(fields.retryIn),
    insists: fields.insists === true,
    failures: numberOf(fields.failures),
    ...(isKind(fields.kind) && { kind: fields.kind }),
  };
}

function isKind(kind: unknown): kind is NonNullable<CircuitReading['kind']> {
  return typeof kind === 'string' && kind !== '';
}

function fieldsOf(answer: unknown): Fields {
  const fields: unknown = JSON.parse(String(answer));
  if (typeof fields !== 'object' || fields === null) throw new TypeError('no answer of ours');
  return fields as Fields;
}

function stateOf({ state }: Fields): CircuitState {
  if (!STATES.includes(state)) throw new TypeError('no state of a circuit');
  return state as CircuitState;
}

/** As C writes them. */
function numberOf(text: unknown): number {
  const number = text === 'inf' ? Infinity : Number(text);
  if (typeof text !== 'string' || Number.isNaN(number)) throw new TypeError('no number of ours');
  return number;
}
