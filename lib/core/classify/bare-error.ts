/**
 * A plain Error with nothing on it but a text that is no JSON. Only the rule on texts can say anything of it, so none of
 * the others is asked: this is what most candidates throw while they are down.
 */
import { FAILURE_BRAND } from '../failures.js';

/** What an Error may hold without listing it: set by its constructor, by a maker of ours, or by a Proxy. */
interface Unlisted {
  readonly name?: unknown;
  readonly cause?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly response?: unknown;
  readonly [FAILURE_BRAND]?: unknown;
}

/** The text of such an error; `undefined` for everything else. @internal */
export function bareText(error: unknown): string | undefined {
  try {
    if (!(error instanceof Error) || Object.getPrototypeOf(error) !== Error.prototype) return undefined;
    // Not Reflect.ownKeys: to list what cannot be enumerated costs more than all the rest.
    for (const _ in error) return undefined;
    const { name, message, cause, code, status, response, [FAILURE_BRAND]: kind } = error as Error & Unlisted;
    if (name !== 'Error' || cause !== undefined || code !== undefined || kind !== undefined) return undefined;
    if (status !== undefined || response !== undefined) return undefined;
    return typeof message === 'string' && !/["{]/.test(message) ? message : undefined;
  } catch {
    return undefined;
  }
}
