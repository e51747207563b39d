import type { FallbackEvent } from './core/types.js';

/** Where log lines go: Nest's `Logger`, as far as it is needed. @internal */
export interface Log {
  log(message: string): void;
  warn(message: string, ...more: unknown[]): void;
  error(message: string, ...more: unknown[]): void;
}

/** The same thing is said at most once in this time, ms. */
const QUIET = 10_000;

/**
 * The default log: names and kinds of what an operator should know, never an argument or a message of a provider.
 * @internal
 */
export function logging(log: Log): (event: FallbackEvent) => void {
  const said = new Map<string, number>();
  return (event) => {
    const line = lineOf(event);
    if (line === undefined) return;
    const last = said.get(line.text) ?? -Infinity;
    if (event.at >= last && event.at - last < QUIET) return;
    said.set(line.text, event.at);
    log[line.level](line.text);
  };
}

/** What an error is, not what it says: that may quote a provider or a client. @internal */
export function kindOf(error: unknown): string {
  return error instanceof Error ? error.constructor.name : typeof error;
}

function lineOf({
  name,
  chain,
  candidate,
  kind,
  source,
  reason,
  hook,
  because,
  operation,
  degraded,
  status,
}: FallbackEvent) {
  const say = (level: 'log' | 'warn' | 'error', text: string) => ({ level, text: `${chain}: ${text}` });
  switch (name) {
    case 'call.served':
      return degraded === true ? say('warn', `degraded answer (${source}, after ${String(reason)})`) : undefined;
    case 'call.exhausted':
      return say('error', `nobody answered (last: ${String(reason)})`);
    case 'attempt.settled':
    case 'circuit.opened':
      if (kind === 'denied')
        return say('error', `${candidate} denies us; somebody must fix its credentials or account`);
      return name === 'circuit.opened'
        ? say('warn', `${candidate} is cooling${kind === undefined ? '' : ` (${kind})`}`)
        : undefined;
    case 'circuit.isolated':
      return say('warn', `${candidate} is isolated by hand and passed over until it is restored`);
    case 'circuit.restored':
      return say('warn', `${candidate} is restored by hand`);
    case 'chain.degraded':
      return say(status === 'down' ? 'error' : 'warn', `${String(status)} for 30 s; see its health`);
    case 'chain.recovered':
      return say('log', 'answers in full again, for 30 s');
    case 'hook.failed':
      return say('warn', `${String(hook)} failed${candidate === undefined ? '' : ` for ${candidate}`}; correct it`);
    case 'store.failed':
      return say('warn', `${storeOf(operation)} failed (${String(operation)}: ${String(because)}); look after it`);
    case 'store.recovered':
      return say('log', `${storeOf(operation)} works again`);
    case 'value.not-stored':
      return say(
        'warn',
        `no last known good is kept, because of the ${String(because)}; see lastKnownGood.key and maxBytes`,
      );
    case 'substitute.unmarkable':
      return say('error', `a substitute (${source}) cannot carry its mark and was not served; change mark`);
    default:
      return undefined;
  }
}

const HEALTH_OPERATIONS = new Set<unknown>(['admit', 'record', 'control']);

function storeOf(operation: unknown): string {
  return HEALTH_OPERATIONS.has(operation)
    ? 'the store of shared health (without it each process knows what it has seen itself)'
    : 'the store of last known good';
}
