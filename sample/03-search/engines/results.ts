import type { FallbackCandidate } from 'nestjs-fallback';

interface Hit {
  title: string;
  url: string;
}

/** What an engine found. */
export interface Results {
  hits: readonly Hit[];
  /** what an engine that always says 200 said instead of results */
  refusal?: { status: string; wait?: number };
}

/** All that our engines want of an attempt: what ends it ends the request. */
export interface Cut {
  readonly signal?: AbortSignal | undefined;
}

/** A search engine, whichever dialect it speaks. */
export interface Engine extends FallbackCandidate<[query: string], Results> {
  run(cut: Cut, query: string): Promise<Results>;
}

/** The engine did its work and there is nothing; a refusal is something else. */
export const isNothing = ({ hits, refusal }: Results): boolean => hits.length === 0 && refusal === undefined;
