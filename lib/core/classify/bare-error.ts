/**
 * A plain Error with nothing on it but a text that is no JSON. Only the rule on texts can say anything of it, so none of
 * the others is asked: this is what most candidates throw while they are down.
 */
import { ERROR_BRAND } from '../errors.js';
import { FAILURE_BRAND } from '../failures.js';
import { isObject } from './read.js';

/** An error as the rules see it. */
type Read = Readonly<Record<PropertyKey, unknown>>;

/**
 * Whether nothing is there that the rules and the walk look for, inherited and hidden properties included. Each is read by
 * its name, since to list what an error has takes longer than all of this; a test compares the names with what is read.
 */
function isBare(error: Read): boolean {
  const { name, constructor } = error;
  return name === 'Error' && constructor === Error && (meaningOf(error) ?? contentOf(error)) == null;
}

/** By what an error may say what it is. */
function meaningOf(error: Read): unknown {
  const brand = error[ERROR_BRAND] ?? error[FAILURE_BRAND];
  const status = error.status ?? error.statusCode ?? error.getStatus ?? error.$metadata ?? error.$response;
  const word = error.code ?? error.Code ?? error.type ?? error.__type ?? error.rawType ?? error.reason;
  const flag = error.isTaskCancelledError ?? error.isBrokenCircuitError ?? error.isBulkheadRejectedError;
  return brand ?? status ?? word ?? error.sqlState ?? error.killed ?? flag;
}

/** What an error may bring along. */
function contentOf(error: Read): unknown {
  const answer = error.response ?? error.body ?? error.headers ?? error.metadata;
  const delay = error.retryAfter ?? error.retryAfterMs;
  const wrapped = error.cause ?? error.error ?? error.originalError ?? error.detail ?? error.raw;
  return answer ?? delay ?? wrapped;
}

/**
 * The text of such an error; `undefined` for everything else.
 * @param known a text that is no JSON
 * @internal
 */
export function bareText(error: unknown, known = ''): string | undefined {
  try {
    if (!isObject(error) || !isBare(error as Read) || Object.getPrototypeOf(error) !== Error.prototype)
      return undefined;
    const { message } = error as Error;
    return typeof message === 'string' && (message === known || !/["{]/.test(message)) ? message : undefined;
  } catch {
    return undefined;
  }
}
