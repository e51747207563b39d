import { brand } from '../core/shared.js';

const DEFERRED = brand('deferred');

/**
 * From a computed substitute: the work was queued for later. The answer's source is `deferred`, on HTTP it is 202.
 * @example substitute(this: Mailer, mail: Mail) { this.outbox.push(mail); return deferred() }
 * @publicApi
 */
export function deferred<T>(value?: T): T {
  return { [DEFERRED]: { value } } as T;
}

/** What was deferred, or `undefined` for an ordinary value. @internal */
export function readDeferred(value: unknown): { readonly value: unknown } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Record<symbol, { value: unknown } | undefined>)[DEFERRED];
}
