/**
 * A plain Error with nothing on it but a text that is no JSON. Only the rule on texts can say anything of it, so none of
 * the others is asked: this is what most candidates throw while they are down.
 */

/** What a Proxy may give that does not list it. */
interface Facts {
  readonly code?: unknown;
  readonly status?: unknown;
  readonly response?: unknown;
}

/** The text of such an error; `undefined` for everything else. @internal */
export function bareText(error: unknown): string | undefined {
  try {
    if (!(error instanceof Error) || Object.getPrototypeOf(error) !== Error.prototype) return undefined;
    for (const key of Reflect.ownKeys(error)) if (key !== 'stack' && key !== 'message') return undefined;
    const { message, code, status, response } = error as Error & Facts;
    if (code !== undefined || status !== undefined || response !== undefined) return undefined;
    return typeof message === 'string' && !/["{]/.test(message) ? message : undefined;
  } catch {
    return undefined;
  }
}
