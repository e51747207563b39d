import { Injectable } from '@nestjs/common';
import { Upstreams } from '../../stage/upstreams.js';

export const ENGINES = ['commons', 'hamlet', 'ranger', 'summit'] as const;
export type EngineName = (typeof ENGINES)[number];

/** How an engine behaves: `limited` has no quota left, `broken` fails, `locked` refuses our key. */
export const MOODS = ['well', 'limited', 'broken', 'locked', 'hanging'] as const;

/** What one request costs, in dollars. */
export const PRICES: Readonly<Record<EngineName, number>> = { commons: 0, hamlet: 0, ranger: 0.005, summit: 0.01 };

@Injectable()
export class EnginesService extends Upstreams<EngineName, (typeof MOODS)[number]> {
  constructor() {
    super(ENGINES, new URL('./servers/', import.meta.url));
  }

  /** How many requests an engine has worked on since it was started, by its own books. */
  async charged(name: EngineName): Promise<number> {
    const response = await fetch(this.url(name, '/ledger'));
    return ((await response.json()) as { charged: number }).charged;
  }
}
