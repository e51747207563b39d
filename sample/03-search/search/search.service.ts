import { Injectable } from '@nestjs/common';
import { AttemptSignal, FallbackChain, from } from 'nestjs-fallback';
import { CommonsEngine } from '../engines/commons.engine.js';
import { PRICES } from '../engines/engines.service.js';
import { HamletEngine } from '../engines/hamlet.engine.js';
import { RangerEngine } from '../engines/ranger.engine.js';
import { isNothing } from '../engines/results.js';
import type { Results } from '../engines/results.js';
import { SummitEngine } from '../engines/summit.engine.js';

/** ms that an engine may take */
export const PATIENCE = 1_000;

/**
 * Four engines, the cheapest first. `cost` says what an empty answer means: where it was free, the next engine is asked;
 * where it was paid for, it is believed, since a second opinion costs a second time.
 */
@Injectable()
export class SearchService {
  constructor(private readonly commons: CommonsEngine) {}

  @FallbackChain(
    [
      from(HamletEngine, { name: 'hamlet', cost: PRICES.hamlet }),
      from(RangerEngine, { name: 'ranger', cost: PRICES.ranger }),
      from(SummitEngine, { name: 'summit', cost: PRICES.summit }),
    ],
    {
      name: 'search',
      primary: { name: 'commons', cost: PRICES.commons },
      timeout: PATIENCE,
      isEmpty: isNothing,
      // A few slow answers among hundreds are no outage, however many of them come in a row.
      breaker: { mode: 'rate', threshold: Infinity },
    },
  )
  async search(query: string, @AttemptSignal() signal?: AbortSignal): Promise<Results> {
    return this.commons.run({ signal }, query);
  }
}
