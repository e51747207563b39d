import { Injectable } from '@nestjs/common';
import { Upstreams } from '../../stage/upstreams.js';

export const EXCHANGES = ['bourse', 'kiosk'] as const;

/** How an exchange behaves; one that is `busy` answers nobody until it is `well` again. */
export const MOODS = ['well', 'busy'] as const;

@Injectable()
export class ExchangesService extends Upstreams<(typeof EXCHANGES)[number], (typeof MOODS)[number]> {
  constructor() {
    super(EXCHANGES, new URL('./servers/', import.meta.url));
  }
}
