/** An upstream answered, but not with success. Status and headers are what the default classifier reads. */
export class UpstreamError extends Error {
  constructor(
    readonly status: number,
    readonly headers: Headers,
  ) {
    super(`The upstream answered ${status}`);
  }
}

/** The parsed body of a successful answer. The signal is the attempt's: a timeout ends the request, too. */
export async function fetchJson<T>(url: URL, signal: AbortSignal | undefined): Promise<T> {
  const response = await fetch(url, { signal: signal ?? null });
  if (!response.ok) throw new UpstreamError(response.status, response.headers);
  return (await response.json()) as T;
}
