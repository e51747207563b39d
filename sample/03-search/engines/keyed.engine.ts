import type { FailureKind, Verdict } from 'nestjs-fallback';
import { UpstreamError } from '../../stage/upstream-error.js';
import type { EngineName, EnginesService } from './engines.service.js';
import type { Cut, Engine, Results } from './results.js';

/** Of this machine's engines; a real one comes from the configuration. */
export const KEY = 'key-of-this-machine';

const LONGEST_QUERY = 200;

interface Refusal {
  code: 'quota' | 'key' | 'query' | 'trouble' | 'no-results';
  /** seconds */
  resetIn?: number;
}

class RefusedError extends UpstreamError {
  constructor(
    response: Response,
    readonly refusal: Refusal,
  ) {
    super(response);
  }
}

/** The dialect of the paid engines: a key in a header, and 403 both for a wrong key and for a quota that is used up. */
export abstract class KeyedEngine implements Engine {
  protected constructor(
    private readonly engines: EnginesService,
    private readonly name: EngineName,
  ) {}

  async run({ signal }: Cut, query: string): Promise<Results> {
    const url = this.engines.url(this.name, '/v2/search', { q: query });
    const response = await fetch(url, { signal: signal ?? null, headers: { 'x-key': KEY } });
    const body: unknown = await response.json();
    if (response.ok) return { hits: (body as { results: Results['hits'] }).results };
    const { error } = body as { error: Refusal };
    // It says 404 when it has found nothing. That is an answer, and paid for.
    if (error.code === 'no-results') return { hits: [] };
    throw new RefusedError(response, error);
  }

  supports(query: string): boolean {
    return query.length <= LONGEST_QUERY;
  }

  classify(error: unknown): FailureKind | Verdict | undefined {
    if (!(error instanceof RefusedError) || error.refusal.code !== 'quota') return undefined;
    return { kind: 'rate-limited', retryAfter: (error.refusal.resetIn ?? 0) * 1_000 };
  }
}
