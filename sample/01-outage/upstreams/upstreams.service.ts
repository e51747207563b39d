import { Injectable } from '@nestjs/common';
import { Upstreams } from '../../stage/upstreams.js';

export const UPSTREAMS = ['model', 'atlas', 'beacon', 'compass'] as const;
export type UpstreamName = (typeof UPSTREAMS)[number];

/** How an upstream behaves; `limited` means that its quota is used up. */
export type Mood = 'well' | 'limited' | 'hanging';

@Injectable()
export class UpstreamsService extends Upstreams<UpstreamName, Mood> {
  constructor() {
    super(UPSTREAMS, new URL('./servers/', import.meta.url));
  }
}
