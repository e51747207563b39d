export interface Rate {
  currency: string;
  /** how much of it one euro buys */
  perEuro: number;
  /** present and true: not of today */
  degraded?: boolean;
}

/** The signal is the attempt's: a timeout ends the request, too. */
export async function fetchRate(base: string | undefined, currency: string, signal?: AbortSignal): Promise<Rate> {
  const response = await fetch(new URL(`/${currency}`, base), { signal: signal ?? null });
  if (!response.ok) throw Object.assign(new Error('No rate'), { status: response.status });
  return (await response.json()) as Rate;
}
