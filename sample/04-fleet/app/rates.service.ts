import { Injectable } from '@nestjs/common';
import { AttemptSignal, Degraded, FallbackChain } from 'nestjs-fallback';
import { fetchRate } from './rate.js';
import type { Rate } from './rate.js';

/** The bourse knows best; the kiosk at the corner answers in its place; else the last rate that any process has seen. */
@Injectable()
export class RatesService {
  @FallbackChain([{ method: 'atTheKiosk', name: 'kiosk' }], {
    name: 'rates',
    primary: { name: 'bourse' },
    timeout: '5s',
    breaker: { threshold: 2, cooldown: '3s' },
  })
  @Degraded({ lastKnownGood: { maxAge: '1h' } })
  async rateOf(currency: string, @AttemptSignal() signal?: AbortSignal): Promise<Rate> {
    return fetchRate(process.env['BOURSE_URL'], currency, signal);
  }

  async atTheKiosk(currency: string, @AttemptSignal() signal?: AbortSignal): Promise<Rate> {
    return fetchRate(process.env['KIOSK_URL'], currency, signal);
  }
}
