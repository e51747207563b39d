/** What candidates and substitutes give on the engine's side: values and errors that can be told apart by a name. */
import {
  AttemptTimeoutError,
  DeadlineExceededError,
  FallbackExhaustedError,
  RejectedResultError,
  budgetExhausted,
  denied,
  rateLimited,
  terminal,
  transient,
  unsupported,
} from '../../lib/core/index.js';
import type { Does, Play } from './program.js';

/** A value: `thing` is its name, `does` is what the hooks read. */
export interface Thing {
  readonly thing: string;
  readonly does: Does;
  readonly retryAfter?: number;
  /** of elements: what `commitWhen` reads */
  readonly isPriming?: boolean;
}

const MAKERS = { transient, 'rate-limited': rateLimited, denied, unsupported, terminal, budget: budgetExhausted };

export class Props {
  /** the very objects that were given, by identity */
  private readonly names = new Map<unknown, string>();

  /** what `errorIn` reads in elements; these stay plain, so that they can be stored */
  private readonly errors = new Map<unknown, unknown>();

  errorIn(element: unknown): unknown {
    return this.errors.get(element);
  }

  putErrorInto(element: unknown, error: unknown): void {
    this.errors.set(element, error);
  }

  value(thing: string, { does, retryAfter }: Play, more: Partial<Thing> = {}): Thing {
    const value = { thing, does, ...(retryAfter !== undefined && { retryAfter }), ...more };
    this.names.set(value, thing);
    return value;
  }

  error(thing: string, { does, retryAfter }: Play): unknown {
    const make = (MAKERS as Partial<Record<Does, typeof transient>>)[does];
    const otherwise = () => (does === 'timeout' ? new DOMException(thing, 'TimeoutError') : new Error(thing));
    const error = make === undefined ? otherwise() : make(thing, retryAfter === undefined ? {} : { retryAfter });
    this.names.set(error, thing);
    return error;
  }

  reason(thing: string): Error {
    const reason = new Error(thing);
    this.names.set(reason, thing);
    return reason;
  }

  /** Its name; `copy of …` if it is not the very object that was given. */
  nameOfValue(value: unknown): string {
    if (typeof value !== 'object' || value === null) return String(value);
    return this.names.get(value) ?? `copy of ${(value as Partial<Thing>).thing}`;
  }

  nameOfError(error: unknown): string {
    if (error instanceof FallbackExhaustedError) return 'exhausted';
    if (error instanceof AttemptTimeoutError) return `timed out after ${error.timeout}`;
    // Programs speak of whole ms.
    if (error instanceof DeadlineExceededError) return `deadline of ${Math.floor(error.deadline)}`;
    if (error instanceof RejectedResultError) return `rejected: ${this.nameOfValue(error.value)}`;
    if (error instanceof Error && error.message.startsWith('A candidate of a stream chain gave')) return 'no stream';
    return this.names.get(error) ?? `a stranger: ${String(error)}`;
  }
}
