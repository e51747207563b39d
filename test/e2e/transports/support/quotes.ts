import { Injectable } from '@nestjs/common';
import { Degraded, FallbackChain } from '../../../../lib/index.js';

/** What an upstream says; a client must never hear it. */
export const SECRET = 'sk-live-0815 said the upstream';
/** The name of a candidate; clients are told nothing of candidates that failed. */
export const INNER = 'internal-host-7';

export interface Quote {
  price: number;
  degraded?: boolean;
}

/** How many candidates fail: 0 none, 1 the primary, 2 both. */
export const outage = { failing: 0 };

export function answer(candidate: number, price: number): Quote {
  if (candidate < outage.failing) throw new Error(SECRET, { cause: new Error(SECRET) });
  return { price };
}

/** One provider, the same wherever it is used from. */
@Injectable()
export class Quotes {
  @FallbackChain([{ method: 'delayed', name: INNER }], { name: 'quotes', breaker: { threshold: Infinity } })
  @Degraded({ substitute: { price: 0 } })
  async live(symbol: string): Promise<Quote> {
    return answer(0, symbol.length);
  }

  /** The same without a substitute: closes after ten seconds. */
  @FallbackChain([{ method: 'delayed', name: INNER }], {
    name: 'strict',
    breaker: { threshold: 1, cooldown: '10s', factor: 1 },
    whenOpen: 'skip',
    detail: 'messages',
  })
  async strict(symbol: string): Promise<Quote> {
    return answer(0, symbol.length);
  }

  async delayed(symbol: string): Promise<Quote> {
    return answer(1, symbol.length * 10);
  }
}

const LIVE: Quote = { price: 4 };
export const DELAYED: Quote = { price: 40 };
export const SUBSTITUTE: Quote = { price: 0, degraded: true };
/** By the number of failing candidates. */
export const ANSWERS = [LIVE, DELAYED, SUBSTITUTE] as const;

/** What a client is told where nobody answered. */
export const UNAVAILABLE = { status: 'error', statusCode: 503, message: 'Service Unavailable' } as const;
export const EXHAUSTED = { ...UNAVAILABLE, code: 'FALLBACK_EXHAUSTED', retryAfter: 10 } as const;
export const SHUTTING_DOWN = { ...UNAVAILABLE, code: 'SHUTTING_DOWN' } as const;
