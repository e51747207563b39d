import { Injectable } from '@nestjs/common';
import type { FailureKind, Verdict } from 'nestjs-fallback';
import { EnginesService } from './engines.service.js';
import type { Cut, Engine, Results } from './results.js';

interface HamletAnswer {
  status: string;
  /** seconds */
  wait?: number;
  items?: [title: string, url: string][];
}

const KINDS: Readonly<Record<string, FailureKind>> = {
  OVER_QUERY_LIMIT: 'rate-limited',
  REQUEST_DENIED: 'denied',
  INVALID_REQUEST: 'terminal',
};

/**
 * Free, and small. Answers 200, always: what it means stands in the body, and `assess` reads it. Where the body is an excuse in
 * HTML, that it is no JSON says enough.
 */
@Injectable()
export class HamletEngine implements Engine {
  constructor(private readonly engines: EnginesService) {}

  async run({ signal }: Cut, query: string): Promise<Results> {
    const response = await fetch(this.engines.url('hamlet', '/find', { q: query }), { signal: signal ?? null });
    const { status, wait, items = [] } = (await response.json()) as HamletAnswer;
    const hits = items.map(([title, url]) => ({ title, url }));
    if (status === 'OK' || status === 'ZERO_RESULTS') return { hits };
    return { hits, refusal: { status, ...(wait !== undefined && { wait }) } };
  }

  /** It takes operators for words. */
  supports(query: string): boolean {
    return !/\b\w+:/.test(query);
  }

  assess({ refusal }: Results): FailureKind | Verdict | undefined {
    if (refusal === undefined) return undefined;
    const kind = KINDS[refusal.status] ?? 'transient';
    return refusal.wait === undefined ? kind : { kind, retryAfter: refusal.wait * 1_000 };
  }
}
