import { UpstreamError } from '../../stage/upstream-error.js';

/** The parsed body of a successful answer. The signal is the attempt's: a timeout ends the request, too. */
export async function fetchJson<T>(url: URL, signal: AbortSignal | undefined): Promise<T> {
  const response = await fetch(url, { signal: signal ?? null });
  if (!response.ok) throw new UpstreamError(response);
  return (await response.json()) as T;
}
