/**
 * A plain Error with nothing on it but a text that is no JSON. Only the rule on texts can say anything of it, so none of
 * the others is asked: this is what most candidates throw while they are down.
 */
import { FAILURE_BRAND } from '../failures.js';

/** What clients hide from enumeration. */
interface Hidden {
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

/** The text of such an error; `undefined` for everything else. @internal */
export function bareText(error: unknown): string | undefined {
  try {
    if (!(error instanceof Error) || Object.getPrototypeOf(error) !== Error.prototype) return undefined;
    for (const _ in error) return undefined;
    const { name, message, code, cause, errors } = error as Error & Hidden;
    if (name !== 'Error' || code !== undefined || cause !== undefined || errors !== undefined) return undefined;
    if (FAILURE_BRAND in error || typeof message !== 'string' || /["{]/.test(message)) return undefined;
    return message;
  } catch {
    return undefined;
  }
}
