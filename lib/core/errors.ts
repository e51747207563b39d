/**
 * The package's own errors. Each has a stable `code`, is recognised by brand (so `instanceof` holds across copies of
 * the package), and carries what candidates threw only behind a method or a private field: `util.inspect` and JSON
 * print everything else, and errors of clients hold credentials.
 */
import { brand } from './shared.js';
import type { AttemptRecord } from './types.js';

/** The property by which every copy of the package recognises these errors: it holds the `code`. @internal */
export const ERROR_BRAND = brand('error');

/** The code of one of our errors, whichever copy made it. @internal */
export function codeOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return undefined;
  try {
    return (error as Record<symbol, unknown>)[ERROR_BRAND];
  } catch {
    return undefined;
  }
}

interface Branded {
  readonly prototype: object;
}

/** `instanceof` by brand for our own classes, by prototype for classes that users derive from them. */
function isInstance(type: Branded, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (!Object.hasOwn(type.prototype, ERROR_BRAND)) return Object.prototype.isPrototypeOf.call(type.prototype, value);
  return codeOf(value) === codeOf(type.prototype);
}

function stamp(type: Branded, name: string, code: string): void {
  const hidden = { configurable: true, writable: true };
  Object.defineProperty(type.prototype, ERROR_BRAND, { ...hidden, value: code });
  Object.defineProperty(type.prototype, 'name', { ...hidden, value: name });
}

abstract class FallbackError extends Error {
  static override [Symbol.hasInstance](this: Branded, value: unknown): boolean {
    return isInstance(this, value);
  }
}

/**
 * Nobody answered: every candidate failed or was passed over and there was no substitute. On HTTP it becomes 503.
 * The message holds names, kinds and skip reasons only; what the candidates threw is behind `failures()`.
 * @example catch (error) { if (error instanceof FallbackExhaustedError) retryIn(error.retryAfter) }
 * @publicApi
 */
export class FallbackExhaustedError extends FallbackError {
  readonly code = 'FALLBACK_EXHAUSTED';
  readonly chain: string;
  readonly attempts: readonly AttemptRecord[];
  /** ms until the soonest circuit of the chain may be tried again; absent if none is open */
  declare readonly retryAfter?: number;
  /** HTTP status of the last failure that had one */
  declare readonly lastStatus?: number;
  readonly #failures: readonly { candidate: string; error: unknown }[];

  constructor(about: {
    chain: string;
    attempts: readonly AttemptRecord[];
    failures: readonly { candidate: string; error: unknown }[];
    said: string;
    retryAfter?: number | undefined;
    lastStatus?: number | undefined;
  }) {
    super(`All ${about.attempts.length} fallback candidates failed ${about.said}`);
    this.chain = about.chain;
    this.attempts = about.attempts;
    this.#failures = about.failures;
    if (about.retryAfter !== undefined) this.retryAfter = about.retryAfter;
    if (about.lastStatus !== undefined) this.lastStatus = about.lastStatus;
  }

  /** What the candidates threw, the very same objects, in the order of the attempts. */
  failures(): readonly { candidate: string; error: unknown }[] {
    return this.#failures;
  }
}
stamp(FallbackExhaustedError, 'FallbackExhaustedError', 'FALLBACK_EXHAUSTED');

/** An attempt ran into its own `timeout` (ms). @publicApi */
export class AttemptTimeoutError extends FallbackError {
  readonly code = 'ATTEMPT_TIMEOUT';

  constructor(readonly timeout: number) {
    super(`Timed out after ${timeout} ms`);
  }
}
stamp(AttemptTimeoutError, 'AttemptTimeoutError', 'ATTEMPT_TIMEOUT');

/**
 * The call's `deadline` (ms) cut an attempt. It is that attempt's own error and the reason of its signal; the call
 * itself is exhausted.
 * @publicApi
 */
export class DeadlineExceededError extends FallbackError {
  readonly code = 'DEADLINE_EXCEEDED';

  constructor(readonly deadline: number) {
    super(`The deadline of ${deadline} ms is over`);
  }
}
stamp(DeadlineExceededError, 'DeadlineExceededError', 'DEADLINE_EXCEEDED');

/** An answer was not accepted. `value` is that answer; neither JSON nor `util.inspect` prints it. @publicApi */
export class RejectedResultError extends FallbackError {
  readonly code = 'RESULT_REJECTED';
  readonly #value: unknown;

  constructor(candidate: string, value: unknown, options?: { cause?: unknown }) {
    super(`The answer of ${candidate} was rejected`, options);
    this.#value = value;
  }

  get value(): unknown {
    return this.#value;
  }
}
stamp(RejectedResultError, 'RejectedResultError', 'RESULT_REJECTED');

/** Our own spend ceiling, the chain's `budget`, is reached, and its `onBudget` is `'stop'`. @publicApi */
export class BudgetExhaustedError extends FallbackError {
  readonly code = 'BUDGET_EXHAUSTED';

  constructor() {
    super('The budget of the chain is spent');
  }
}
stamp(BudgetExhaustedError, 'BudgetExhaustedError', 'BUDGET_EXHAUSTED');

/** The application is shutting down: it takes no new calls, and the time of those in flight is over. @publicApi */
export class ShuttingDownError extends FallbackError {
  readonly code = 'SHUTTING_DOWN';

  constructor() {
    super('The application is shutting down');
  }
}
stamp(ShuttingDownError, 'ShuttingDownError', 'SHUTTING_DOWN');

/** The HTTP client went away before the response was finished. @publicApi */
export class ClientDisconnectedError extends FallbackError {
  readonly code = 'CLIENT_DISCONNECTED';

  constructor() {
    super('The client disconnected before the response was finished');
  }
}
stamp(ClientDisconnectedError, 'ClientDisconnectedError', 'CLIENT_DISCONNECTED');

/** One thing that is wrong in the configuration: where, which option, and what to do. @publicApi */
export interface ConfigurationFault {
  where: string;
  option?: string;
  message: string;
}

/** The configuration cannot work; `faults` holds all that is wrong with it, at once. @publicApi */
export class FallbackConfigurationError extends TypeError {
  readonly code = 'FALLBACK_CONFIGURATION';

  static override [Symbol.hasInstance](this: Branded, value: unknown): boolean {
    return isInstance(this, value);
  }

  constructor(readonly faults: readonly ConfigurationFault[]) {
    const lines = faults.map(({ where, option, message }) => `  ${where}${option ? ` [${option}]` : ''}: ${message}`);
    const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
    super(`The fallback configuration has ${count}:\n${lines.join('\n')}`);
  }
}
stamp(FallbackConfigurationError, 'FallbackConfigurationError', 'FALLBACK_CONFIGURATION');
